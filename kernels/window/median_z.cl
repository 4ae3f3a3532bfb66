/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians along z for CPUs: a work-item computes vectors of pixels, each with a separate range of keys, as for windows.
 */
#include "median_small.cl"

kernel void median_of_slice_rows(INPUT(from), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    const bool in_vectors = IN_VECTORS(from) && x + LANES <= from.width;
    selections s = {.low = 0xffffffffu, .high = 0};
    for (int z = 0; z < from.depth; z++)
        selections_widen(&s, load_row_keys(from_pixels, &from, x, y, z, in_vectors));
    while (any(s.low < s.high)) {
        selections_bisect(&s);
        for (int z = 0; z < from.depth; z++)
            selections_count(&s, load_row_keys(from_pixels, &from, x, y, z, in_vectors));
        selections_narrow(&s, (uint)from.depth / 2);
    }
    for (int z = 0; z < to.depth; z++)
        store_row_keys(to_pixels, &to, x, y, z, s.low, from.type);
}
