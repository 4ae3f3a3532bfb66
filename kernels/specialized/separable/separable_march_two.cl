/* SPDX-License-Identifier: BSD-3-Clause */
/* The z axis of a minimum followed by a maximum, or the reverse: a work-item marches over DEPTH slices. */
#include "separable_axes.cl"
#define OPPOSITE(a, b) (FILTER == MINIMUM ? fmax(a, b) : fmin(a, b))

kernel void separable_march_two(INPUT(from), OUTPUT(to))
{
    enum { AHEAD = 4 };
    const int x = VB * (int)get_global_id(0), y = (int)get_global_id(1), first = DEPTH * (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const int end = min(first + DEPTH, to.depth);
    const COLUMN start = (COLUMN)(START);
    COLUMN pending[2 * RZ + 1], opposite[2 * RZ + 1];
    EACH(k, 0, 2 * RZ + 1) {
        pending[k] = start;
        opposite[k] = -start;
    }
    _Pragma("unroll 1") for (int z = first - 4 * RZ; z < end; z += AHEAD) {
        COLUMN read[AHEAD];
        EACH(u, 0, AHEAD)
            read[u] = READ_COLUMN(CONST_ROW(FROM, from, y, clamp(z + u + 2 * RZ, 0, from.depth - 1)) + x);
        EACH(u, 0, AHEAD) {
            EACH(k, 0, 2 * RZ)
                pending[k] = BOTH(COLUMN, pending[k + 1], read[u]);
            pending[2 * RZ] = BOTH(COLUMN, start, read[u]);
            /* outside the image the first filter has no result; the repeated border is already in the window */
            const COLUMN once = z + u + RZ >= 0 && z + u + RZ < from.depth ? pending[0] : -start;
            EACH(k, 0, 2 * RZ)
                opposite[k] = OPPOSITE(opposite[k + 1], once);
            opposite[2 * RZ] = once;
            if (z + u >= first && z + u < end)
                PUT_VALUES(to, x, y, z + u, opposite[0])
        }
    }
}
