/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernel of kernels/filter/separable.cl filters a view along an axis, and how it is launched. */
#ifndef DRUA_SEPARABLE_H
#define DRUA_SEPARABLE_H

#include "plan.h"

typedef struct separable_pass {
    drua_view from, to;     /**< the filtered axis is x or y of both */
    const char *kernel;
    drua_grid grid;
} separable_pass;

/** Kernels of one filter: plain x, plain y, wide x, wide y; the wide ones may be NULL. */
typedef const char *const separable_kernels[4];

/** The best pass along `axis` (0 to 2) for how the two views lie in memory. */
separable_pass separable_plan(drua_plan *plan, separable_kernels kernels, int axis, drua_view from, drua_view to);

/** One pass of a filter: along an axis, or along x and y at once. */
typedef struct separable_step {
    int axis;
    bool tile;              /**< x and y, by a kernel of kernels/filter/separable_tile.cl */
    drua_view from, to;
} separable_step;

/**
 * Lists the passes along the axes whose radius is not negative, with images of type `between` from one to the next, and returns
 * their number; with none, copies. Tiles are for GPUs, small radii and aligned rows, where they were not measured to be slower.
 */
int separable_steps(drua_plan *plan, const char *tile_kernel, const int radius[3], drua_type between, drua_view from, drua_view to,
                    separable_step steps[3]);
drua_grid separable_tile_grid(drua_layout layout);

/** Pixels of the view's extent for what a pass leaves to the next. */
drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type);

/** Mean over boxes of 2 radius + 1 pixels an axis, borders repeated. */
void box_mean(drua_plan *plan, const double radius[3], drua_view from, drua_view to);

#endif
