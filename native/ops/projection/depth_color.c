/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void shape_of_colors(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 3, 3};
}

static void launch_depth_color_projection(drua_plan *p)
{
    double low = plan_number(p, "min_display_intensity"), high = plan_number(p, "max_display_intensity");
    drua_view to = plan_image(p, "destination");
    if (!(high > low))
        plan_fail(p, "max_display_intensity must be larger than min_display_intensity, %g, got %g", low, high);
    LAUNCH(p, "depth_color", GRID(to.layout.width, to.layout.height, 1, 32, 8, 1), ARG(plan_image(p, "source")),
           ARG(plan_image(p, "lookup_table")), ARG(to), REAL(low), REAL(high));
}

static void parts_depth_color_projection(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

DRUA_OP(depth_color_projection) = {
    .name = "depth_color_projection",
    .category = "projection",
    .summary = "Shows depth as colour: the largest value along z, coloured by the number of its slice.",
    .source =
        "the first of several slices with the largest value; the lookup table's 256 entries are spread over the slices",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"),
                DRUA_IMAGE_WHOLE("lookup_table", "256 x 1 x 3 pixels; slices are red, green and blue"),
                DRUA_IMAGE_OUT("destination", "image of three slices: red, green and blue", .shape = shape_of_colors),
                DRUA_NUMBER("min_display_intensity", "grey value that is black", .unit = "grey value",
                            .default_value = 0),
                DRUA_NUMBER("max_display_intensity", "grey value that has its full colour", .unit = "grey value",
                            .default_value = 255)),
    DRUA_ALIASES(
        "CLIJ2 depthColorProjection: source, lookup_table, &destination, min_display_intensity, max_display_intensity"),
    .numeric = DRUA_DEVICE,
    .launch = launch_depth_color_projection,
    .parts = parts_depth_color_projection,
    .steps = plan_same_voxels,
    .place = plan_same_place,
};
