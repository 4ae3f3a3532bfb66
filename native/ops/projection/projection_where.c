/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of the largest and smallest values along an axis of a stack. */
#include "projection_axes.h"

static void position_z(drua_plan *p, const char *destination, float sign)
{
    projection_position(p, projection_along_z(p, plan_image(p, "source"), plan_image(p, destination)), sign);
}

static void position_of_maximum_x(drua_plan *p)
{
    projection_position_x(p, 1);
}
static void position_of_maximum_y(drua_plan *p)
{
    projection_position(p, projection_along_y(p), 1);
}
static void position_of_maximum_z(drua_plan *p) { position_z(p, "destination", 1); }
static void position_of_minimum_x(drua_plan *p)
{
    projection_position_x(p, -1);
}
static void position_of_minimum_y(drua_plan *p)
{
    projection_position(p, projection_along_y(p), -1);
}
static void position_of_minimum_z(drua_plan *p) { position_z(p, "destination", -1); }

static void maximum_and_position(drua_plan *p)
{
    projection q = projection_along_z(p, plan_image(p, "source"), plan_image(p, "destination_max"));
    projection_extreme(p, q, 0, q.from.layout.depth, 1);
    position_z(p, "destination_arg_max", 1);
}

#define SOURCE "all pixels along z are compared; the first of equal values counts"

DRUA_OP(z_position_of_maximum_z_projection) =
    PROJECTION(z_position_of_maximum_z_projection, position_of_maximum_z, z,
               "Tells which slice has the largest value, counted from 0. Of equal values, the first counts.",
               DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE)),
               "CLIJ2/CLIJx zPositionOfMaximumZProjection: source, &destination");
DRUA_OP(z_position_of_minimum_z_projection) =
    PROJECTION(z_position_of_minimum_z_projection, position_of_minimum_z, z,
               "Tells which slice has the smallest value, counted from 0. Of equal values, the first counts.",
               DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE)),
               "CLIJ2/CLIJx zPositionOfMinimumZProjection: source, &destination");
DRUA_OP(arg_maximum_z_projection) = PROJECTION(
    arg_maximum_z_projection, maximum_and_position, z,
    "Takes the largest value along z and tells in which slice it is.",
    DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination_max", "largest values", .shape = projection_shape_z),
                DRUA_IMAGE_OUT("destination_arg_max",
                               "slice of the largest value, counted from 0; the first of equal values counts",
                               .shape = projection_shape_z)),
    "CLIJ2/CLIJx argMaximumZProjection: source, &destination_max, &destination_arg_max",
    "CLIJ argMaximumZProjection: source, destination_max, destination_arg_max");

#define POSITION(name_, function, along, extreme, size)                                                                \
    {                                                                                                                  \
        .name = #name_, .category = "projection", .numeric = DRUA_EXACT, .source = "the first of equal values counts", \
        .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE, .parts = projection_parts_##along,                               \
        .steps = projection_steps_##along, .place = plan_same_place, .launch = function,                               \
        .summary =                                                                                                     \
            "Finds the position of the " extreme " value along " #along ", counted from 0; the result is " size ".",   \
        DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "positions", .shape = projection_shape_##along))              \
    }

DRUA_OP(x_position_of_maximum_x_projection) = POSITION(x_position_of_maximum_x_projection, position_of_maximum_x, x,
                                                       "largest", "depth x height");
DRUA_OP(x_position_of_minimum_x_projection) = POSITION(x_position_of_minimum_x_projection, position_of_minimum_x, x,
                                                       "smallest", "depth x height");
DRUA_OP(y_position_of_maximum_y_projection) = POSITION(y_position_of_maximum_y_projection, position_of_maximum_y, y,
                                                       "largest", "width x depth");
DRUA_OP(y_position_of_minimum_y_projection) = POSITION(y_position_of_minimum_y_projection, position_of_minimum_y, y,
                                                       "smallest", "width x depth");
