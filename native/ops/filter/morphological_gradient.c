/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Morphological gradients and the Laplacian: differences between an image and the largest or smallest value around each
 * pixel.
 */
#include "plan.h"

static drua_operand build_extreme(drua_plan *p, bool high)
{
    return CALL(p, high ? "maximum_box" : "minimum_box", DRUA_NO_TYPE, plan_operand(p, "source"),
                NUMBER((double)plan_integer(p, "radius_x")), NUMBER((double)plan_integer(p, "radius_y")),
                NUMBER((double)plan_integer(p, "radius_z")));
}

static void return_difference(drua_plan *p, drua_operand from, drua_operand what)
{
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), from, what));
}

static void build_gradient(drua_plan *p)
{
    const drua_operand high = build_extreme(p, true);
    return_difference(p, high, build_extreme(p, false));
}

static void build_internal(drua_plan *p)
{
    return_difference(p, plan_operand(p, "source"), build_extreme(p, false));
}

static void build_external(drua_plan *p)
{
    return_difference(p, build_extreme(p, true), plan_operand(p, "source"));
}

/* External minus internal gradient, which may be negative. */
static void build_laplacian(drua_plan *p)
{
    const drua_operand high = build_extreme(p, true), low = build_extreme(p, false);
    const drua_operand sum = CALL(p, "add_images_weighted", DRUA_FLOAT32, high, low, NUMBER(1), NUMBER(1));
    plan_return(p, "destination",
                CALL(p, "add_images_weighted", plan_type(p, "destination"), sum, plan_operand(p, "source"), NUMBER(1),
                     NUMBER(-2)));
}

#define RADIUS(axis, default_)                                                                                         \
    DRUA_INTEGER("radius_" axis, "half width of the box along " axis, .unit = "pixel", DRUA_RANGE(0, 10000),           \
                 .default_value = default_)
#define DIFFERENCE(name_, build_, summary_, source_, ...)                                                              \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .summary = summary_, .source = source_, .numeric = DRUA_EXACT,           \
        .build = build_,                                                                                               \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),                                                        \
                    DRUA_IMAGE_OUT("destination", "difference of grey values", __VA_ARGS__), RADIUS("x", 1),           \
                    RADIUS("y", 1), RADIUS("z", 0))                                                                    \
    }

DRUA_OP(morphological_gradient) = DIFFERENCE(morphological_gradient, build_gradient,
                                             "Shows edges: the range of grey values in a box around each pixel.",
                                             "maximum minus minimum of the box; Beucher's gradient",
                                             .type = DRUA_TYPE_OF_SOURCE);
DRUA_OP(internal_gradient) = DIFFERENCE(internal_gradient, build_internal,
                                        "Shows the edges of bright structures, on their inner side.",
                                        "image minus the minimum of the box", .type = DRUA_TYPE_OF_SOURCE);
DRUA_OP(external_gradient) = DIFFERENCE(external_gradient, build_external,
                                        "Shows the edges of bright structures, on their outer side.",
                                        "maximum of the box minus the image", .type = DRUA_TYPE_OF_SOURCE);
DRUA_OP(morphological_laplacian) =
    DIFFERENCE(morphological_laplacian, build_laplacian,
               "Shows edges with a sign: above 0 outside of bright structures, below 0 inside.",
               "external minus internal gradient, as float32; MorphoLibJ adds 128 in 8 bits", .type = DRUA_FLOAT32);
