/* SPDX-License-Identifier: BSD-3-Clause */

enum { KEY_BINS = 2048 }; /* as in native/ops/measure/percentiles.c */

/* Unsigned integers that sort like the pixels, from the pixels' bits. */
inline uint sort_key(uint bits, int type)
{
    switch (type) {
    case INT8: return bits ^ 0x80u;
    case INT16: return bits ^ 0x8000u;
    case INT32: return bits ^ 0x80000000u;
    case FLOAT32: return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    default: return bits;
    }
}

/*
 * Counts pixels by the digit of their sort keys at `shift`: those whose upper digits are `lower`, then those whose
 * upper digits are `upper`. `above` is the position of the upper digits; 32 if all digits are unknown. The second half
 * of `bins` stays unused if both have the same upper digits. A work-group takes every n-th row of n work-groups.
 */
kernel void count_sort_keys(INPUT(source), uint lower, uint upper, int above, int shift, uint mask, global uint *bins)
{
    local uint own[2 * KEY_BINS];
    const int items = (int)get_local_size(0), item = (int)get_local_id(0);
    const bool two = lower != upper;
    const long rows = (long)source.height * source.depth;
    for (int i = item; i < 2 * KEY_BINS; i += items)
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long row = (long)get_group_id(0); row < rows; row += (long)get_num_groups(0)) {
        const int y = (int)(row % source.height), z = (int)(row / source.height);
        for (int x = item; x < source.width; x += items) {
            const uint key = sort_key(load_bits(source_pixels, source.type, AT(source, x, y, z)), source.type);
            const uint known = above < 32 ? key >> above : lower;
            if (known == lower)
                atomic_inc(&own[key >> shift & mask]);
            else if (two && known == upper)
                atomic_inc(&own[KEY_BINS + (key >> shift & mask)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < 2 * KEY_BINS; i += items)
        if (own[i] > 0)
            atomic_add(&bins[i], own[i]);
}
