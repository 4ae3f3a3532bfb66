/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The z axis of a separable filter of small radius: a work-item marches over DEPTH slices and adds each pixel to 2 RZ +
 * 1 pending windows.
 */
#include "separable_axes.cl"
kernel void separable_march(INPUT(from), OUTPUT(to), OTHER_INPUT const numbers along_z,
                            const COUNT count EPILOGUE_PARAMETERS)
{
    enum { AHEAD = 4 };
    const int x = VB * (int)get_global_id(0), y = (int)get_global_id(1), first = DEPTH * (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const int end = min(first + DEPTH, to.depth);
    COLUMN pending[2 * RZ + 1];
    EACH(k, 0, 2 * RZ + 1)
        pending[k] = (COLUMN)(START);
    _Pragma("unroll 1") for (int z = first - 2 * RZ; z < end; z += AHEAD) {
        COLUMN read[AHEAD];
        EACH(u, 0, AHEAD)
            read[u] = READ_COLUMN(CONST_ROW(FROM, from, y, clamp(z + u + RZ, 0, from.depth - 1)) + x);
        EACH(u, 0, AHEAD) {
            EACH(k, 0, 2 * RZ)
                pending[k] = FOLD(COLUMN, pending[k + 1], along_z.v[DISTANCE(RZ - k)], read[u]);
            pending[2 * RZ] = FOLD(COLUMN, (COLUMN)(START), along_z.v[RZ], read[u]);
            if (z + u >= first && z + u < end)
                PUT(x, y, z + u, pending[0], count)
        }
    }
}
