/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules for running in tiles that several operations share. */
#include "call.h"

void plan_parts_pixels(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    (void)parts;
}

void plan_parts_neighbours(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = 1;
    parts->columns = true;
}

void plan_parts_slices(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    parts->axis[0] = parts->axis[1] = -1;
}

drua_view plan_tile_scratch(drua_plan *plan)
{
    return (drua_view){.buffer = plan->tile ? plan->tile->scratch : NULL};
}

void plan_parts_radii(drua_plan *plan, drua_parts *parts)
{
    static const char *const radius[] = {"radius_x", "radius_y", "radius_z"};
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = plan_integer(plan, radius[axis]);
    parts->columns = true;
}
