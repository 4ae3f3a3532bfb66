/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times eSRRF from 16-bit frames on the host to the projection on the host, and on the device alone. The arithmetic
 * limit assumes EACH operations per tap, at the device's measured multiply-add rate.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <stdio.h>
#include <stdlib.h>

enum { MAGNIFICATION = 5, TAPS = 49, EACH = 9, TIMED = 5 };

typedef struct movie {
    int64_t frames, extent;
    const char *options;
} movie;

/* Returns the seconds of one run; `transfers` includes push and pull. */
static drua_status time_run(drua_context *context, const movie *m, const uint16_t *pixels, float *result, int transfers,
                            double *time)
{
    const drua_shape shape = {m->extent, m->extent, m->frames, 3};
    drua_argument arguments[] = {
        {.kind = DRUA_ARG_IMAGE}, {.kind = DRUA_ARG_NONE}, {.kind = DRUA_ARG_TEXT, .text = m->options}};
    double start = drua_bench_seconds();
    drua_status status = drua_push(context, shape, DRUA_UINT16, pixels, &arguments[0].image);
    if (status == DRUA_OK && !transfers) {
        status = drua_sync(context);
        start = drua_bench_seconds();
    }
    if (status == DRUA_OK)
        status = drua_invoke(context, "esrrf", arguments, 3, NULL);
    if (status == DRUA_OK)
        status = transfers ? drua_pull(context, arguments[1].image, result) : drua_sync(context);
    *time = drua_bench_seconds() - start;
    drua_release(context, arguments[0].image);
    if (arguments[1].kind == DRUA_ARG_IMAGE)
        drua_release(context, arguments[1].image);
    return status;
}

static drua_status bench_movie(drua_context *context, const movie *m, double rate)
{
    const size_t plane = (size_t)(m->extent * m->extent), magnified = plane * MAGNIFICATION * MAGNIFICATION;
    uint16_t *pixels = drua_bench_noise(plane * (size_t)m->frames);
    float *result = malloc(3 * magnified * sizeof *result);
    drua_status status = pixels && result ? DRUA_OK : DRUA_E_MEMORY;
    for (int transfers = 1; transfers >= 0 && status == DRUA_OK; transfers--) {
        double time[TIMED], first;
        status = time_run(context, m, pixels, result, transfers, &first);
        for (int i = 0; i < TIMED && status == DRUA_OK; i++)
            status = time_run(context, m, pixels, result, transfers, &time[i]);
        if (status != DRUA_OK)
            break;
        const double t = drua_bench_median(time, TIMED), values = (double)m->frames * (double)magnified;
        printf("%s\t%lldx%lldx%lld\t%s\t%.3f\t%.0f\t%.3f\t%.3f\n", m->options, (long long)m->extent,
               (long long)m->extent, (long long)m->frames, transfers ? "host" : "device", 1e3 * t,
               (double)m->frames / t, 1e-9 * values / t, values * TAPS * EACH / rate / t);
        fflush(stdout);
    }
    free(pixels);
    free(result);
    return status;
}

int drua_bench_esrrf(const char *device, int scale)
{
    static const movie movies[] = {{100, 256, "projection=AVG"},
                                   {1000, 512, "projection=AVG"},
                                   {100, 256, "projection=all"},
                                   {1000, 512, "projection=all"}};
    drua_context *context;
    drua_device_info info;
    double rate;
    drua_status status = drua_tool_open(device, &context);
    if (status == DRUA_OK) {
        drua_context_device(context, &info);
        status = drua_measure_arithmetic(context, &rate);
        if (status == DRUA_OK)
            printf("# device: %s (%s), driver %s\n# method: magnification %d, radius 1.5, uint16 in, float32 out; "
                   "median of %d after one\n"
                   "# arithmetic limit: %d taps x %d operations a magnified pixel at %.0f GFLOP/s, measured\n"
                   "options\tsize\tfrom\tms\tframes_per_s\tGpixel_per_s\tshare\n",
                   info.name, info.platform, info.driver, MAGNIFICATION, TIMED, TAPS, EACH, rate / 1e9);
        for (size_t i = 0; i < sizeof movies / sizeof *movies && status == DRUA_OK; i++) {
            movie m = movies[i];
            m.frames = (m.frames + scale - 1) / scale;
            status = bench_movie(context, &m, rate);
        }
        if (status != DRUA_OK)
            fprintf(stderr, "%s\n", drua_error_message());
        drua_close(context);
    } else {
        fprintf(stderr, "%s\n", drua_error_message());
    }
    return status != DRUA_OK;
}
