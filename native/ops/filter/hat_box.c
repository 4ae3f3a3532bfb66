/* SPDX-License-Identifier: BSD-3-Clause */
/* What opening removes and what closing fills. CLIJ2's first pass takes radius_x for y too; these are what the names say. */
#include "plan.h"

#define RADII(p) NUMBER(plan_number(p, "radius_x")), NUMBER(plan_number(p, "radius_y")), NUMBER(plan_number(p, "radius_z"))

static drua_operand first_then(drua_plan *p, const char *first, const char *second)
{
    return CALL(p, second, DRUA_NO_TYPE, CALL(p, first, DRUA_NO_TYPE, plan_operand(p, "source"), RADII(p)), RADII(p));
}

static void build_top(drua_plan *p)
{
    drua_operand opened = first_then(p, "minimum_box", "maximum_box");
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), plan_operand(p, "source"), opened));
}

static void build_bottom(drua_plan *p)
{
    drua_operand closed = first_then(p, "maximum_box", "minimum_box");
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), closed, plan_operand(p, "source")));
}

#define RADIUS(axis, preset_) DRUA_INTEGER("radius_" axis, "half width of the box along " axis, .unit = "pixel", DRUA_RANGE(0, 10000), .preset = preset_)
#define HAT_PARAMS                                                                                                               \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"), RADIUS("x", 10),     \
                RADIUS("y", 10), RADIUS("z", 0))

const drua_op drua_op_top_hat_box = {
    .name = "top_hat_box",
    .category = "filter",
    .summary = "Keeps bright structures smaller than a box and removes the background.",
    .source = "image minus its grey opening",
    HAT_PARAMS,
    DRUA_ALIASES("CLIJ2/CLIJx topHatBox: source, &destination, radius_x, radius_y, radius_z",
                 "CLIJxt topHatBox: source, &destination, radius_x, radius_y, radius_z, ~tile_width, ~tile_height, ~tile_depth, "
                 "~margin_width, ~margin_height, ~margin_depth"),
    .numeric = DRUA_EXACT,
    .build = build_top,
};

const drua_op drua_op_bottom_hat_box = {
    .name = "bottom_hat_box",
    .category = "filter",
    .summary = "Keeps dark structures smaller than a box, as bright pixels.",
    .source = "grey closing minus the image",
    HAT_PARAMS,
    DRUA_ALIASES("CLIJ2/CLIJx bottomHatBox: source, &destination, radius_x, radius_y, radius_z"),
    .numeric = DRUA_EXACT,
    .build = build_bottom,
};
