/* SPDX-License-Identifier: BSD-3-Clause */
/* Local maxima and minima of the box-filtered image. */
#include "../filter/separable.h"

static void plan_extrema(drua_plan *p, double sign)
{
    enum { SLICES = 16, FEW = 128 };
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    double radius[] = {plan_number(p, "radius_x"), plan_number(p, "radius_y"), plan_number(p, "radius_z")};
    bool across_slices = !plan_flag(p, "slice_by_slice") && from.layout.depth > 1;
    for (int axis = 1; axis < 3; axis++)
        if (radius[axis] < 0)
            radius[axis] = radius[0];
    if (!across_slices)
        radius[2] = 0;
    if (radius[0] > 0 || radius[1] > 0 || radius[2] > 0) {
        drua_view mean = separable_middle(p, from, DRUA_FLOAT32);
        box_mean(p, radius, from, mean);
        from = mean;
    }
    drua_layout l = to.layout;
    if (drua_layout_is_vec4(&from.layout) && drua_layout_is_vec4(&l) && drua_layout_is_same_size(&from.layout, &l)) {
        int slices = !across_slices ? 1 : l.depth > FEW ? SLICES : 4;
        LAUNCH(p, l.width % 4 ? "mark_extrema_to_row_ends" : "mark_extrema_vec4",
               GRID(((int64_t)l.width + 3) / 4, l.height, (l.depth + slices - 1) / slices, 32, 4, 1), ARG(from),
               ARG(to), REAL(sign), INT(across_slices), INT(slices));
        return;
    }
    LAUNCH(p, "mark_extrema", GRID(l.width, (l.height + 7) / 8, l.depth, 32, 4, 1), ARG(from), ARG(to), REAL(sign),
           INT(across_slices));
}

static void launch_maxima(drua_plan *p)
{
    plan_extrema(p, 1);
}

static void launch_minima(drua_plan *p)
{
    plan_extrema(p, -1);
}

static void parts_extrema(drua_plan *p, drua_parts *parts)
{
    plan_parts_radii(p, parts);
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = 1 + (parts->halo[axis] < 0 ? parts->halo[0] - 1 : parts->halo[axis]);
}

#define RADIUS(axis, min, doc)                                                                                         \
    DRUA_INTEGER("radius_" axis, doc, .unit = "pixel", DRUA_RANGE(min, 10000), .default_value = 1)
#define EXTREMA_PARAMS                                                                                                 \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_OUT("destination", "1 at each spot, else 0"),   \
                RADIUS("x", 0,                                                                                         \
                       "half width of the box whose mean replaces each pixel before the search; 0: no mean "           \
                       "along x"),                                                                                     \
                RADIUS("y", -1, "half height of the box; -1: the same as radius_x"),                                   \
                RADIUS("z", -1, "half depth of the box; -1: the same as radius_x"),                                    \
                DRUA_BOOLEAN("slice_by_slice", "search every slice of a stack separately", .default_value = 0))
#define FLAT(name) name ": source, &destination, radius_x, radius_y, radius_z=0, slice_by_slice=1"
#define FLAT_CLIJ(name) name ": source, destination, radius_x, radius_y=-1, radius_z=0, slice_by_slice=1"
#define CUBE(name, and, z) name ": source, " and "destination, radius_x, radius_y=-1, radius_z=" z ", slice_by_slice=0"

DRUA_OP(detect_maxima) = {
    .name = "detect_maxima",
    .category = "detection",
    .menu = true,
    .summary = "Marks bright spots: pixels brighter than all their neighbours, after a mean that suppresses noise. If "
               "neighbours are equal, only the first in x, then y, then z is marked.",
    .source = "comparison with the 8 or 26 neighbours",
    EXTREMA_PARAMS,
    DRUA_ALIASES(FLAT("CLIJ2 detectMaxima2DBox"), FLAT("CLIJ2/CLIJx detectMaximaSliceBySliceBox"),
                 FLAT_CLIJ("CLIJ detectMaximaSliceBySliceBox"),
                 "CLIJ2 detectMaxima3DBox: source, &destination, radius_x, radius_y, radius_z, slice_by_slice=0",
                 CUBE("CLIJ2/CLIJx detectMaximaBox", "&", "-1"), CUBE("CLIJ detectMaximaBox", "", "-1")),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_maxima,
    .parts = parts_extrema,
};

DRUA_OP(detect_minima) = {
    .name = "detect_minima",
    .category = "detection",
    .menu = true,
    .summary = "Marks dark spots: pixels darker than all their neighbours, after a mean that suppresses noise. If "
               "neighbours are equal, only the first in x, then y, then z is marked.",
    .source = "comparison with the 8 or 26 neighbours",
    EXTREMA_PARAMS,
    DRUA_ALIASES(
        FLAT("CLIJ2 detectMinima2DBox"), FLAT("CLIJ2/CLIJx detectMinimaSliceBySliceBox"),
        FLAT_CLIJ("CLIJ detectMinimaSliceBySliceBox"),
        "CLIJ2 detectMinima3DBox: source, &destination, radius_x, radius_y, ~radius_z, radius_z=0, slice_by_slice=0",
        CUBE("CLIJ2/CLIJx detectMinimaBox", "&", "0"), CUBE("CLIJ detectMinimaBox", "", "0")),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_minima,
    .parts = parts_extrema,
};
