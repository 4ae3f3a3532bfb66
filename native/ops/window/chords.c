/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters over ellipsoids, boxes and octagons: with chords on GPUs, with vectors of pixels on CPUs. */
#include "window.h"

#include <stdio.h>

/*
 * Kernels of a filter. The chord kernels process slice by slice or, for windows with at most 3 or 10 slices to each
 * side, read each slice once for all windows.
 */
typedef struct filter_kernels {
    const char *slice, *thin, *march3, *march10, *taps;
    /*
     * bytes of a sum if its last bits depend on the order of addition. The choice of kernel then must not depend on
     * timing. 0: they do not depend on it
     */
    size_t rounds;
    window_special *special;
} filter_kernels;

#define MOMENTS(name, special) \
    ((filter_kernels){"slice_chords_" name, "thin_chords_" name, NULL, NULL, "taps_" name, 2 * sizeof(float), special})
#define KERNELS_3(name, rounds, special)                                                                               \
    ((filter_kernels){"slice_chords_" name, NULL, "march3_chords_" name, NULL, "taps_" name, rounds, special})
#define KERNELS_10(name, special)                                                                                      \
    ((filter_kernels){"slice_chords_" name, NULL, "march3_chords_" name, "march10_chords_" name, "taps_" name, 0,      \
                      special})
#define MINIMUM KERNELS_10("minimum", window_special_minimum)
#define MAXIMUM KERNELS_10("maximum", window_special_maximum)

int32_t window_rows_of_sums(drua_window w, size_t bytes)
{
    enum { WIDE = 32, HIGH = 8, BAND_BYTES = 24576 };   /* as in kernels/window/chords.cl */
    for (int32_t rows = 4; rows > 1; rows /= 2)
        if ((WIDE + 2 * (int64_t)w.radius[0]) * (HIGH * rows + 2 * (int64_t)w.radius[1]) * (int64_t)bytes <= BAND_BYTES)
            return rows;
    return 0;
}

static int32_t choose_march(drua_plan *p, filter_kernels kernel, const char *march, const int32_t r[3], drua_view from,
                            drua_layout l)
{
    enum { LONG = 64, SHORT = 16, DEEP = 256 };
    static const int32_t slices[] = {LONG, SHORT, 0};
    const int preset = l.depth < DEEP;
    char kind[40];
    snprintf(kind, sizeof kind, "%s:%d,%d,%d:%d", kernel.slice, r[0], r[1], r[2], from.layout.type);
    return slices[plan_choose_variant(p, kind, drua_layout_count(&l), kernel.rounds ? 2 : 3, preset,
                                      (const char *const[]){march, kernel.rounds ? NULL : kernel.slice, NULL})];
}

static void run_chord_filter(drua_plan *p, filter_kernels kernel, drua_window w, drua_view from, drua_view to)
{
    enum { ROWS = 4, MARCHING_ROWS = 2, THIN_ROWS = 2 };      /* as in kernels/window/chords_filters.cl */
    drua_layout l = to.layout;
    const int32_t *r = w.radius;
    if (kernel.special(p, w, from, to))
        return;
    const char *march = r[2] <= 3 ? kernel.march3 : kernel.march10;
    if (r[2] == 0 || r[2] > 10)
        march = NULL;
    int32_t slices = march ? choose_march(p, kernel, march, r, from, l) : 0;
    if (slices == 0)
        march = NULL;
    const bool thin = kernel.thin && window_rows_of_sums(w, kernel.rounds) == THIN_ROWS;
    const int32_t rows = march ? MARCHING_ROWS : thin ? THIN_ROWS : ROWS;
    slices = march ? slices : 1;
    drua_grid grid = GRID(l.width, (l.height + rows - 1) / rows, (l.depth + slices - 1) / slices, 32, 8, 1);
    grid.effort = (int64_t)rows * slices * (2 * (int64_t)r[1] + 1) * (2 * (int64_t)r[2] + 1) / 16;
    LAUNCH(p,
           march  ? march
           : thin ? kernel.thin
                  : kernel.slice,
           grid, ARG(from), ARG(to), INT(r[0]), INT(r[1]), INT(r[2]), TABLE(w.chords, w.bytes), INT(w.pixels),
           INT(slices));
}

static void run_window_filter(drua_plan *p, filter_kernels kernel, drua_window w)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout l = to.layout;
    int32_t *r = w.radius, lanes = plan_lanes(p);
    if (plan_device(p)->is_gpu) {
        run_chord_filter(p, kernel, w, from, to);
        return;
    }
    drua_view padded = window_taps(p, from, l, r);
    const drua_grid grid = GRID((l.width + lanes - 1) / lanes, l.height, l.depth, 32, 4, 1);
    LAUNCH(p, kernel.taps, grid_of_turns(grid, w.pixels), ARG(padded), ARG(to), INT(r[0]), INT(r[1]), INT(r[2]),
           TABLE(w.chords, w.bytes), INT(w.pixels), INT(from.layout.type));
}

/* Takes the smallest or the largest number of a window. Keys keep the bits of integers that float32 would round. */
static void run_extreme(drua_plan *p, bool largest, drua_window w)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const int32_t *r = w.radius, lanes = plan_lanes(p);
    const drua_layout l = to.layout;
    if (!drua_type_is_wide_integer((drua_type)from.layout.type)) {
        run_window_filter(p, largest ? MAXIMUM : MINIMUM, w);
        return;
    }
    const drua_view keys = window_keys(p, from, window_padded(l, r, lanes), r);
    const drua_grid grid = GRID((l.width + lanes - 1) / lanes, l.height, l.depth, 32, 4, 1);
    LAUNCH(p, "extreme_of_keys", grid_of_turns(grid, w.pixels), ARG(keys), ARG(to), INT(from.layout.type), INT(r[0]),
           INT(r[1]), INT(r[2]), TABLE(w.chords, w.bytes), INT(largest));
}

static void minimum_sphere(drua_plan *p)
{
    run_extreme(p, false, window_of(p, true));
}
static void maximum_sphere(drua_plan *p)
{
    run_extreme(p, true, window_of(p, true));
}
static void count_sphere(drua_plan *p)
{
    run_window_filter(p, KERNELS_3("count", 0, window_special_count), window_of(p, true));
}
static void variance_sphere(drua_plan *p)
{
    run_window_filter(p, MOMENTS("variance", window_special_variance), window_of(p, true));
}
static void deviation_sphere(drua_plan *p)
{
    run_window_filter(p, MOMENTS("deviation", window_special_deviation), window_of(p, true));
}
static void variance_box(drua_plan *p)
{
    run_window_filter(p, MOMENTS("variance", window_special_variance), window_of(p, false));
}
static void deviation_box(drua_plan *p)
{
    run_window_filter(p, MOMENTS("deviation", window_special_deviation), window_of(p, false));
}

static void minimum_octagon(drua_plan *p)
{
    run_extreme(p, false, window_octagon(p, plan_integer(p, "steps")));
}
static void maximum_octagon(drua_plan *p)
{
    run_extreme(p, true, window_octagon(p, plan_integer(p, "steps")));
}

/* Differences refer to the first pixel of a group's tile of 32 x 8, 16 or 32 pixels. */
static void parts_of_moments(drua_plan *p, drua_parts *parts)
{
    enum { TILE = 32 };
    plan_parts_radii(p, parts);
    if (plan_device(p)->is_gpu)
        parts->align[0] = parts->align[1] = TILE;
}

static void parts_of_steps(drua_plan *p, drua_parts *parts)
{
    parts->halo[0] = parts->halo[1] = parts->halo[2] = plan_integer(p, "steps");
    parts->columns = true;
}

static void mean_sphere(drua_plan *p)
{
    drua_window w = window_of(p, true);
    bool exact = drua_type_size(plan_type(p, "source")) < 4 && w.pixels <= 65536;
    run_window_filter(p,
                      exact ? KERNELS_3("exact_mean", 0, window_special_exact_mean)
                            : KERNELS_3("mean", sizeof(float), window_special_mean),
                      w);
}

#define FLAT ", radius_x, radius_y, radius_z=0"
#define SOLID ", radius_x, radius_y, radius_z"

#define WINDOW_FILTER(name_, function, parts_, numeric_, traits_, summary_, source_, params_, ...)                     \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .summary = summary_, .source = source_, .numeric = numeric_,             \
        .traits = traits_ | DRUA_EPILOGUE, .launch = function, .parts = parts_, params_, DRUA_ALIASES(__VA_ARGS__)     \
    }
#define SPHERE_ALIASES(name)                                                                                           \
    "CLIJ2/CLIJx " name "2DSphere: source, &destination" FLAT,                                                         \
        "CLIJ2/CLIJx " name "3DSphere: source, &destination" SOLID,                                                    \
        "CLIJ2/CLIJx " name "SliceBySliceSphere: source, &destination" FLAT,                                           \
        "CLIJ " name "2DSphere: source, destination" FLAT, "CLIJ " name "3DSphere: source, destination" SOLID,         \
        "CLIJ " name "SliceBySliceSphere: source, destination" FLAT
#define BALL "ellipsoid of pixels with (dx/rx)^2 + (dy/ry)^2 + (dz/rz)^2 <= 1, borders repeated"

DRUA_OP(minimum_sphere) = WINDOW_FILTER(
    minimum_sphere, minimum_sphere, plan_parts_radii, DRUA_EXACT, 0,
    "Shrinks bright structures: each pixel becomes the smallest value of an ellipsoid around it (erosion).",
    BALL, WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE), SPHERE_ALIASES("minimum"));
DRUA_OP(maximum_sphere) = WINDOW_FILTER(
    maximum_sphere, maximum_sphere, plan_parts_radii, DRUA_EXACT, 0,
    "Widens bright structures: each pixel becomes the largest value of an ellipsoid around it (dilation).",
    BALL, WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE), SPHERE_ALIASES("maximum"));
DRUA_OP(mean_sphere) = WINDOW_FILTER(mean_sphere, mean_sphere, plan_parts_radii, DRUA_DEVICE, 0,
                                     "Smooths an image: each pixel becomes the mean of an ellipsoid around it.", BALL,
                                     WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE), SPHERE_ALIASES("mean"));
DRUA_OP(count_nonzero_sphere) = WINDOW_FILTER(
    count_nonzero_sphere, count_sphere, plan_parts_radii, DRUA_EXACT, 0,
    "Counts the pixels of an ellipsoid around each pixel that are not 0.", BALL,
    WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE), "CLIJ2/CLIJx countNonZeroPixels2DSphere: source, &destination" FLAT,
    "CLIJ2/CLIJx countNonZeroVoxels3DSphere: source, &destination" SOLID,
    "CLIJ2/CLIJx countNonZeroPixelsSliceBySliceSphere: source, &destination" FLAT,
    "CLIJ countNonZeroPixels2DSphere: source, destination" FLAT,
    "CLIJ countNonZeroVoxels3DSphere: source, destination" SOLID,
    "CLIJ countNonZeroPixelsSliceBySliceSphere: source, destination" FLAT);
DRUA_OP(variance_sphere) = WINDOW_FILTER(
    variance_sphere, variance_sphere, parts_of_moments, DRUA_DEVICE, 0,
    "Shows texture and edges: the variance of an ellipsoid around each pixel (divided by the number of pixels).", BALL,
    WINDOW_PARAMS(.type = DRUA_FLOAT32), "CLIJ2/CLIJx varianceSphere: source, &destination" SOLID);
DRUA_OP(standard_deviation_sphere) = WINDOW_FILTER(
    standard_deviation_sphere, deviation_sphere, parts_of_moments, DRUA_DEVICE, 0,
    "Shows texture and edges: the standard deviation of an ellipsoid around each pixel (divided by the "
    "number of pixels).",
    BALL, WINDOW_PARAMS(.type = DRUA_FLOAT32), "CLIJ2/CLIJx standardDeviationSphere: source, &destination" SOLID);
DRUA_OP(variance_box) =
    WINDOW_FILTER(variance_box, variance_box, parts_of_moments, DRUA_DEVICE, 0,
                  "Shows texture and edges: the variance of a box around each pixel (divided by the number of pixels).",
                  "box of 2 radius + 1 pixels along each axis, borders repeated", WINDOW_PARAMS(.type = DRUA_FLOAT32),
                  "CLIJ2/CLIJx varianceBox: source, &destination" SOLID);
DRUA_OP(standard_deviation_box) = WINDOW_FILTER(
    standard_deviation_box, deviation_box, parts_of_moments, DRUA_DEVICE, 0,
    "Shows texture and edges: the standard deviation of a box around each pixel (divided by the number of pixels).",
    "box of 2 radius + 1 pixels along each axis, borders repeated", DRUA_IN_MENU(WINDOW_PARAMS(.type = DRUA_FLOAT32)),
    "CLIJ2/CLIJx standardDeviationBox: source, &destination" SOLID);

#define OCTAGON_PARAMS                                                                                                 \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),           \
                DRUA_INTEGER("steps", "number of steps", .unit = "pixel", DRUA_RANGE(0, WINDOW_MAX_RADIUS),            \
                             .default_value = 1))
DRUA_OP(minimum_octagon) =
    WINDOW_FILTER(minimum_octagon, minimum_octagon, parts_of_steps, DRUA_EXACT, 0,
                  "Shrinks bright structures: each pixel becomes the smallest value of an octagon around it.",
                  "steps to all neighbours and to side neighbours alternate, starting with all; in one pass",
                  OCTAGON_PARAMS, "CLIJ2/CLIJx minimumOctagon: source, &destination, steps");
DRUA_OP(maximum_octagon) =
    WINDOW_FILTER(maximum_octagon, maximum_octagon, parts_of_steps, DRUA_EXACT, 0,
                  "Widens bright structures: each pixel becomes the largest value of an octagon around it.",
                  "steps to all neighbours and to side neighbours alternate, starting with all; in one pass",
                  OCTAGON_PARAMS, "CLIJ2/CLIJx maximumOctagon: source, &destination, steps");
