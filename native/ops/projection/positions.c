/* SPDX-License-Identifier: BSD-3-Clause */
/* Where along x or y the largest and smallest values are: along z of the stack turned, which is no copy. */
#include "plan.h"

static void side(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->depth, shape->height, 1, 2};
}

static void top(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->depth, 1, 2};
}

static void turned(drua_plan *p, const char *turn, const char *position)
{
    drua_operand stack = CALL(p, turn, DRUA_NO_TYPE, plan_operand(p, "source"));
    plan_return(p, "destination", CALL(p, position, plan_type(p, "destination"), stack));
}

static void maximum_x(drua_plan *p) { turned(p, "transpose_xz", "z_position_of_maximum_z_projection"); }
static void minimum_x(drua_plan *p) { turned(p, "transpose_xz", "z_position_of_minimum_z_projection"); }
static void maximum_y(drua_plan *p) { turned(p, "transpose_yz", "z_position_of_maximum_z_projection"); }
static void minimum_y(drua_plan *p) { turned(p, "transpose_yz", "z_position_of_minimum_z_projection"); }

#define POSITION(name_, function, shape_, axis, extreme, size)                                                                   \
    const drua_op drua_op_##name_ = {                                                                                            \
        .name = #name_, .category = "projection", .numeric = DRUA_EXACT, .build = function, .source = "the first of several",    \
        .summary = "Tells where along " axis " the " extreme " value is, counted from 0; the result is " size ".",               \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "positions", .shape = shape_))};

POSITION(x_position_of_maximum_x_projection, maximum_x, side, "x", "largest", "depth x height")
POSITION(x_position_of_minimum_x_projection, minimum_x, side, "x", "smallest", "depth x height")
POSITION(y_position_of_maximum_y_projection, maximum_y, top, "y", "largest", "width x depth")
POSITION(y_position_of_minimum_y_projection, minimum_y, top, "y", "smallest", "width x depth")
