/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times eSRRF of one movie on 1, 2, 4 and so on identical devices of a computer: frames per second, and whether the
 * results are identical.
 */
#include "bench.h"
#include "block_pipeline.h"
#include "open_context.h"

#include <drua/drua.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 2000, SIDE = 512, MAGNIFICATION = 5, TIMED = 5, LIMIT = 16, SELECTOR = 128 };

/* Fowler-Noll-Vo hash. */
static uint64_t sum_of(const void *bytes, size_t count)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return sum;
}

/* Lists the numbers of all devices of the same model and driver as the first device. */
static int list_alike(const drua_device_info *own, size_t numbers[LIMIT])
{
    int count = 0;
    for (size_t i = 0; i < drua_device_count() && count < LIMIT; i++) {
        drua_device_info info;
        if (drua_device_describe(i, &info) == DRUA_OK && drua_devices_are_alike(&info, own))
            numbers[count++] = i;
    }
    return count;
}

static drua_status time_devices(drua_context *context, drua_image movie, const char *devices, float *result,
                                double *time, uint64_t *sum)
{
    const size_t bytes = (size_t)SIDE * MAGNIFICATION * SIDE * MAGNIFICATION * sizeof *result;
    char options[SELECTOR + 32];
    double times[TIMED];
    drua_status status = DRUA_OK;
    snprintf(options, sizeof options, "magnification=%d devices=%s", MAGNIFICATION, devices);
    for (int i = -1; i < TIMED && status == DRUA_OK; i++) { /* the first run opens devices and compiles kernels */
        drua_argument arguments[] = {{.kind = DRUA_ARG_IMAGE, .image = movie},
                                     {.kind = DRUA_ARG_NONE},
                                     {.kind = DRUA_ARG_TEXT, .text = options}};
        const double start = drua_bench_seconds();
        status = drua_invoke(context, "esrrf", arguments, 3, NULL);
        if (status != DRUA_OK)
            break;
        status = drua_pull(context, arguments[1].image, result);
        if (i >= 0)
            times[i] = drua_bench_seconds() - start;
        drua_release(context, arguments[1].image);
    }
    fputs(drua_take_messages(context), stderr);
    *time = status == DRUA_OK ? drua_bench_median(times, TIMED) : 0;
    *sum = status == DRUA_OK ? sum_of(result, bytes) : 0;
    return status;
}

static drua_status time_all(drua_context *context, int64_t frames, const uint16_t *pixels, float *result, bool *same)
{
    drua_device_info own;
    size_t numbers[LIMIT];
    drua_image movie = 0;
    double one = 0;
    uint64_t first = 0;
    drua_context_device(context, &own);
    const int count = list_alike(&own, numbers);
    drua_status status = drua_push(context, (drua_shape){SIDE, SIDE, frames, 3}, DRUA_UINT16, pixels, &movie);
    printf("# device: %d of %s (%s), driver %s\n# method: eSRRF, magnification %d, of %lld uint16 frames of %d x %d "
           "from host memory to it; median of %d after one\ndevices\tms\tframes_per_s\ttimes\tchecksum\n",
           count, own.name, own.platform, own.driver, MAGNIFICATION, (long long)frames, SIDE, SIDE, TIMED);
    for (int n = 1; n <= count && status == DRUA_OK; n = n < count && 2 * n > count ? count : 2 * n) {
        char selector[SELECTOR] = "";
        double time;
        uint64_t sum;
        for (int i = 0; i < n; i++)
            snprintf(selector + strlen(selector), sizeof selector - strlen(selector), "%s%zu", i ? "," : "",
                     numbers[i]);
        status = time_devices(context, movie, selector, result, &time, &sum);
        if (status != DRUA_OK)
            break;
        one = n == 1 ? time : one;
        first = n == 1 ? sum : first;
        *same = *same && sum == first;
        printf("%d\t%.1f\t%.0f\t%.2f\t%016" PRIx64 "\n", n, 1e3 * time, (double)frames / time, one / time, sum);
        fflush(stdout);
    }
    if (movie)
        drua_release(context, movie);
    return status;
}

int drua_bench_devices(const char *device, int scale)
{
    drua_context *context;
    const int64_t frames = (FRAMES + scale - 1) / scale;
    bool same = true;
    drua_status status = drua_tool_open(device, &context);
    if (status == DRUA_OK) {
        uint16_t *pixels = drua_bench_noise((size_t)frames * SIDE * SIDE);
        float *result = malloc((size_t)SIDE * MAGNIFICATION * SIDE * MAGNIFICATION * sizeof *result);
        status = pixels && result ? time_all(context, frames, pixels, result, &same) : DRUA_E_MEMORY;
        free(pixels);
        free(result);
    }
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n",
                status == DRUA_E_MEMORY ? "there is not enough memory; use a divisor of the number of frames"
                                        : drua_error_message());
    if (!same)
        fprintf(stderr, "the results differ with the number of devices\n");
    if (context)
        drua_close(context);
    return status != DRUA_OK || !same;
}
