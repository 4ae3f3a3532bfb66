/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projections of a stack along one axis. A projection along y is a projection along z of the stack with y and z
 * exchanged.
 */
#ifndef DRUA_PROJECTION_AXES_H
#define DRUA_PROJECTION_AXES_H

#include "plan.h"

typedef struct projection {
    drua_view from, to;
    drua_grid grid;
    bool wide;
    int sharing;
} projection;

/** Return the arguments of the kernels along an axis, for the given views or for `source` and `destination`. */
projection projection_along_z(drua_plan *plan, drua_view from, drua_view to);
projection projection_along_y(drua_plan *plan);
projection projection_along_x(drua_plan *plan);

/** Returns the grid of the CPU kernels along z, whose work-items each process a run of a row. */
drua_grid projection_runs(drua_view to);

/** Returns the number of slices from min_z to max_z that the stack has, and sets the first. */
int32_t projection_range(drua_plan *plan, int32_t depth, int32_t *first);

/* Launches a kernel. If rows are read in vectors, the chain that computes the stack is fused. */
#define PROJECT(plan, kernel, q, ...)                                                                                  \
    (q.wide ? plan_launch_with_prologue : plan_launch)(                                                                \
        plan, kernel, q.grid,                                                                                          \
        (const drua_arg[]){ARG(q.from), ARG(q.to), INT(q.wide), __VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** Writes the largest values along z of `count` slices, or the smallest with sign -1. */
void projection_extreme(drua_plan *plan, projection q, int32_t first, int32_t count, float sign);

/** Writes the numbers of the first slices with these values, counted from 0. */
void projection_position(drua_plan *plan, projection q, float sign);

/** As the two functions above, along x of `source`. */
void projection_extreme_x(drua_plan *plan, float sign);
void projection_position_x(drua_plan *plan, float sign);

/* ---- descriptors */

void projection_shape_x(drua_plan *plan, drua_shape *shape);
void projection_shape_y(drua_plan *plan, drua_shape *shape);
void projection_shape_z(drua_plan *plan, drua_shape *shape);
void projection_parts_x(drua_plan *plan, drua_parts *parts);
void projection_parts_y(drua_plan *plan, drua_parts *parts);
void projection_parts_z(drua_plan *plan, drua_parts *parts);
void projection_steps_x(drua_plan *plan, double steps[3][3]);
void projection_steps_y(drua_plan *plan, double steps[3][3]);
#define projection_steps_z plan_same_voxels

#define STACK DRUA_IMAGE_IN("source", "stack")
#define RESULT(axis, type_) DRUA_IMAGE_OUT("destination", "projection", .shape = projection_shape_##axis, .type = type_)
#define SLICE(name, doc_, default_) DRUA_INTEGER(name, doc_, .unit = "slice", DRUA_RANGE_ANY, .default_value = default_)
#define BOUNDS SLICE("min_z", "first slice, counted from 0", 0), SLICE("max_z", "last slice, included", 2147483647)
#define ALL ", min_z=0, max_z=2147483647"

/* SOURCE: how the C file's operations combine the pixels along the axis. */
#define PROJECTION(name_, function, along, summary_, params_, ...)                                                     \
    {                                                                                                                  \
        .name = #name_, .category = "projection", .summary = summary_, .source = SOURCE, .numeric = DRUA_EXACT,        \
        .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE, .parts = projection_parts_##along,                               \
        .steps = projection_steps_##along, .place = plan_same_place, .launch = function, params_,                      \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

#endif
