/* SPDX-License-Identifier: BSD-3-Clause */
/* Maximum and minimum projections of a stack along one axis. */
#include "projection_axes.h"

static void extreme_z(drua_plan *p, float sign)
{
    int32_t first, count = projection_range(p, (int32_t)plan_shape(p, "source").depth, &first);
    projection_extreme(p, projection_along_z(p, plan_image(p, "source"), plan_image(p, "destination")), first, count,
                       sign);
}

static void extreme_y(drua_plan *p, float sign)
{
    projection q = projection_along_y(p);
    projection_extreme(p, q, 0, q.from.layout.depth, sign);
}

static void maximum_x(drua_plan *p)
{
    projection_extreme_x(p, 1);
}
static void maximum_y(drua_plan *p) { extreme_y(p, 1); }
static void maximum_z(drua_plan *p) { extreme_z(p, 1); }
static void minimum_x(drua_plan *p)
{
    projection_extreme_x(p, -1);
}
static void minimum_y(drua_plan *p) { extreme_y(p, -1); }
static void minimum_z(drua_plan *p) { extreme_z(p, -1); }

/* Sets the axes of the source that become x, y and z. */
static bool chosen_axes(drua_plan *p, int axes[3])
{
    static const char *const names[] = {"dimension_x", "dimension_y", "projected_dimension"};
    for (int i = 0; i < 3; i++)
        axes[i] = (int)plan_integer(p, names[i]);
    bool all = axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2];
    if (!all)
        plan_fail(p, "dimension_x, dimension_y and projected_dimension must be three different axes, got %d, %d and %d",
                  axes[0], axes[1], axes[2]);
    return all;
}

static void chosen_shape(drua_plan *p, drua_shape *shape)
{
    int axes[3];
    if (chosen_axes(p, axes))
        *shape = (drua_shape){shape->extent[axes[0]], shape->extent[axes[1]], 1, 2};
}

static void maximum_of_chosen(drua_plan *p)
{
    int axes[3];
    drua_view from = plan_image(p, "source");
    const drua_layout l = from.layout;
    if (!chosen_axes(p, axes))
        return;
    for (int i = 0; i < 3; i++) {
        from.layout.extent[i] = l.extent[axes[i]];
        from.layout.stride[i] = l.stride[axes[i]];
    }
    projection_extreme(p, projection_along_z(p, from, plan_image(p, "destination")), 0, from.layout.depth, 1);
}

static void chosen_parts(drua_plan *p, drua_parts *parts)
{
    int axes[3];
    parts->axis[2] = -1;
    if (chosen_axes(p, axes)) {
        parts->axis[0] = axes[0], parts->axis[1] = axes[1];
        parts->range[0] = parts->range[1] = (drua_affine_range){true, 1, 0, 0};
        parts->columns = true;
    }
}

static void chosen_steps(drua_plan *p, double steps[3][3])
{
    int axes[3];
    for (int i = 0; i < 3 && chosen_axes(p, axes); i++) {
        steps[i][i] = 0;
        steps[i][axes[i]] = 1;
    }
}

#define SOURCE "all pixels along the axis are compared"

DRUA_OP(maximum_x_projection) = PROJECTION(
    maximum_x_projection, maximum_x, x,
    "Looks at a stack from its side: the largest value along x; the result is depth x height.",
    DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx maximumXProjection: source, &destination");
DRUA_OP(maximum_y_projection) = PROJECTION(
    maximum_y_projection, maximum_y, y,
    "Looks at a stack from its top: the largest value along y; the result is width x depth.",
    DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx maximumYProjection: source, &destination");
DRUA_OP(maximum_z_projection) = PROJECTION(
    maximum_z_projection, maximum_z, z,
    "Makes one plane of a stack: the largest value along z (maximum intensity projection), of all slices or a range.",
    DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS)),
    "CLIJ2/CLIJx maximumZProjection: source, &destination" ALL, "CLIJ maximumZProjection: source, destination" ALL,
    "CLIJ2/CLIJx maximumZProjectionBounded: source, &destination, min_z, max_z");
#define AXIS(name, doc_, default_)                                                                                     \
    DRUA_INTEGER(name, doc_ "; 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2), .default_value = default_)
DRUA_OP(maximum_along_axis_projection) = {
    .name = "maximum_along_axis_projection",
    .category = "projection",
    .summary = "Looks at a stack along a chosen axis: the result has the largest values along it. Its x and y are the "
               "other two axes, in a chosen order.",
    .source = SOURCE,
    DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "projection", .shape = chosen_shape),
                AXIS("dimension_x", "axis that becomes x", 0), AXIS("dimension_y", "axis that becomes y", 1),
                AXIS("projected_dimension", "axis to look along", 2)),
    DRUA_ALIASES("CLIJ maximumXYZProjection: source, destination, dimension_x, dimension_y, projected_dimension"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = maximum_of_chosen,
    .parts = chosen_parts,
    .steps = chosen_steps,
    .place = plan_same_place,
};
DRUA_OP(minimum_x_projection) = PROJECTION(minimum_x_projection, minimum_x, x,
                                           "Takes the smallest value along x; the result is depth x height.",
                                           DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)),
                                           "CLIJ2 minimumXProjection: source, &destination");
DRUA_OP(minimum_y_projection) = PROJECTION(minimum_y_projection, minimum_y, y,
                                           "Takes the smallest value along y; the result is width x depth.",
                                           DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)),
                                           "CLIJ2 minimumYProjection: source, &destination");
DRUA_OP(minimum_z_projection) = PROJECTION(
    minimum_z_projection, minimum_z, z,
    "Makes one plane of a stack: the smallest value along z, of all slices or a range.",
    DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS),
    "CLIJ2/CLIJx minimumZProjection: source, &destination" ALL, "CLIJ minimumZProjection: source, destination" ALL,
    "CLIJ2/CLIJx minimumZProjectionBounded: source, &destination, min_z, max_z");
