/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The x axis of a separable filter of large radius. Local memory holds a part of a row; each work-item computes RUN
 * pixels, which are stored in the order of the row.
 */
#include "separable_axes.cl"
#include "separable_windows.cl"
#define PART (RUN * LX + 8 * SIDE)
#define BANK(i) ((i) + ((i) >> 5 << 2))    /* gaps, so that the work-items of a group use different banks */
#define PART_VECTORS ((BANK(PART) + 4) / 4)

__attribute__((reqd_work_group_size(LX, LY, 1)))
kernel void separable_x(INPUT(from), OUTPUT(to), OTHER_INPUT const many_numbers along_x,
                        const float count PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local SUMS parts[LY][PART_VECTORS];
    const int lx = (int)get_local_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2),
              left = RUN * ((int)get_global_id(0) - lx);
    local SUM *part = (local SUM *)parts[get_local_id(1)];
    const line row = LINE_OF(from, min(y, from.height - 1), z);
    for (int i = 4 * lx; i < PART; i += 4 * LX) {
        const int x = left - 4 * SIDE + i;
        *(local SUMS *)(part + BANK(i)) = spread(read_quad(row, x, from.width), x, from.width);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    SUM sum[RUN];
/*
 * 2 RX >= RUN - 1: first the pixels that all windows share, then those next to them for the first and the last windows
 */
#if SELECTS
    SUM shared = START, beside = START;
    sum[0] = START;
    EACH(j, 0, 2 * SIDE + RUN / 4) {
        const SUMS four = *(local const SUMS *)(part + BANK(RUN * lx + 4 * j));
        const SUM v[4] = {four.x, four.y, four.z, four.w};
        EACH(e, 0, 4)
            if (4 * (j - SIDE) + e > RX && 4 * (j - SIDE) + e < RX + RUN)
                sum[4 * (j - SIDE) + e - RX] = beside = BOTH(SUM, beside, v[e]);
            else if (4 * (j - SIDE) + e >= RUN - 1 - RX && 4 * (j - SIDE) + e <= RX)
                shared = BOTH(SUM, shared, v[e]);
    }
    beside = shared;
    EACH(i, 0, RUN) {
        if (i > 0)
            beside = BOTH(SUM, beside, part[BANK(RUN * lx + 4 * SIDE - RX + RUN - 1 - i)]);
        sum[RUN - 1 - i] = BOTH(SUM, sum[RUN - 1 - i], beside);
    }
#else
    EACH(i, 0, RUN)
        sum[i] = START;
    EACH(j, 0, 2 * SIDE + RUN / 4) {
        const SUMS four = *(local const SUMS *)(part + BANK(RUN * lx + 4 * j));
        const SUM v[4] = {four.x, four.y, four.z, four.w};
        EACH(e, 0, 4)
            EACH(i, 0, RUN)
                if (DISTANCE(4 * (j - SIDE) + e - i) <= RX)
                    sum[i] = FOLD(SUM, sum[i], along_x.v[DISTANCE(4 * (j - SIDE) + e - i)], v[e]);
    }
#endif
    if (y >= to.height)
        return;
    EACH(i, 0, RUN / 4)
        PUT(left + RUN * lx + 4 * i, y, z, ((SUMS)(sum[4 * i], sum[4 * i + 1], sum[4 * i + 2], sum[4 * i + 3])), count)
}
