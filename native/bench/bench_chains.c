/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times chains of pointwise operations, alone and before and after filters. Three variants run: one kernel that
 * interprets any chain, a kernel compiled for each chain, and a compiled kernel for each step ("apart"). A time lasts
 * from the calls until their results are computed; it is the median of nine runs after three. The floor is the time to
 * read or write each image once, except images between steps, at the copy rate of the run.
 */
#include "bench.h"
#include "chain_works.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WARM_UP = 3, TIMED = 9 };

static drua_status time_work(drua_context *context, const chain_work *w, const drua_image *images, double *milliseconds)
{
    double time[TIMED];
    drua_status status = DRUA_OK;
    for (int i = 0; i < WARM_UP + TIMED && status == DRUA_OK; i++) {
        const double start = drua_bench_seconds();
        status = chain_work_run(context, w, images);
        if (i >= WARM_UP)
            time[i - WARM_UP] = drua_bench_seconds() - start;
    }
    *milliseconds = 1e3 * drua_bench_median(time, TIMED);
    return status;
}

static double bytes_of(const chain_work *w, size_t count, size_t element)
{
    const size_t written = w->gives_floats ? sizeof(float) : element;
    return (double)count * ((double)w->images * (double)element + (double)w->results * (double)written);
}

static int bench_shape(const char *device, const char *variant, drua_shape shape)
{
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    drua_context *context;
    double rate = 0;
    const bool apart = !strcmp(variant, "apart");
    drua_bench_set_variable("DRUA_CHAINS", apart ? "compile" : variant);
    drua_bench_set_variable("DRUA_FUSE", apart ? "0" : "1");
    drua_status status = drua_tool_open(device, &context);
    for (size_t t = 0; t < CHAIN_TYPES && status == DRUA_OK; t++) {
        drua_image images[3];
        status = drua_measure_copy(context, count * chain_types[t].element, &rate);
        if (status == DRUA_OK)
            status = chain_work_push(context, shape, &chain_types[t], images);
        for (size_t i = 0; i < CHAIN_WORKS && status == DRUA_OK; i++) {
            double ms;
            status = time_work(context, &chain_works[i], images, &ms);
            const double floor = 1e3 * bytes_of(&chain_works[i], count, chain_types[t].element) / rate;
            printf("%s\t%lldx%lldx%lld\t%s\t%.4f\t%.4f\t%.3f\t%s\n", chain_works[i].name, (long long)shape.width,
                   (long long)shape.height, (long long)shape.depth, chain_types[t].name, ms, floor, floor / ms,
                   variant);
            fflush(stdout);
        }
        drua_clear(context);
    }
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

int drua_bench_chains(const char *device, int scale)
{
    static const char *const variants[] = {"interpret", "apart", "compile"};
    const drua_shape shapes[] = {{512 / scale, 512 / scale, 512 / scale, 3}, {1024, 1024, 1, 2}};
    int failed = 0;
    printf("name\tsize\ttype\tms\tfloor_ms\tshare\tvariant\n");
    for (int s = 0; s < 2; s++)
        for (int v = 0; v < 3; v++)
            failed |= bench_shape(device, variants[v], shapes[s]);
    return failed;
}
