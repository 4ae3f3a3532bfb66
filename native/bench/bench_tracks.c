/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times the tracking of a label movie: 1000 frames of 1024 x 1024 with 2025 labels that wander. Each frame numbers its
 * labels differently.
 */
#include "bench.h"
#include "open_context.h"

#include <drua/drua.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 1000, SIDE = 1024, CELL = 22, ACROSS = 45, COUNT = ACROSS * ACROSS, LABEL = 12, TIMED = 3 };

/* Draws a square for each label, which wanders in its cell of the frame. */
static void draw_frame(uint16_t *pixels, int frame)
{
    for (int i = 0; i < COUNT; i++) {
        const double turn = 0.15 * frame + 0.7 * i, half = (CELL - LABEL) / 2.0;
        const int x = CELL * (i % ACROSS) + (int)(half + (half - 1) * cos(turn)),
                  y = CELL * (i / ACROSS) + (int)(half + (half - 1) * sin(turn));
        for (int dy = 0; dy < LABEL; dy++)
            for (int dx = 0; dx < LABEL; dx++)
                pixels[(y + dy) * SIDE + x + dx] = (uint16_t)((i + 7 * frame) % COUNT + 1);
    }
}

static drua_status push_movie(drua_context *context, int frames, drua_image *movie)
{
    const size_t plane = (size_t)SIDE * SIDE;
    uint16_t *pixels = calloc(plane * (size_t)frames, sizeof *pixels);
    drua_status status = DRUA_E_MEMORY;
    for (int t = 0; t < frames && pixels; t++)
        draw_frame(pixels + plane * (size_t)t, t);
    if (pixels)
        status = drua_push(context, (drua_shape){SIDE, SIDE, frames, 3}, DRUA_UINT16, pixels, movie);
    free(pixels);
    return status == DRUA_OK ? drua_sync(context) : status;
}

/* Seconds of one call on labels that are on the device, until its results are complete. */
static drua_status time_call(drua_context *context, drua_image movie, int frames, const char *options, double *time)
{
    drua_argument arguments[] = {{.kind = DRUA_ARG_IMAGE, .image = movie},
                                 {.kind = DRUA_ARG_NONE},
                                 {.kind = DRUA_ARG_NONE},
                                 {.kind = DRUA_ARG_NUMBER, .number = frames},
                                 {.kind = DRUA_ARG_TEXT, .text = options}};
    const double start = drua_bench_seconds();
    drua_status status = drua_invoke(context, "track_labels", arguments, 5, NULL);
    if (status == DRUA_OK)
        status = drua_sync(context);
    *time = drua_bench_seconds() - start;
    for (int i = 1; i < 3; i++)
        if (arguments[i].kind == DRUA_ARG_IMAGE)
            drua_release(context, arguments[i].image);
    return status;
}

static drua_status bench_options(drua_context *context, drua_image movie, int frames, const char *options)
{
    double time[TIMED], first;
    drua_status status = time_call(context, movie, frames, options, &first);
    for (int i = 0; i < TIMED && status == DRUA_OK; i++)
        status = time_call(context, movie, frames, options, &time[i]);
    if (status == DRUA_OK)
        printf("track_labels\t%dx%dx%d\t%d labels per frame\t%s\t%.1f\n", SIDE, SIDE, frames, COUNT, options,
               1e3 * drua_bench_median(time, TIMED));
    fflush(stdout);
    return status;
}

int drua_bench_tracks(const char *device, int scale)
{
    static const char *const options[] = {"distance=9", "distance=9 split_distance=9 merge_distance=9",
                                          "distance=9 predict", "link=overlap"};
    const int frames = (FRAMES + scale - 1) / scale;
    drua_context *context;
    drua_device_info info;
    drua_image movie = 0;
    drua_status status = drua_tool_open(device, &context);
    if (status != DRUA_OK) {
        fprintf(stderr, "%s\n", drua_error_message());
        return 1;
    }
    drua_context_device(context, &info);
    printf("# device: %s (%s), driver %s\n# method: labels on the device; median of %d after one\n"
           "operation\tsize\tlabels\toptions\tms\n",
           info.name, info.platform, info.driver, TIMED);
    status = push_movie(context, frames, &movie);
    for (size_t i = 0; i < sizeof options / sizeof *options && status == DRUA_OK; i++)
        status = bench_options(context, movie, frames, options[i]);
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}
