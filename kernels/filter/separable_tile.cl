/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x and y of a separable filter in one pass, for GPUs and small radii. A work-group filters the rows of a tile along x
 * into local memory, then the tile along y. separable.cl has the macros. Windows are folded in the same order, so
 * results are bit-identical.
 */
#include "separable.cl"
#include "separable_box.cl"
#if LANES == 4

enum { TILE = 64, MAX_RADIUS = 8, TILE_VECTORS = TILE / 4, TILE_RUNS = TILE / RUN };

/* Work-group: TILE_VECTORS x TILE_RUNS; for_x and for_y run before the windows of an axis. */
#define FILTER_TILE(start, for_x, for_y, fold, common, join, finish)                                                   \
    local float4 tile[(TILE + 2 * MAX_RADIUS) * TILE_VECTORS];                                                         \
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1);                                                    \
    const int left = 4 * ((int)get_global_id(0) - lx), top = RUN * ((int)get_global_id(1) - ly), z =                   \
        (int)get_global_id(2);                                                                                         \
    {                                                                                                                  \
        const uint lane = (uint)(ly * TILE_VECTORS + lx), first_row = lane / TILE_RUNS, run = lane & (TILE_RUNS - 1);  \
        const int radius = radius_x, x = left + (int)run * RUN;                                                        \
        for_x                                                                                                          \
        for (int row = first_row; row < TILE + 2 * radius_y; row += TILE_VECTORS) {                                    \
            const INDEX at = AT(from, 0, clamp(top - radius_y + row, 0, from.height - 1), z);                          \
            RUN_OF_WINDOWS(float, -((radius + STEP - 1) / STEP * STEP), read_row(v, from_pixels, &from, at, x + d);    \
                           , start, fold, , common, join)                                                              \
            UNROLLED(half_run, 2)                                                                                      \
                tile[row * TILE_VECTORS + run * 2 + half_run] = vload4(half_run, sum);                                 \
        }                                                                                                              \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    const int radius = radius_y, x = left + 4 * lx, y = top + RUN * ly, last = TILE + 2 * radius_y - 1;                \
    for_y                                                                                                              \
    RUN_OF_WINDOWS(float4, -radius,                                                                                    \
                   UNROLLED(t, STEP) v[t] = tile[min(RUN * ly + radius + d + t, last) * TILE_VECTORS + lx];            \
                   , start, fold, , common, join)                                                                      \
    for (int k = 0; k < RUN && y + k < to.height && x < to.width; k++)                                                 \
        store_row_lanes(to_pixels, &to, x, y + k, z, finish(sum[k]), true);

kernel void gaussian_tile(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float roundings, TABLE(weights))
{
    FILTER_TILE(0.0f, WEIGHTS_FROM(0), WEIGHTS_FROM(2 * radius_x + 1), WEIGHTED, FOLD_ALL(WEIGHTED), FIRST,
                SNAP_FOR_TYPE)
}

kernel void mean_tile(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float count)
{
    FILTER_TILE(0.0f, , , ADDED, FOLD_ALL(ADDED), FIRST, MEANS)
}

kernel void minimum_tile(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float unused)
{
    FILTER_TILE(NAN, , , SMALLER, FOLD_SHARED(SMALLER), fmin, SAME)
}

kernel void maximum_tile(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float unused)
{
    FILTER_TILE(NAN, , , LARGER, FOLD_SHARED(LARGER), fmax, SAME)
}
#endif
