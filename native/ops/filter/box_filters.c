/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters over boxes of 2 radius + 1 pixels per axis, one axis after another. */
#include "separable.h"

#include <math.h>

/* Minimum, maximum or mean over boxes. An axis is skipped if its radius is 0 or its extent is one pixel. */
static separable box_of(separable_kind kind, const double radius[3], drua_view from)
{
    const drua_type type = (drua_type)from.layout.type;
    const bool exact = kind != SEPARABLE_MEAN && drua_type_is_wide_integer(type);
    separable filter = {.kind = kind, .divisor = 1, .sums = exact ? type : DRUA_FLOAT32};
    for (int axis = 0; axis < 3; axis++) {
        const bool filters = radius[axis] > 0 && from.layout.extent[axis] > 1;
        filter.radius[axis] = filters ? (int)radius[axis] : -1;
        filter.divisor *= filters ? 2 * radius[axis] + 1 : 1;
    }
    return filter;
}

void separable_pair(drua_plan *p, separable_kind first, separable_kind second, const double radius[3], drua_view from,
                    drua_view to, const separable_join *join)
{
    /*
     * Both filters share their pass along z only if the x and y radii exceed SMALL, because two complete filters are
     * faster otherwise. LIMIT is the largest z radius for which a group can process slices one after another.
     */
    enum { SMALL = 3, LIMIT = 12 };
    const separable one = box_of(first, radius, from), two = box_of(second, radius, from);
    const bool shares_z = plan_device(p)->is_gpu && one.sums == DRUA_FLOAT32 && one.radius[0] > SMALL &&
                          one.radius[1] > SMALL && one.radius[2] > 0 && one.radius[2] <= LIMIT;
    const drua_view middle = separable_middle(p, from, shares_z ? DRUA_FLOAT32 : (drua_type)from.layout.type);
    if (!shares_z) {
        separable_filter(p, &one, from, middle, NULL);
        separable_filter(p, &two, middle, to, join);
        return;
    }
    const separable one_xy = separable_axes(&one, 0, 1), one_z = separable_axes(&one, 2, 2),
                    two_xy = separable_axes(&two, 0, 1), two_z = separable_axes(&two, 2, 2);
    const drua_view after_z = separable_middle(p, from, DRUA_FLOAT32);
    separable_filter(p, &one_xy, from, middle, NULL);
    if (!plan_failed(p) && !separable_special_pair_z(p, &one_z, middle, after_z)) {
        separable_filter(p, &one_z, middle, after_z, NULL);
        separable_filter(p, &two_z, after_z, middle, NULL);
        separable_filter(p, &two_xy, middle, to, join);
    } else {
        separable_filter(p, &two_xy, after_z, to, join);
    }
}

static void filter_box(drua_plan *p, separable_kind kind, const double radius[3])
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const separable filter = box_of(kind, radius, from);
    if (!plan_failed(p))
        separable_filter(p, &filter, from, to, NULL);
}

/*
 * Uses integer sums for 8-bit and 16-bit images if float32 sums could be inexact; all other images have float32 sums.
 * Sums along x alone fit 32 bits, because radii are at most 10000.
 */
static void choose_sums(separable *f, drua_type type)
{
    static const double largest_of[DRUA_FLOAT32 + 1] = {
        [DRUA_UINT8] = 255, [DRUA_INT8] = 128, [DRUA_UINT16] = 65535, [DRUA_INT16] = 32768};
    const double largest = largest_of[type];
    const double exact = 0x1p24; /* float32 represents all integers up to this value */
    const bool is_signed = type == DRUA_INT8 || type == DRUA_INT16;
    if (largest * f->divisor <= exact)
        return;
    f->sums = is_signed ? DRUA_INT32 : DRUA_UINT32;
    double pixels = 1;
    for (int axis = 0; axis < 3; axis++) {
        pixels *= 2 * fmax(f->radius[axis], 0) + 1;
        f->wide[axis] = largest * pixels > (is_signed ? INT32_MAX : UINT32_MAX) || pixels > exact;
    }
}

void box_mean(drua_plan *p, const double radius[3], drua_view from, drua_view to)
{
    separable filter = box_of(SEPARABLE_MEAN, radius, from);
    choose_sums(&filter, (drua_type)from.layout.type);
    if (!plan_failed(p))
        separable_filter(p, &filter, from, to, NULL);
}

#define RADII(p) ((const double[]){plan_number(p, "radius_x"), plan_number(p, "radius_y"), plan_number(p, "radius_z")})

#define RADIUS(axis, default_)                                                                                         \
    DRUA_INTEGER("radius_" axis, "half width of the box along " axis, .unit = "pixel", DRUA_RANGE(0, 10000),           \
                 .default_value = default_)
#define BOX_PARAMS                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),           \
                RADIUS("x", 1), RADIUS("y", 1), RADIUS("z", 0))
#define BOX_ALIASES(name)                                                                                              \
    DRUA_ALIASES("CLIJ2/CLIJx " name "2DBox: source, &destination, radius_x, radius_y, radius_z=0",                    \
                 "CLIJ2/CLIJx " name "3DBox: source, &destination, radius_x, radius_y, radius_z",                      \
                 "CLIJ " name "2DBox: source, destination, radius_x, radius_y, radius_z=0",                            \
                 "CLIJ " name "3DBox: source, destination, radius_x, radius_y, radius_z",                              \
                 "CLIJxt " name "3DBox: source, &destination, radius_x, radius_y, radius_z, ~tile_width, "             \
                 "~tile_height, "                                                                                      \
                 "~tile_depth, ~margin_width, ~margin_height, ~margin_depth")

static void launch_minimum(drua_plan *p)
{
    filter_box(p, SEPARABLE_MINIMUM, RADII(p));
}

static void launch_maximum(drua_plan *p)
{
    filter_box(p, SEPARABLE_MAXIMUM, RADII(p));
}

static void launch_mean(drua_plan *p)
{
    box_mean(p, RADII(p), plan_image(p, "source"), plan_image(p, "destination"));
}

DRUA_OP(minimum_box) = {
    .name = "minimum_box",
    .category = "filter",
    .menu = true,
    .summary = "Shrinks bright structures: each pixel becomes the smallest value of a box around it (erosion). Radius "
               "0 leaves an axis alone.",
    .source = "separable minimum of 2 radius + 1 pixels, borders repeated",
    BOX_PARAMS,
    BOX_ALIASES("minimum"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE_FLOATS | DRUA_EPILOGUE,
    .launch = launch_minimum,
    .parts = plan_parts_radii,
};

DRUA_OP(maximum_box) = {
    .name = "maximum_box",
    .category = "filter",
    .menu = true,
    .summary = "Widens bright structures: each pixel becomes the largest value of a box around it (dilation). Radius 0 "
               "leaves an axis alone.",
    .source = "separable maximum of 2 radius + 1 pixels, borders repeated",
    BOX_PARAMS,
    BOX_ALIASES("maximum"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE_FLOATS | DRUA_EPILOGUE,
    .launch = launch_maximum,
    .parts = plan_parts_radii,
};

DRUA_OP(mean_box) = {
    .name = "mean_box",
    .category = "filter",
    .menu = true,
    .summary = "Smooths an image: each pixel becomes the mean of a box around it. Radius 0 leaves an axis alone.",
    .source = "separable sum of 2 radius + 1 pixels, borders repeated, divided once by the box's size",
    BOX_PARAMS,
    BOX_ALIASES("mean"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE_FLOATS | DRUA_EPILOGUE,
    .launch = launch_mean,
    .parts = plan_parts_radii,
};
