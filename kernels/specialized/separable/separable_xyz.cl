/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All three axes of a separable filter of small radius in one pass. A work-group marches along z over DEPTH slices: it
 * reads x from registers and y from local memory, and keeps z as partial results, to which each slice adds. The next
 * slice is read while the current one is filtered.
 */
#include "separable_axes.cl"
#include "separable_windows.cl"
TILE_GROUP
kernel void separable_xyz(INPUT(from), OUTPUT(to), OTHER_INPUT const numbers along_x, const numbers along_y,
                          const numbers along_z, const float count PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local SUMS both[2][ROWS * VECTORS];     /* alternating, so that one barrier per slice is enough */
    const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * LX + lx;
    const int left = VB * ((int)get_global_id(0) - lx), top = Q * ((int)get_global_id(1) - ly),
              first = DEPTH * (int)get_global_id(2);
    const int end = min(first + DEPTH, to.depth);
    COLUMN pending[Q][2 * RZ + 1];
    quad quads[ITEMS][SPAN];

#define ITEM(i) (lane + (i) * LX * LY)
#define ITEM_X(i) (left + 4 * (ITEM(i) % VECTORS))
#define READ_SLICE(z)                                                                                                  \
    EACH(i, 0, ITEMS)                                                                                                  \
        if (ITEM(i) < ROWS * VECTORS)                                                                                  \
            read_quads(quads[i], LINE_OF(from, clamp(top - RY + ITEM(i) / VECTORS, 0, from.height - 1),                \
                clamp(z, 0, from.depth - 1)),                                                                          \
                       ITEM_X(i), from.width);

    EACH(i, 0, Q)
        EACH(k, 0, 2 * RZ + 1)
            pending[i][k] = (COLUMN)(START);
    READ_SLICE(first - RZ)
    _Pragma("unroll 1") for (int z = first - RZ; z < end + RZ; z++) {
        local SUMS *rows = both[(z + RZ) & 1];
        EACH(i, 0, ITEMS)
            if (ITEM(i) < ROWS * VECTORS) {
                SUM values[4 * SPAN];
                spread_quads(values, quads[i], ITEM_X(i), from.width);
                rows[ITEM(i)] = windows_x(values + 4 * SIDE, RX, along_x);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (z + 1 < end + RZ)
            READ_SLICE(z + 1)
        COLUMN v[Q];
        windows_y(v, rows, lx, ly, RY, along_y);
        EACH(i, 0, Q) {
            EACH(k, 0, 2 * RZ)
                pending[i][k] = FOLD(COLUMN, pending[i][k + 1], along_z.v[DISTANCE(RZ - k)], v[i]);
            pending[i][2 * RZ] = FOLD(COLUMN, (COLUMN)(START), along_z.v[RZ], v[i]);
        }
        if (z >= first + RZ)
            EACH(i, 0, Q) {
                const int y = top + ly * Q + i;
                if (y < to.height)
                    PUT(left + VB * lx, y, z - RZ, pending[i][0], count)
            }
    }
}
