/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Like separable_xy, for two filters of one image. If a pass along z follows, the first filter's result goes to `to`
 * and the second's to `second`. Otherwise (LAST), `to` receives the first result minus the second.
 */
#include "separable_axes.cl"
#include "separable_windows.cl"
#if LAST
#define SECOND_OUTPUT
#else
#define SECOND_OUTPUT OUTPUT(second),
#endif

TILE_GROUP
kernel void separable_two_xy(INPUT(from), OUTPUT(to), SECOND_OUTPUT const numbers x_1, const numbers y_1,
                             const numbers x_2, const numbers y_2, const float roundings_1,
                             const float roundings_2 PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local SUMS rows_1[(TILE_HEIGHT + 2 * RY) * VECTORS], rows_2[(TILE_HEIGHT + 2 * RY2) * VECTORS];
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), z = (int)get_global_id(2);
    const int left = VB * ((int)get_global_id(0) - lx), top = Q * ((int)get_global_id(1) - ly);
    _Pragma("unroll 2") for (int i = 0; i < ITEMS; i++) {
        const int item = ly * LX + lx + i * LX * LY, x = left + 4 * (item % VECTORS),
                  y = clamp(top - REACH_Y + item / VECTORS, 0, from.height - 1);
        const int item_1 = item - (REACH_Y - RY) * VECTORS, item_2 = item - (REACH_Y - RY2) * VECTORS;
        if (item < ROWS * VECTORS) {
            quad quads[SPAN];
            SUM values[4 * SPAN];
            read_quads(quads, LINE_OF(from, y, z), x, from.width);
            spread_quads(values, quads, x, from.width);
            if (item_1 >= 0 && item_1 < (TILE_HEIGHT + 2 * RY) * VECTORS)
                rows_1[item_1] = windows_x(values + 4 * SIDE, RX, x_1);
            if (item_2 >= 0 && item_2 < (TILE_HEIGHT + 2 * RY2) * VECTORS)
                rows_2[item_2] = windows_x(values + 4 * SIDE, RX2, x_2);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    COLUMN v[Q];
    const int x = left + VB * lx;
    windows_y(v, rows_1, lx, ly, RY, y_1);
#if LAST
    COLUMN w[Q];
    windows_y(w, rows_2, lx, ly, RY2, y_2);
    EACH(i, 0, Q)
        if (top + ly * Q + i < to.height)
            PUT_VALUES(to, x, top + ly * Q + i, z, finish(v[i], roundings_1) - finish(w[i], roundings_2))
#else
    EACH(i, 0, Q)
        if (top + ly * Q + i < to.height)
            PUT_VALUES(to, x, top + ly * Q + i, z, v[i])
    windows_y(v, rows_2, lx, ly, RY2, y_2);
    EACH(i, 0, Q)
        if (top + ly * Q + i < to.height)
            PUT_VALUES(second, x, top + ly * Q + i, z, v[i])
#endif
}
