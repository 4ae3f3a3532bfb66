/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x and y of a separable filter in one pass, for images so small that large tiles would leave most of a GPU idle. A
 * work-item computes one pixel of a tile whose surroundings are in local memory. Images may have any layout. Windows
 * are folded in the same order as in separable.cl, so results are bit-identical.
 */
#include "separable.cl"
#include "separable_box.cl"
enum { SMALL = 16, SMALL_RADIUS = 20, SMALL_SPAN = SMALL + 2 * SMALL_RADIUS };

/* Work-group: SMALL x SMALL; for_x and for_y run before the windows of an axis. */
#define FILTER_SMALL(start, for_x, for_y, fold, store)                                                                 \
    local float pixels[SMALL_SPAN][SMALL_SPAN], rows[SMALL_SPAN][SMALL];                                               \
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), z = (int)get_global_id(2);                         \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), height = SMALL + 2 * radius_y, width = SMALL +     \
        2 * radius_x;                                                                                                  \
    for (int j = ly; j < height; j += SMALL) {                                                                         \
        const INDEX at = AT(from, 0, clamp(y - ly - radius_y + j, 0, from.height - 1), z);                             \
        for (int i = lx; i < width; i += SMALL)                                                                        \
            pixels[j][i] = load_float(from_pixels, from.type, at + clamp(x - lx - radius_x + i, 0, from.width - 1) *   \
                (INDEX)from.column);                                                                                   \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    {                                                                                                                  \
        const int radius = radius_x;                                                                                   \
        for_x                                                                                                          \
        for (int j = ly; j < height; j += SMALL) {                                                                     \
            float sum = start;                                                                                         \
            for (int i = -radius; i <= radius; i++)                                                                    \
                sum = fold(sum, i, pixels[j][lx + radius + i]);                                                        \
            rows[j][lx] = sum;                                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    const int radius = radius_y;                                                                                       \
    for_y                                                                                                              \
    float sum = start;                                                                                                 \
    for (int i = -radius; i <= radius; i++)                                                                            \
        sum = fold(sum, i, rows[ly + radius + i][lx]);                                                                 \
    if (INSIDE(to, x, y, z))                                                                                           \
        store(to, x, y, z, sum);

kernel void gaussian_small(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float roundings, TABLE(weights))
{
    FILTER_SMALL(0.0f, WEIGHTS_FROM(0), WEIGHTS_FROM(2 * radius_x + 1), WEIGHTED, STORE_SUM)
}
kernel void mean_small(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float count)
{
    FILTER_SMALL(0.0f, , , ADDED, STORE_MEAN)
}
kernel void minimum_small(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float unused)
{
    FILTER_SMALL(NAN, , , SMALLER, STORE)
}
kernel void maximum_small(INPUT(from), OUTPUT(to), int radius_x, int radius_y, float unused)
{
    FILTER_SMALL(NAN, , , LARGER, STORE)
}
