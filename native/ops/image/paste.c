/* SPDX-License-Identifier: BSD-3-Clause */
/* Pastes images into others. */
#include "plan.h"

#define POSITION(name, doc_)                                                                                           \
    DRUA_INTEGER(name, doc_, .unit = "pixel", DRUA_RANGE(-2147483648.0, 2147483647), .default_value = 0)

static void pasted_shape(drua_plan *p, drua_shape *shape)
{
    int64_t z = plan_integer(p, "destination_z");
    *shape = (drua_shape){shape->width + plan_integer(p, "destination_x"),
                          shape->height + plan_integer(p, "destination_y"), shape->depth + z, z ? 3 : shape->dimension};
}

static void launch_paste(drua_plan *p)
{
    plan_copy(p, plan_image(p, "source"), plan_image(p, "destination"), plan_integer(p, "destination_x"),
              plan_integer(p, "destination_y"), plan_integer(p, "destination_z"));
}

static void place_of_paste(drua_plan *p, double first[3])
{
    first[0] = -plan_number(p, "destination_x");
    first[1] = -plan_number(p, "destination_y");
    first[2] = -plan_number(p, "destination_z");
}

DRUA_OP(paste) = {
    .name = "paste",
    .category = "image",
    .summary = "Puts an image into another at a position; pixels outside are dropped.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to put in"),
                DRUA_IMAGE_OUT("destination", "image that receives the source; a new one is 0 around it",
                               .shape = pasted_shape, .partial = true),
                POSITION("destination_x", "column of the source's left edge"),
                POSITION("destination_y", "row of the source's top edge"),
                POSITION("destination_z", "slice of the source's first slice")),
    DRUA_ALIASES("CLIJ2/CLIJx paste2D: source, &destination, destination_x, destination_y, destination_z=0",
                 "CLIJ2/CLIJx paste3D: source, &destination, destination_x, destination_y, destination_z"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = launch_paste,
    .steps = plan_same_voxels,
    .place = place_of_paste,
};
