/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Median along z. A work-group keeps COLUMNS columns of keys in local memory and finds the median four bits at a time,
 * so that the stack is read once.
 */
#include "median.cl"

enum { COLUMNS = 8, MAX_SLICES = 512, DIGITS = 16 };

/* Work-group: COLUMNS x DIGITS. */
kernel void median_of_columns(INPUT(from), OUTPUT(to))
{
    local uint keys[COLUMNS * MAX_SLICES], counts[COLUMNS * DIGITS];
    const int column = get_local_id(0), part = get_local_id(1), x = get_global_id(0),
              y = (int)get_global_id(1) / DIGITS;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1);
    for (int z = part; z < from.depth; z += DIGITS)
        keys[z * COLUMNS + column] = key_of(from_pixels, from.type, AT(from, i, j, z));
    uint known = 0, rank = from.depth / 2;
    for (int shift = 28; shift >= 0; shift -= 4) {
        counts[part * COLUMNS + column] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int z = part; z < from.depth; z += DIGITS) {
            const uint key = keys[z * COLUMNS + column];
            if ((key ^ known) >> shift < DIGITS)
                atomic_inc(&counts[(key >> shift & (DIGITS - 1)) * COLUMNS + column]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint digit = 0;
        for (; rank >= counts[digit * COLUMNS + column]; digit++)
            rank -= counts[digit * COLUMNS + column];
        known |= digit << shift;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int z = part; z < to.depth && x < to.width; z += DIGITS)
        store_key(to_pixels, to.type, AT(to, x, y, z), known, from.type);
}
