/* SPDX-License-Identifier: BSD-3-Clause */

enum { EXTREME_ITEMS = 64 };    /* work-items that share a row, as in native/ops/measure/reduction.c */

/*
 * Finds the smallest and the largest pixel of 32-bit integers, which float32 would round. With `masked`, uses only
 * pixels where the mask is not 0. `found` starts at 0. It receives the complement of the smallest pixel, the largest
 * pixel, and 1 if any pixel was used. Signed numbers are shifted so that the smallest becomes 0.
 */
kernel void integer_extremes(INPUT(source), INPUT(mask), int masked, global uint *found)
{
    const int y = (int)get_global_id(1), z = (int)get_global_id(2);
    const uint sign_bit = source.type == INT32 ? 0x80000000u : 0u;
    uint low = 0xffffffffu, high = 0;
    bool any_pixel = false;
    if (y >= source.height || z >= source.depth)
        return;
    for (int x = (int)get_global_id(0); x < source.width; x += EXTREME_ITEMS)
        if (!masked || LOAD_CLAMPED(mask, x, y, z) != 0.0f) {
            const uint order = load_bits(source_pixels, source.type, AT(source, x, y, z)) ^ sign_bit;
            low = min(low, order);
            high = max(high, order);
            any_pixel = true;
        }
    if (!any_pixel)
        return;
    if (*(volatile global uint *)found < ~low)
        atomic_max(found, ~low);
    if (*(volatile global uint *)(found + 1) < high)
        atomic_max(found + 1, high);
    set_flag(found + 2);
}
