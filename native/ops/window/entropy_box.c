/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

#include "../measure/reduction.h"

#include <stdio.h>

/* As in kernels/window/entropy.cl: the number of work-items in a group whose counts fit local memory. */
typedef struct counter {
    int64_t max;
    const char *kernel;
    int items;
} counter;

/* Returns the minimum and maximum of the finite pixels of the whole image. */
static drua_view range_of(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    return reduction_send_exactly(p, "reduce_finite_extremes", source, (drua_view){0});
}

static void parts_entropy_box(drua_plan *p, drua_parts *parts)
{
    plan_parts_radii(p, parts);
    parts->scratch = range_of(p).buffer;
}

static void launch_entropy_box(drua_plan *p)
{
    enum { RUN = 32, FEW = 9 };
    static const counter counters[] = {
        {255, "entropy_small", 64}, {65535, "entropy_medium", 32}, {INT64_MAX, "entropy_large", 16}};
    drua_window w = window_of(p, false);
    drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout from = source.layout, l = to.layout;
    drua_view range = plan_tile_scratch(p).buffer ? plan_tile_scratch(p) : range_of(p);
    drua_view bins = plan_scratch_like(p, from, DRUA_UINT16);
    LAUNCH(p, "entropy_bins", plan_grid_of_vectors(p, bins.layout, 4), ARG(source), ARG(bins), POINTER(range),
           INT(REDUCTION_LOW));
    const counter *c = counters;
    while (w.pixels > c->max)
        c++;
    const int64_t listed = w.pixels > counters[1].max ? 1 : w.pixels;
    drua_view gains = plan_scratch_bytes(p, (uint64_t)listed * sizeof(int64_t));
    LAUNCH(p, "entropy_gains", GRID(listed, 1, 1, 64, 1, 1), POINTER(gains), INT(listed));
    char constants[64];
    const int32_t *r = w.radius;
    snprintf(constants, sizeof constants, "REACH_X=%d REACH_Y=%d REACH_Z=%d", r[0], r[1], r[2]);
    const drua_specialized of_few = {.kernel = "entropy_of_few", .constants = constants};
    if (w.pixels <= FEW && LAUNCH_SPECIALIZED(p, &of_few, GRID(l.width, l.height, l.depth, 32, 4, 1), ARG(bins),
                                              ARG(to), POINTER(gains), REAL(w.pixels)))
        return;
    drua_grid grid = GRID(l.width, (l.height + RUN - 1) / RUN, l.depth, c->items, 1, 1);
    grid.effort = RUN * (2 * (int64_t)r[0] + 1) * (2 * (int64_t)r[2] + 1) / 16;
    LAUNCH(p, c->kernel, grid, ARG(bins), ARG(to), INT(r[0]), INT(r[1]), INT(r[2]), POINTER(gains), REAL(w.pixels));
}

DRUA_OP(entropy_box) = {
    .name = "entropy_box",
    .category = "filter",
    .menu = true,
    .summary = "Measures how mixed the grey values of a box around each pixel are: their entropy in bits, in 256 "
               "ranges of the image's values.",
    .source = "Shannon entropy of a histogram, bin = floor(value / ((maximum - minimum) / 256))",
    WINDOW_PARAMS(.type = DRUA_FLOAT32),
    DRUA_ALIASES("CLIJ2/CLIJx entropyBox: source, &destination, radius_x, radius_y, radius_z"),
    .numeric = DRUA_DEVICE,
    .launch = launch_entropy_box,
    .parts = parts_entropy_box,
};
