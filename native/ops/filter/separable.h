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

/** Kernels of one filter: plain x, plain y, wide x, wide y. */
typedef const char *const separable_kernels[4];

/** The best pass along `axis` (0 to 2) for how the two views lie in memory. */
separable_pass separable_plan(drua_plan *plan, separable_kernels kernels, int axis, drua_view from, drua_view to);

/** Where pass `i` of `count` writes: the destination if it is the last, else a new image of float32. */
drua_view separable_target(drua_plan *plan, int i, int count);

/** Lists the axes whose `parameters` (one an axis) are positive and returns their number; with none, copies the source. */
int separable_axes(drua_plan *plan, const char *const parameters[3], int axes[3]);

#endif
