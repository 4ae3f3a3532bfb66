/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The x and y axes of a separable filter: rows are filtered along x into local memory, from which the windows along y
 * are read.
 */
#include "separable_axes.cl"
#include "separable_windows.cl"
TILE_GROUP
kernel void separable_xy(INPUT(from), OUTPUT(to), OTHER_INPUT const numbers along_x, const numbers along_y,
                         const float count PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local SUMS rows[ROWS * VECTORS];
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), z = (int)get_global_id(2);
    const int left = VB * ((int)get_global_id(0) - lx), top = Q * ((int)get_global_id(1) - ly);
    _Pragma("unroll 2") for (int i = 0; i < ITEMS; i++) {
        const int item = ly * LX + lx + i * LX * LY, x = left + 4 * (item % VECTORS),
                  y = clamp(top - RY + item / VECTORS, 0, from.height - 1);
        if (item < ROWS * VECTORS) {
            quad quads[SPAN];
            SUM values[4 * SPAN];
            read_quads(quads, LINE_OF(from, y, z), x, from.width);
            spread_quads(values, quads, x, from.width);
            rows[item] = windows_x(values + 4 * SIDE, RX, along_x);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    COLUMN v[Q];
    windows_y(v, rows, lx, ly, RY, along_y);
    EACH(i, 0, Q) {
        const int y = top + ly * Q + i;
        if (y < to.height)
            PUT(left + VB * lx, y, z, SELECTS ? BOTH(COLUMN, (COLUMN)(START), v[i]) : v[i], count)
    }
}
