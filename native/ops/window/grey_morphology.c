/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening, closing, top-hat and bottom-hat of grey images. CLIJ2 confuses the radii of its passes (x for y in hats, y
 * for z in openings and closings); these operations use the radii that their parameters name.
 */
#include "../filter/separable.h"

#define RADII(p)                                                                                                       \
    NUMBER(plan_number(p, "radius_x")), NUMBER(plan_number(p, "radius_y")), NUMBER(plan_number(p, "radius_z"))

static drua_operand first_then(drua_plan *p, const char *first, const char *second)
{
    return CALL(p, second, DRUA_NO_TYPE, CALL(p, first, DRUA_NO_TYPE, plan_operand(p, "source"), RADII(p)), RADII(p));
}

static void build_greyscale_opening_sphere(drua_plan *p)
{
    plan_return(p, "destination", first_then(p, "minimum_sphere", "maximum_sphere"));
}

static void build_greyscale_closing_sphere(drua_plan *p)
{
    plan_return(p, "destination", first_then(p, "maximum_sphere", "minimum_sphere"));
}

static void build_top_hat_sphere(drua_plan *p)
{
    const drua_operand opened = first_then(p, "minimum_sphere", "maximum_sphere");
    plan_return(p, "destination",
                CALL(p, "subtract_images", plan_type(p, "destination"), plan_operand(p, "source"), opened));
}

static void build_bottom_hat_sphere(drua_plan *p)
{
    const drua_operand closed = first_then(p, "maximum_sphere", "minimum_sphere");
    plan_return(p, "destination",
                CALL(p, "subtract_images", plan_type(p, "destination"), closed, plan_operand(p, "source")));
}

/* For boxes, the last pass includes the subtraction. */
static void pair_of_boxes(drua_plan *p, separable_kind first, separable_kind second, int subtraction)
{
    const double radius[] = {plan_number(p, "radius_x"), plan_number(p, "radius_y"), plan_number(p, "radius_z")};
    const separable_join join = {subtraction, plan_image(p, "source"), plan_type(p, "source")};
    const drua_view from = join.other, to = plan_image(p, "destination");
    if (plan_failed(p))
        return;
    if (subtraction || (drua_layout_is_same_size(&from.layout, &to.layout) && from.layout.type == to.layout.type)) {
        separable_pair(p, first, second, radius, from, to, subtraction ? &join : NULL);
        return;
    }
    const drua_view result = separable_middle(p, from, join.type);
    separable_pair(p, first, second, radius, from, result, NULL);
    LAUNCH(p, "extended", plan_grid(to.layout), ARG(result), ARG(to));
}

static void launch_greyscale_opening_box(drua_plan *p)
{
    pair_of_boxes(p, SEPARABLE_MINIMUM, SEPARABLE_MAXIMUM, 0);
}

static void launch_greyscale_closing_box(drua_plan *p)
{
    pair_of_boxes(p, SEPARABLE_MAXIMUM, SEPARABLE_MINIMUM, 0);
}

static void launch_top_hat_box(drua_plan *p)
{
    pair_of_boxes(p, SEPARABLE_MINIMUM, SEPARABLE_MAXIMUM, SEPARABLE_OTHER_LESS_RESULT);
}

static void launch_bottom_hat_box(drua_plan *p)
{
    pair_of_boxes(p, SEPARABLE_MAXIMUM, SEPARABLE_MINIMUM, SEPARABLE_RESULT_LESS_OTHER);
}

static void parts_of_pair(drua_plan *p, drua_parts *parts)
{
    plan_parts_radii(p, parts);
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] *= 2;
}

#define RADIUS(axis, default_, max)                                                                                    \
    DRUA_INTEGER("radius_" axis, "half width of the window along " axis, .unit = "pixel", DRUA_RANGE(0, max),          \
                 .default_value = default_)
#define RADIUS_PARAMS(max)                                                                                             \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),           \
                RADIUS("x", 10, max), RADIUS("y", 10, max), RADIUS("z", 0, max))
#define BOX_PARAMS RADIUS_PARAMS(10000)
#define SPHERE_PARAMS RADIUS_PARAMS(490)
#define SOLID(name) "CLIJ2/CLIJx " name ": source, &destination, radius_x, radius_y, radius_z"
#define TILED(name)                                                                                                    \
    "CLIJxt " name ": source, &destination, radius_x, radius_y, radius_z, ~tile_width, ~tile_height, ~tile_depth, "    \
    "~margin_width, ~margin_height, ~margin_depth"

#define BY(...) __VA_ARGS__
#define GREY_MORPHOLOGY(name_, how_, summary_, source_, params_, ...)                                                  \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .summary = summary_, .source = source_, .numeric = DRUA_EXACT, how_,     \
        params_, DRUA_ALIASES(__VA_ARGS__)                                                                             \
    }

DRUA_OP(greyscale_opening_box) = GREY_MORPHOLOGY(
    greyscale_opening_box, BY(.launch = launch_greyscale_opening_box, .parts = parts_of_pair, .traits = DRUA_EPILOGUE),
    "Removes bright structures smaller than a box.", "minimum, then maximum", DRUA_IN_MENU(BOX_PARAMS),
    SOLID("greyscaleOpeningBox"));
DRUA_OP(greyscale_closing_box) = GREY_MORPHOLOGY(greyscale_closing_box,
                                                 BY(.launch = launch_greyscale_closing_box, .parts = parts_of_pair,
                                                    .traits = DRUA_EPILOGUE),
                                                 "Fills dark structures smaller than a box.", "maximum, then minimum",
                                                 DRUA_IN_MENU(BOX_PARAMS), SOLID("greyscaleClosingBox"));
DRUA_OP(greyscale_opening_sphere) = GREY_MORPHOLOGY(greyscale_opening_sphere,
                                                    BY(.build = build_greyscale_opening_sphere),
                                                    "Removes bright structures smaller than an ellipsoid.",
                                                    "minimum, then maximum", SPHERE_PARAMS,
                                                    SOLID("greyscaleOpeningSphere"));
DRUA_OP(greyscale_closing_sphere) = GREY_MORPHOLOGY(greyscale_closing_sphere,
                                                    BY(.build = build_greyscale_closing_sphere),
                                                    "Fills dark structures smaller than an ellipsoid.",
                                                    "maximum, then minimum", SPHERE_PARAMS,
                                                    SOLID("greyscaleClosingSphere"));
DRUA_OP(top_hat_box) =
    GREY_MORPHOLOGY(top_hat_box, BY(.launch = launch_top_hat_box, .parts = parts_of_pair, .traits = DRUA_EPILOGUE),
                    "Keeps bright structures smaller than a box and removes the background.",
                    "image minus its grey opening", DRUA_IN_MENU(BOX_PARAMS), SOLID("topHatBox"), TILED("topHatBox"));
DRUA_OP(top_hat_sphere) =
    GREY_MORPHOLOGY(top_hat_sphere, BY(.build = build_top_hat_sphere),
                    "Keeps bright structures smaller than an ellipsoid and removes the background.",
                    "image minus its grey opening", SPHERE_PARAMS, SOLID("topHatSphere"), TILED("topHatSphere"));
DRUA_OP(bottom_hat_box) = GREY_MORPHOLOGY(
    bottom_hat_box, BY(.launch = launch_bottom_hat_box, .parts = parts_of_pair, .traits = DRUA_EPILOGUE),
    "Keeps dark structures smaller than a box, as bright pixels.", "grey closing minus the image",
    DRUA_IN_MENU(BOX_PARAMS), SOLID("bottomHatBox"));
DRUA_OP(bottom_hat_sphere) = GREY_MORPHOLOGY(bottom_hat_sphere, BY(.build = build_bottom_hat_sphere),
                                             "Keeps dark structures smaller than an ellipsoid, as bright pixels.",
                                             "grey closing minus the image", SPHERE_PARAMS, SOLID("bottomHatSphere"));
