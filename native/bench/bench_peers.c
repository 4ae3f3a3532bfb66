/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times the tasks that other engines are also timed with, each with its own arguments; tests/bench/peers/works.py lists
 * the same tasks. A time lasts from the calls until their results are computed; it is the median of nine runs after
 * sixteen. The floor is the time to read or write each image once at the copy rate of the run.
 */
#include "bench.h"
#include "open_context.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 16, WARM_UP = 16, TIMED = 9, BYTES = DRUA_BENCH_PICTURES, IMAGES };

static const drua_bench_work works[] = {
    {"add scalar", "add_image_and_scalar", "grey & 1"},
    {"gradient x", "gradient_x", "grey &"},
    {"gaussian sigma 2", "gaussian_blur", "grey & 2 2 z2"},
    {"gaussian sigma 10", "gaussian_blur", "grey & 10 10 z10"},
    {"difference of gaussian 1,3", "difference_of_gaussian", "grey & 1 1 z1 3 3 z3"},
    {"mean box r3", "mean_box", "grey & 3 3 z3"},
    {"maximum box r3", "maximum_box", "grey & 3 3 z3"},
    {"top hat box r5", "top_hat_box", "grey & 5 5 z5"},
    {"maximum sphere r3", "maximum_sphere", "grey & 3 3 z3"},
    {"maximum sphere r10", "maximum_sphere", "grey & 10 10 z10"},
    {"sobel", "sobel", "grey &"},
    {"laplace box", "laplace_box", "grey &"},
    {"median box r1", "median_box", "grey & 1 1 z1"},
    {"median box r2", "median_box", "grey & 2 2 z2"},
    {"median sphere r2", "median_sphere", "grey & 2 2 z2"},
    {"binary erode box r1", "erode_box", "mask &"},
    {"maximum of all pixels", "maximum_of_all_pixels", "grey ="},
    {"mean of all pixels", "mean_of_all_pixels", "grey ="},
    {"sum of all pixels", "sum_of_all_pixels", "grey ="},
    {"statistics of image", "statistics_of_image", "grey"},
    {"histogram 256, range given", "histogram", "grey & 256 0 256 0"},
    {"histogram 256, range found", "histogram", "grey & 256 0 0 1"},
    {"threshold Otsu", "automatic_threshold", "grey & Otsu"},
    {"threshold Otsu, bytes", "automatic_threshold", "grey bytes Otsu"},
    {"transpose xz", "transpose_xz", "grey &"},
    {"maximum z projection", "maximum_z_projection", "grey &"},
    {"mean z projection", "mean_z_projection", "grey &"},
    {"EDF variance r10 sigma5", "extended_depth_of_focus_variance_projection", "grey & 10 10 5"},
    {"EDF sobel sigma5", "extended_depth_of_focus_sobel_projection", "grey & 5"},
    {"rotate 10,20,30 deg linear", "rotate", "grey & 10 20 30 1"},
    {"translate 1.5,2.5,3.5 linear", "translate", "grey & 1.5 2.5 z3.5"},
    {"scale 0.5 linear", "scale", "grey & 0.5 0.5 0.5"},
    {"connected components box", "connected_components_box", "mask &"},
    {"connected components box, noise", "connected_components_box", "noise &"},
    {"exclude labels on edges", "exclude_labels_on_edges", "labels &"},
    {"relabel sequential", "close_index_gaps_in_label_map", "labels &"},
    {"label pixel count map", "pixel_count_map", "labels &"},
    {"dilate labels r2", "dilate_labels", "labels & 2"},
    {"voronoi otsu labeling 5,2", "voronoi_otsu_labeling", "grey & 5 2"},
    {"mean per label map", "mean_intensity_map", "grey labels &"},
    {"statistics of labelled pixels", "statistics_of_labelled_pixels", "grey labels"},
    {"touching neighbor count map", "touching_neighbor_count_map", "labels &"},
    {"distance map, balls", "distance_map", "mask &"},
    {"distance map, one pixel 0", "distance_map", "full &"},
};

static const char *const image_names[IMAGES] = {"grey", "mask", "labels", "spots", "noise", "full", "cells", "bytes"};

/* Fills the arguments from a work's text; `text` holds the words. */
static size_t read_arguments(char *text, const drua_image *images, bool flat, drua_argument *arguments)
{
    size_t count = 0;
    for (char *word = strtok(text, " "); word && count < LIMIT; word = strtok(NULL, " "), count++) {
        char *end;
        const bool along_z = word[0] == 'z';
        const double number = strtod(word + along_z, &end);
        arguments[count] = (drua_argument){.kind = DRUA_ARG_NONE};
        if (!*end)
            arguments[count] = (drua_argument){.kind = DRUA_ARG_NUMBER, .number = along_z && flat ? 0 : number};
        else if (strcmp(word, "&") && strcmp(word, "="))
            arguments[count] = (drua_argument){.kind = DRUA_ARG_TEXT, .text = word};
        for (int i = 0; i < IMAGES; i++)
            if (!strcmp(word, image_names[i]))
                arguments[count] = (drua_argument){.kind = DRUA_ARG_IMAGE, .image = images[i]};
    }
    return count;
}

static drua_status run_work(drua_context *context, const drua_bench_work *w, const drua_image *images, bool flat,
                            double *seconds, double *bytes)
{
    char text[128];
    drua_argument arguments[LIMIT], before[LIMIT];
    drua_table *table = NULL;
    snprintf(text, sizeof text, "%s", w->arguments);
    const size_t count = read_arguments(text, images, flat, arguments);
    memcpy(before, arguments, sizeof before);
    const double start = drua_bench_seconds();
    drua_status status = drua_invoke(context, w->operation, arguments, count, &table);
    if (status == DRUA_OK)
        status = drua_sync(context);
    *seconds = drua_bench_seconds() - start;
    *bytes = status == DRUA_OK ? drua_bench_image_bytes(context, arguments, count) : 0;
    drua_table_free(table);
    for (size_t i = 0; status == DRUA_OK && i < count; i++)
        if (arguments[i].kind == DRUA_ARG_IMAGE && before[i].kind == DRUA_ARG_NONE)
            status = drua_release(context, arguments[i].image);
    return status;
}

static drua_status time_all(drua_context *context, const drua_bench_work *list, size_t count, drua_shape shape,
                            drua_type type, double rate)
{
    drua_image images[IMAGES];
    drua_status status = drua_create(context, shape, DRUA_UINT8, &images[BYTES]);
    for (int i = 0; i < DRUA_BENCH_PICTURES && status == DRUA_OK; i++)
        status = drua_bench_push(context, shape,
                                 i == DRUA_BENCH_GREY     ? type
                                 : i == DRUA_BENCH_LABELS || i == DRUA_BENCH_CELLS ? DRUA_FLOAT32
                                                          : DRUA_UINT8,
                                 (drua_bench_picture)i, &images[i]);
    for (size_t k = 0; k < count && status == DRUA_OK; k++) {
        double time[TIMED], bytes, ignored;
        for (int i = 0; i < WARM_UP && status == DRUA_OK; i++)
            status = run_work(context, &list[k], images, shape.depth == 1, &ignored, &bytes);
        for (int i = 0; i < TIMED && status == DRUA_OK; i++)
            status = run_work(context, &list[k], images, shape.depth == 1, &time[i], &bytes);
        if (status != DRUA_OK)
            break;
        const double ms = 1e3 * drua_bench_median(time, TIMED), floor = 1e3 * bytes / rate;
        printf("%s\t%lldx%lldx%lld\t%s\t%.4f\t%.4f\t%.3f\t%s %s\n", list[k].name, (long long)shape.width,
               (long long)shape.height, (long long)shape.depth, type == DRUA_FLOAT32 ? "float32" : "uint16", ms, floor,
               floor / ms, list[k].operation, list[k].arguments);
        fflush(stdout);
    }
    if (status == DRUA_OK)
        status = drua_clear(context);
    return status;
}

int drua_bench_works(const char *device, int scale, const drua_bench_work *list, size_t count)
{
    drua_context *context = NULL;
    drua_device_info info;
    double rate;
    const drua_shape stack = {512 / scale, 512 / scale, 512 / scale, 3}, plane = {2048 / scale, 2048 / scale, 1, 2};
    drua_status status = drua_tool_open(device, &context);
    if (status == DRUA_OK) {
        drua_context_device(context, &info);
        status = drua_measure_copy(context, (uint64_t)(stack.width * stack.height * stack.depth) * 4, &rate);
    }
    if (status == DRUA_OK) {
        printf("# device: %s (%s), driver %s, Drua %s\n# method: call + finish, median of %d after %d; images on the "
               "device\n",
               info.name, info.platform, info.driver, drua_version(), TIMED, WARM_UP);
        printf("# floor: bytes of all image arguments once at the copy rate of this run, %.4g "
               "GB/s\nname\tsize\ttype\tms\tfloor_ms\tshare\tnote\n",
               rate / 1e9);
        status = time_all(context, list, count, stack, DRUA_FLOAT32, rate);
    }
    if (status == DRUA_OK)
        status = time_all(context, list, count, plane, DRUA_UINT16, rate);
    if (status != DRUA_OK)
        fprintf(stderr, "%s\n", drua_error_message());
    drua_close(context);
    return status != DRUA_OK;
}

int drua_bench_peers(const char *device, int scale)
{
    return drua_bench_works(device, scale, works, sizeof works / sizeof *works);
}
