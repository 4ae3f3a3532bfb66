/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening and closing of grey images, what opening removes and what closing fills. CLIJ2 mixes up radii between the two
 * passes (x for y in hats, y for z in openings and closings); these are what the names say.
 */
#include "../filter/separable.h"

#define RADII(p) NUMBER(plan_number(p, "radius_x")), NUMBER(plan_number(p, "radius_y")), NUMBER(plan_number(p, "radius_z"))

static drua_operand first_then(drua_plan *p, const char *first, const char *second)
{
    return CALL(p, second, DRUA_NO_TYPE, CALL(p, first, DRUA_NO_TYPE, plan_operand(p, "source"), RADII(p)), RADII(p));
}

#define BUILDS(shape)                                                                                                            \
    static void build_greyscale_opening_##shape(drua_plan *p)                                                                              \
    {                                                                                                                            \
        plan_return(p, "destination", first_then(p, "minimum_" #shape, "maximum_" #shape));                                      \
    }                                                                                                                            \
    static void build_greyscale_closing_##shape(drua_plan *p)                                                                              \
    {                                                                                                                            \
        plan_return(p, "destination", first_then(p, "maximum_" #shape, "minimum_" #shape));                                      \
    }
BUILDS(box)
BUILDS(sphere)

static void build_top_hat_sphere(drua_plan *p)
{
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), plan_operand(p, "source"), first_then(p, "minimum_sphere", "maximum_sphere")));
}

static void build_bottom_hat_sphere(drua_plan *p)
{
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), first_then(p, "maximum_sphere", "minimum_sphere"), plan_operand(p, "source")));
}

/* Over boxes the second filter's last pass subtracts. */
static void hat_of_box(drua_plan *p, separable_kind first, separable_kind second, separable_join join)
{
    const double radius[] = {plan_number(p, "radius_x"), plan_number(p, "radius_y"), plan_number(p, "radius_z")};
    const separable one = separable_box(first, radius), two = separable_box(second, radius);
    join.other = plan_image(p, "source");
    join.type = plan_type(p, "source");
    const drua_view to = plan_image(p, "destination"), middle = separable_middle(p, join.other, join.type);
    if (plan_failed(p))
        return;
    separable_filter(p, &one, join.other, middle, NULL);
    separable_filter(p, &two, middle, to, &join);
}

static void plan_top_hat_box(drua_plan *p)
{
    hat_of_box(p, SEPARABLE_MINIMUM, SEPARABLE_MAXIMUM, (separable_join){.kind = SEPARABLE_OTHER_LESS_RESULT});
}

static void plan_bottom_hat_box(drua_plan *p)
{
    hat_of_box(p, SEPARABLE_MAXIMUM, SEPARABLE_MINIMUM, (separable_join){.kind = SEPARABLE_RESULT_LESS_OTHER});
}

static void parts_of_hat(drua_plan *p, drua_parts *parts)
{
    plan_parts_radii(p, parts);
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] *= 2;
}

#define RADIUS(axis, preset_, most) DRUA_INTEGER("radius_" axis, "half width of the window along " axis, .unit = "pixel", DRUA_RANGE(0, most), .preset = preset_)
#define RADIUS_PARAMS(most)                                                                                                      \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"), RADIUS("x", 10, most), \
                RADIUS("y", 10, most), RADIUS("z", 0, most))
#define BOX_PARAMS RADIUS_PARAMS(10000)
#define SPHERE_PARAMS RADIUS_PARAMS(490)
#define SOLID(name) "CLIJ2/CLIJx " name ": source, &destination, radius_x, radius_y, radius_z"
#define TILED(name)                                                                                                              \
    "CLIJxt " name ": source, &destination, radius_x, radius_y, radius_z, ~tile_width, ~tile_height, ~tile_depth, "              \
    "~margin_width, ~margin_height, ~margin_depth"

#define BY(...) __VA_ARGS__
#define GREY_MORPHOLOGY(name_, how_, summary_, source_, params_, ...)                                                            \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "filter", .summary = summary_, .source = source_,               \
                                     .numeric = DRUA_EXACT, how_, params_, DRUA_ALIASES(__VA_ARGS__)};

GREY_MORPHOLOGY(greyscale_opening_box, BY(.build = build_greyscale_opening_box), "Removes bright structures smaller than a box.", "minimum, then maximum", DRUA_IN_MENU(BOX_PARAMS), SOLID("greyscaleOpeningBox"))
GREY_MORPHOLOGY(greyscale_closing_box, BY(.build = build_greyscale_closing_box), "Fills dark structures smaller than a box.", "maximum, then minimum", DRUA_IN_MENU(BOX_PARAMS), SOLID("greyscaleClosingBox"))
GREY_MORPHOLOGY(greyscale_opening_sphere, BY(.build = build_greyscale_opening_sphere), "Removes bright structures smaller than an ellipsoid.", "minimum, then maximum", SPHERE_PARAMS,
                SOLID("greyscaleOpeningSphere"))
GREY_MORPHOLOGY(greyscale_closing_sphere, BY(.build = build_greyscale_closing_sphere), "Fills dark structures smaller than an ellipsoid.", "maximum, then minimum", SPHERE_PARAMS,
                SOLID("greyscaleClosingSphere"))
GREY_MORPHOLOGY(top_hat_box, BY(.plan = plan_top_hat_box, .parts = parts_of_hat), "Keeps bright structures smaller than a box and removes the background.", "image minus its grey opening", DRUA_IN_MENU(BOX_PARAMS),
                SOLID("topHatBox"), TILED("topHatBox"))
GREY_MORPHOLOGY(top_hat_sphere, BY(.build = build_top_hat_sphere), "Keeps bright structures smaller than an ellipsoid and removes the background.", "image minus its grey opening",
                SPHERE_PARAMS, SOLID("topHatSphere"), TILED("topHatSphere"))
GREY_MORPHOLOGY(bottom_hat_box, BY(.plan = plan_bottom_hat_box, .parts = parts_of_hat), "Keeps dark structures smaller than a box, as bright pixels.", "grey closing minus the image", DRUA_IN_MENU(BOX_PARAMS),
                SOLID("bottomHatBox"))
GREY_MORPHOLOGY(bottom_hat_sphere, BY(.build = build_bottom_hat_sphere), "Keeps dark structures smaller than an ellipsoid, as bright pixels.", "grey closing minus the image", SPHERE_PARAMS,
                SOLID("bottomHatSphere"))
