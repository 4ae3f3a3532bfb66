/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters over boxes of 2 radius + 1 pixels an axis, one axis after the other. */
#include "separable.h"

static void filter(drua_plan *p, separable_kernels kernels, const char *tile, drua_type between, const double radius[3], drua_view from, drua_view to)
{
    int reach[3];
    double pixels = 1;
    for (int axis = 0; axis < 3; axis++) {
        reach[axis] = radius[axis] > 0 ? (int)radius[axis] : -1;
        pixels *= radius[axis] > 0 ? 2 * radius[axis] + 1 : 1;
    }
    separable_step steps[3];
    const int count = separable_steps(p, tile, reach, between, from, to, steps);
    for (int i = 0; i < count && !plan_failed(p); i++) {
        const separable_step s = steps[i];
        const double divisor = i == count - 1 ? pixels : 1;
        if (s.tile) {
            LAUNCH(p, tile, separable_tile_grid(s.to.layout), ARG(s.from), ARG(s.to), INT(reach[0]), INT(reach[1]), REAL(divisor));
            continue;
        }
        separable_pass pass = separable_plan(p, kernels, s.axis, s.from, s.to);
        LAUNCH(p, pass.kernel, pass.grid, ARG(pass.from), ARG(pass.to), INT(reach[s.axis]), REAL(divisor));
    }
}

/* Integer type whose sums are exact where those of float32 need not be; DRUA_FLOAT32 where float32 is exact or nothing is. */
static drua_type type_of_sums(drua_type type, const double radius[3])
{
    double largest = type == DRUA_UINT8 ? 255 : type == DRUA_INT8 ? 128 : type == DRUA_UINT16 ? 65535 : type == DRUA_INT16 ? 32768 : 0;
    bool is_signed = type == DRUA_INT8 || type == DRUA_INT16;
    for (int axis = 0; axis < 3; axis++)
        largest *= 2 * radius[axis] + 1;
    return largest <= 0x1p24 || largest > (is_signed ? INT32_MAX : UINT32_MAX) ? DRUA_FLOAT32 : is_signed ? DRUA_INT32 : DRUA_UINT32;
}

void box_mean(drua_plan *p, const double radius[3], drua_view from, drua_view to)
{
    static separable_kernels kernels = {"mean_x", "mean_y", "mean_x_wide", "mean_y_wide"};
    static separable_kernels integer_kernels = {"mean_integer_x", "mean_integer_y", NULL, NULL};
    drua_type between = type_of_sums((drua_type)from.layout.type, radius);
    if (between == DRUA_FLOAT32)
        filter(p, kernels, "mean_tile", between, radius, from, to);
    else
        filter(p, integer_kernels, NULL, between, radius, from, to);
}

#define RADII(p) ((const double[]){plan_number(p, "radius_x"), plan_number(p, "radius_y"), plan_number(p, "radius_z")})

#define RADIUS(axis, preset_) DRUA_INTEGER("radius_" axis, "half width of the box along " axis, .unit = "pixel", DRUA_RANGE(0, 10000), .preset = preset_)
#define BOX_PARAMS                                                                                                               \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"), RADIUS("x", 1),      \
                RADIUS("y", 1), RADIUS("z", 0))
#define BOX_ALIASES(name)                                                                                                        \
    DRUA_ALIASES("CLIJ2/CLIJx " name "2DBox: source, &destination, radius_x, radius_y, radius_z=0",                              \
                 "CLIJ2/CLIJx " name "3DBox: source, &destination, radius_x, radius_y, radius_z",                                \
                 "CLIJ " name "2DBox: source, destination, radius_x, radius_y, radius_z=0",                                      \
                 "CLIJ " name "3DBox: source, destination, radius_x, radius_y, radius_z",                                        \
                 "CLIJxt " name "3DBox: source, &destination, radius_x, radius_y, radius_z, ~tile_width, ~tile_height, "         \
                 "~tile_depth, ~margin_width, ~margin_height, ~margin_depth")

static void plan_minimum(drua_plan *p)
{
    static separable_kernels kernels = {"minimum_x", "minimum_y", "minimum_x_wide", "minimum_y_wide"};
    filter(p, kernels, "minimum_tile", DRUA_FLOAT32, RADII(p), plan_image(p, "source"), plan_image(p, "destination"));
}

static void plan_maximum(drua_plan *p)
{
    static separable_kernels kernels = {"maximum_x", "maximum_y", "maximum_x_wide", "maximum_y_wide"};
    filter(p, kernels, "maximum_tile", DRUA_FLOAT32, RADII(p), plan_image(p, "source"), plan_image(p, "destination"));
}

static void plan_mean(drua_plan *p)
{
    box_mean(p, RADII(p), plan_image(p, "source"), plan_image(p, "destination"));
}

const drua_op drua_op_minimum_box = {
    .name = "minimum_box",
    .category = "filter",
    .menu = true,
    .summary = "Shrinks bright structures: each pixel becomes the smallest value of a box around it (erosion). Radius 0 leaves an axis alone.",
    .source = "separable minimum of 2 radius + 1 pixels, borders repeated",
    BOX_PARAMS,
    BOX_ALIASES("minimum"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan_minimum,
    .parts = plan_parts_radii,
};

const drua_op drua_op_maximum_box = {
    .name = "maximum_box",
    .category = "filter",
    .menu = true,
    .summary = "Widens bright structures: each pixel becomes the largest value of a box around it (dilation). Radius 0 leaves an axis alone.",
    .source = "separable maximum of 2 radius + 1 pixels, borders repeated",
    BOX_PARAMS,
    BOX_ALIASES("maximum"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan_maximum,
    .parts = plan_parts_radii,
};

const drua_op drua_op_mean_box = {
    .name = "mean_box",
    .category = "filter",
    .menu = true,
    .summary = "Smooths an image: each pixel becomes the mean of a box around it. Radius 0 leaves an axis alone.",
    .source = "separable sum of 2 radius + 1 pixels, borders repeated, divided once by the box's size",
    BOX_PARAMS,
    BOX_ALIASES("mean"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan_mean,
    .parts = plan_parts_radii,
};
