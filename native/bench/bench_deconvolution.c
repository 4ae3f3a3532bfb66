/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of an iteration is the difference between a long and a short deconvolution. Traffic counts the images that
 * an iteration reads and writes if the ends of its convolutions are fused with the steps between them: 21 images for
 * plain, circulant iterations. The floor is that traffic at the copy rate of the same run. A transform is timed in the
 * forward direction only, into a separate image; its start time is that of a plan alone.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEW = 5, MANY = 25, REPEATS = 3, KERNEL = 15 };

typedef struct way {
    const char *name, *options; /* options of deconvolve; NULL: a transform */
    double passes; /* images read or written per iteration */
} way;

static const way ways[] = {
    {"transform", NULL, 6},
    {"plain, circulant", "edges=circulant", 21},
    {"heavy ball, circulant", "edges=circulant accelerate at_noise=go_on", 23},
    {"plain, non-circulant", "", 22},
};

static drua_status push_image(drua_context *context, drua_shape s, drua_image *image)
{
    const size_t count = (size_t)(s.width * s.height * s.depth);
    float *pixels = malloc(count * sizeof *pixels);
    uint32_t seed = 12345;
    if (!pixels)
        return DRUA_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        pixels[i] = 10 + (float)((seed = seed * 1664525u + 1013904223u) >> 24);
    drua_status status = drua_push(context, s, DRUA_FLOAT32, pixels, image);
    free(pixels);
    return status;
}

static drua_status push_psf(drua_context *context, drua_image *image)
{
    float pixels[KERNEL * KERNEL * KERNEL];
    for (int z = 0, i = 0; z < KERNEL; z++)
        for (int y = 0; y < KERNEL; y++)
            for (int x = 0; x < KERNEL; x++, i++) {
                const double dx = x - KERNEL / 2, dy = y - KERNEL / 2, dz = z - KERNEL / 2;
                pixels[i] = (float)exp(-(dx * dx + dy * dy) / 8 - dz * dz / 18);
            }
    return drua_push(context, (drua_shape){KERNEL, KERNEL, KERNEL, 3}, DRUA_FLOAT32, pixels, image);
}

/* Computes the result and releases it. */
static drua_status run_operation(drua_context *context, const char *operation, drua_argument *arguments, int count,
                                 int result)
{
    drua_status status = drua_invoke(context, operation, arguments, count, NULL);
    if (status != DRUA_OK)
        return status;
    status = drua_sync(context);
    drua_release(context, arguments[result].image);
    return status;
}

static drua_status run_iterations(drua_context *context, drua_image image, drua_image psf, const char *options,
                                  int iterations)
{
    char text[128];
    drua_status status = DRUA_OK;
    if (options) {
        snprintf(text, sizeof text, "%s iterations=%d", options, iterations);
        drua_argument arguments[] = {{.kind = DRUA_ARG_IMAGE, .image = image},
                                     {.kind = DRUA_ARG_IMAGE, .image = psf},
                                     {.kind = DRUA_ARG_NONE},
                                     {.kind = DRUA_ARG_TEXT, .text = text}};
        return run_operation(context, "deconvolve", arguments, 4, 2);
    }
    for (int i = 0; i < iterations && status == DRUA_OK; i++) {
        drua_argument arguments[] = {{.kind = DRUA_ARG_IMAGE, .image = image}, {.kind = DRUA_ARG_NONE}};
        status = run_operation(context, "forward_fft", arguments, 2, 1);
    }
    return status;
}

/* Returns the seconds of a number of iterations, the best of several runs; negative on failure. */
static double time_iterations(drua_context *context, drua_image image, drua_image psf, const char *options,
                              int iterations, int repeats)
{
    double best = -1;
    for (int i = 0; i < repeats; i++) {
        drua_sync(context);
        const double start = drua_bench_seconds();
        if (run_iterations(context, image, psf, options, iterations) != DRUA_OK)
            return -1;
        const double time = drua_bench_seconds() - start;
        best = best < 0 || time < best ? time : best;
    }
    return best;
}

/* Returns whether autotuning may still replace the plan of the last call. */
static bool is_pending(drua_context *context)
{
    const char *last = NULL;
    for (const char *at = drua_explain_launches(context); (at = strstr(at, "transforms of")) != NULL; at++)
        last = at;
    const char *pending = last ? strstr(last, "not yet compared") : NULL;
    return pending && pending < last + strcspn(last, "\n");
}

/* Repeats the call until autotuning has settled on its transforms. */
static double wait_for_autotuning(drua_context *context, drua_image image, drua_image psf, const char *options)
{
    enum { LIMIT = 100 };
    const struct timespec pause = {.tv_nsec = 200000000};
    double time = 0;
    for (int i = 0; i < LIMIT && time >= 0 && is_pending(context); i++) {
        nanosleep(&pause, NULL);
        time = time_iterations(context, image, psf, options, 1, 1);
    }
    return time;
}

/* Opens a separate context for each line, so that memory and start time are measured per line. */
static int bench_one(const char *device, drua_shape s, const way *w)
{
    drua_context *context;
    drua_image image, psf;
    double rate;
    drua_statistics statistics;
    if (drua_tool_open(device, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    const double voxels = (double)s.width * (double)s.height * (double)s.depth;
    drua_status status = drua_measure_copy(context, (uint64_t)voxels * 4, &rate);
    if (status == DRUA_OK)
        status = push_image(context, s, &image);
    if (status == DRUA_OK)
        status = push_psf(context, &psf);
    const double first = status == DRUA_OK ? time_iterations(context, image, psf, w->options, 1, 1) : -1;
    const double tuned = first < 0 ? -1 : wait_for_autotuning(context, image, psf, w->options);
    const double few = tuned < 0 ? -1 : time_iterations(context, image, psf, w->options, FEW, REPEATS);
    const double many = few < 0 ? -1 : time_iterations(context, image, psf, w->options, MANY, REPEATS);
    if (many < 0) {
        fprintf(stderr, "%lld x %lld x %lld, %s: %s\n", (long long)s.width, (long long)s.height, (long long)s.depth,
                w->name, drua_error_message());
        drua_close(context);
        return 1;
    }
    drua_get_statistics(context, &statistics);
    const double iteration = (many - few) / (MANY - FEW), bytes = 4 * w->passes * voxels;
    printf("%lldx%lldx%lld\t%s\t%.3f\t%.3g\t%.0f\t%.3f\t%.2f\t%.3f\n", (long long)s.width, (long long)s.height,
           (long long)s.depth, w->name, 1e3 * iteration, voxels / iteration, bytes / iteration / 1e9,
           bytes / rate / iteration, (double)statistics.peak_bytes / (4 * voxels), first);
    fflush(stdout);
    drua_close(context);
    return 0;
}

int drua_bench_deconvolution(const char *device, int scale)
{
    static const drua_shape shapes[] = {
        {512, 512, 256, 3}, {512, 512, 512, 3}, {1024, 1024, 256, 3}, {2048, 2048, 64, 3}};
    drua_context *context;
    drua_device_info info;
    int failed = 0;
    if (drua_tool_open(device, &context) != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    drua_context_device(context, &info);
    drua_close(context);
    printf("# device: %s (%s), driver %s, Drua %s\n", info.name, info.platform, info.driver, drua_version());
    printf("# method: difference of %d and %d iterations, best of %d; traffic of the fused passes; floor: that "
           "traffic at the copy rate\n",
           MANY, FEW, REPEATS);
    printf("# memory: peak, in images of that size, with the image and the result; start: plans, programs and one "
           "iteration\n");
    printf("size\tway\tms_an_iteration\tvoxel_iterations_a_second\ttraffic_GB_s\tshare_of_floor\tmemory_images\tstart_"
           "s\n");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            drua_shape s = shapes[i];
            s.width /= scale;
            s.height /= scale;
            s.depth /= scale;
            failed |= bench_one(device, s, &ways[k]);
        }
    return failed | drua_bench_quality(device, scale);
}
