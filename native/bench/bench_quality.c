/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relates the quality of a deconvolution to its time: the error against a known object after some iterations, as a
 * share of the blurred image's error, and its reduction per second of the call.
 */
#include "bench.h"
#include "deconvolve.h"
#include "open_context.h"

#include <stdio.h>

enum { BACKGROUND = 20, REPEATS = 3 };

/* Iteration counts for each variant: up to the useful number, and some beyond it. */
enum { LIMIT = 5 };

static const struct {
    const char *name, *options;
    int iterations[LIMIT];
} ways[] = {
    {"plain", "", {5, 10, 20, 40, 80}},
    {"heavy ball", "accelerate", {5, 10, 20, 40, 80}},
    {"heavy ball, all iterations", "accelerate at_noise=go_on", {30, 40, 80}},
    {"Biggs-Andrews", "accelerate=biggs_andrews", {5, 10, 20, 40, 80}},
    {"Biggs-Andrews, all iterations", "accelerate=biggs_andrews at_noise=go_on", {30, 40, 80}},
    {"Wiener-Butterworth", "method=wiener_butterworth", {1, 2, 3, 4, 5}},
    {"Landweber, heavy ball", "method=landweber accelerate", {5, 10, 20, 40, 80}},
    {"Landweber, heavy ball, preconditioned 0.2", "method=landweber accelerate precondition=0.2", {2, 3, 4, 5, 8}},
    {"Landweber, heavy ball, preconditioned 0.1", "method=landweber accelerate precondition=0.1", {1, 2, 3, 4, 5}},
    {"Landweber, heavy ball, preconditioned 0.05", "method=landweber accelerate precondition=0.05", {1, 2, 3, 4, 5}}};

static drua_argument image_of(drua_image image)
{
    return (drua_argument){.kind = DRUA_ARG_IMAGE, .image = image};
}

/* Gives the median time in seconds and the remaining error. */
static drua_status time_deconvolution(drua_context *context, const drua_picture *p, const char *options,
                                      double *seconds, double *error)
{
    double time[REPEATS];
    drua_status status = DRUA_OK;
    for (int i = -1; i < REPEATS && status == DRUA_OK; i++) { /* the first run warms up */
        drua_argument arguments[] = {
            image_of(p->image), image_of(p->psf), {.kind = DRUA_ARG_NONE}, {.kind = DRUA_ARG_TEXT, .text = options}};
        const double start = drua_bench_seconds();
        status = drua_invoke(context, "deconvolve", arguments, 4, NULL);
        if (status == DRUA_OK)
            status = drua_sync(context);
        if (status != DRUA_OK)
            break;
        if (i >= 0)
            time[i] = drua_bench_seconds() - start;
        *error = drua_tool_error(context, arguments[2].image, 0, p->truth);
        status = drua_release(context, arguments[2].image);
    }
    *seconds = status == DRUA_OK ? drua_bench_median(time, REPEATS) : -1;
    return status;
}

int drua_bench_quality(const char *device, int scale)
{
    const drua_shape shape = {512 / scale, 512 / scale, 128 / scale, 3};
    drua_context *context;
    drua_picture picture;
    drua_status status = drua_tool_open(device, &context);
    if (status != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    status = drua_tool_picture(context, shape, BACKGROUND, &picture);
    const double before = status == DRUA_OK ? drua_tool_error(context, picture.image, BACKGROUND, picture.truth) : -1;
    printf("# quality: bars as drua phantom makes them; error: against the object, as a share of the image's; quality: "
           "1 less that, a second of the call\n");
    printf("size\tway\titerations\tseconds\terror\tquality_a_second\n");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int k = 0; k < LIMIT && ways[i].iterations[k] > 0 && before > 0 && status == DRUA_OK; k++) {
            char options[128];
            double seconds, error;
            snprintf(options, sizeof options, "%s background=%d iterations=%d", ways[i].options, BACKGROUND,
                     ways[i].iterations[k]);
            status = time_deconvolution(context, &picture, options, &seconds, &error);
            if (status == DRUA_OK)
                printf("%lldx%lldx%lld\t%s\t%d\t%.4f\t%.3f\t%.2f\n", (long long)shape.width, (long long)shape.height,
                       (long long)shape.depth, ways[i].name, ways[i].iterations[k], seconds, error / before,
                       (1 - error / before) / seconds);
            fflush(stdout);
        }
    if (before < 0 || status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return before < 0 || status != DRUA_OK;
}
