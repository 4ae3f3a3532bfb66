/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times the first calls of filters, as the loop of a user's program makes them: each with a wait for its end. Each
 * filter has a separate context. DRUA_CACHE and the driver's cache settings determine what is compiled.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdio.h>

enum { CALLS = 9, SINGLE = 3, MAX_NUMBERS = 6, FIRST_NUMBER = 2, SIDE = 512, DEPTH_OF_PROCESSORS = 64 };

/* An operation from one image to another, and its numbers. */
typedef struct work {
    const char *title, *operation;
    int count;
    double numbers[MAX_NUMBERS];
} work;

static const work works[] = {
    {"Gaussian, sigma 2", "gaussian_blur", 3, {2, 2, 2}},
    {"Gaussian, sigma 10", "gaussian_blur", 3, {10, 10, 10}},
    {"difference of Gaussians, 2 and 4", "difference_of_gaussian", 6, {2, 2, 2, 4, 4, 4}},
    {"mean in a box, radius 2", "mean_box", 3, {2, 2, 2}},
    {"maximum in a box, radius 2", "maximum_box", 3, {2, 2, 2}},
    {"top hat, radius 5", "top_hat_box", 3, {5, 5, 5}},
    {"median of 3 x 3 x 3", "median_box", 3, {1, 1, 1}},
    {"median of 5 x 5 x 5", "median_box", 3, {2, 2, 2}},
};

static drua_status call_operation(drua_context *context, const work *w, drua_image source)
{
    drua_argument arguments[FIRST_NUMBER + MAX_NUMBERS] = {{.kind = DRUA_ARG_IMAGE, .image = source},
                                                           {.kind = DRUA_ARG_NONE}};
    for (int i = 0; i < w->count; i++)
        arguments[FIRST_NUMBER + i] = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = w->numbers[i]};
    drua_status status = drua_invoke(context, w->operation, arguments, (size_t)(FIRST_NUMBER + w->count), NULL);
    if (status == DRUA_OK)
        status = drua_sync(context);
    return status == DRUA_OK ? drua_release(context, arguments[1].image) : status;
}

/* Prints a row: milliseconds of the first three calls and the median of the others. */
static drua_status time_calls(const char *device, const work *w, int scale)
{
    drua_context *context;
    drua_device_info info;
    drua_image source;
    double seconds[CALLS];
    drua_status status = drua_tool_open(device, &context);
    if (status != DRUA_OK)
        return status;
    drua_context_device(context, &info);
    const drua_shape shape = {SIDE / scale, SIDE / scale, (info.is_gpu ? SIDE : DEPTH_OF_PROCESSORS) / scale, 3};
    status = drua_bench_push(context, shape, DRUA_FLOAT32, DRUA_BENCH_GREY, &source);
    if (status == DRUA_OK)
        status = drua_sync(context);
    for (int i = 0; i < CALLS && status == DRUA_OK; i++) {
        const double start = drua_bench_seconds();
        status = call_operation(context, w, source);
        seconds[i] = drua_bench_seconds() - start;
    }
    if (status == DRUA_OK)
        printf("%s\t%.3f\t%.3f\t%.3f\t%.3f\n", w->title, 1e3 * seconds[0], 1e3 * seconds[1], 1e3 * seconds[2],
               1e3 * drua_bench_median(seconds + SINGLE, CALLS - SINGLE));
    drua_close(context);
    return status;
}

int drua_bench_calls(const char *device, int scale)
{
    drua_status status = DRUA_OK;
    printf("work\tfirst_ms\tsecond_ms\tthird_ms\tlater_ms\n");
    for (size_t i = 0; i < sizeof works / sizeof *works && status == DRUA_OK; i++)
        status = time_calls(device, &works[i], scale);
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    return status != DRUA_OK;
}
