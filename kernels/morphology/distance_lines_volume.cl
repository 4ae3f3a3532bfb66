/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes distances in volumes from those in slices; see distance_lines.cl. */
#include "distance_lines.cl"

/* A quarter of the least norm within eight slices. */
kernel void distance_lowest_of_slices(global const uint4 *pairs, int vectors, int height, int depth,
                                      global ushort4 *lowest)
{
    const int x = get_global_id(0), y = get_global_id(1), block = get_global_id(2);
    if (x >= vectors)
        return;
    const ulong slice = (ulong)height * vectors, at = (ulong)y * vectors + x;
    uint4 min_value = 0xffffffffu;
    for (int z = LINE_BLOCK * block; z < min(LINE_BLOCK * block + LINE_BLOCK, depth); z++) {
        const uint4 pair = pairs[z * slice + at], a = pair & 0xffff, b = pair >> 16;
        min_value = min(min_value, max(3 * max(a, b), 2 * (a + b)));
    }
    lowest[block * slice + at] = convert_ushort4_sat(min_value / 4);
}

/* Lower bound of the norm at least `nearest` slices away; `flat` is a quarter of the norm in the slice. */
inline uint4 solid_bound(uint4 flat, uint nearest)
{
    return max(max(8 * flat, 4 * flat + 4 * nearest), (uint4)(6 * nearest));
}

/* Upper bounds of the distances, from the nearest background of each slice. */
kernel void distance_in_volume(global const uint4 *pairs, global const ushort4 *lowest, int vectors, int height,
                               int depth, global const uint *present, global ushort4 *distances)
{
    const int x = get_global_id(0), y = get_global_id(1), own = get_global_id(2),
              blocks = (depth + LINE_BLOCK - 1) / LINE_BLOCK;
    if (x >= vectors)
        return;
    const ulong slice = (ulong)height * vectors, at = (ulong)y * vectors + x;
    const uint none = 8 * (3 * FAR / 4);        /* bound of a block without background, so that it is never searched */
    uint4 best[LINE_BLOCK];
    for (int j = 0; j < LINE_BLOCK; j++)
        best[j] = none;
#define TRY_SLICES(k)                                                                                                  \
    for (int z = LINE_BLOCK * (k); z < min(LINE_BLOCK * (k) + LINE_BLOCK, depth); z++) {                               \
        const uint4 pair = pairs[z * slice + at], a = pair & 0xffff, b = pair >> 16;                                   \
        if (all(a == (uint4)(FAR)))                                                                                    \
            continue;                                                                                                  \
        for (int j = 0; j < LINE_BLOCK; j++)                                                                           \
            best[j] = min(best[j], solid_norm(a, b, abs(LINE_BLOCK * own + j - z)));                                   \
    }
#define IN_SLICES(k) present[depth + (k)]
#define BOUND_OF_SLICES(k, nearest) solid_bound(convert_uint4(lowest[(k) * slice + at]), nearest)
#define BOUND_OF_ALL_SLICES(nearest) (uint4)(6 * (nearest))
    SEARCH_OUTWARDS(own, blocks, TRY_SLICES, IN_SLICES, BOUND_OF_SLICES, BOUND_OF_ALL_SLICES)
    for (int j = 0; j < LINE_BLOCK && LINE_BLOCK * own + j < depth; j++)
        distances[(LINE_BLOCK * own + j) * slice + at] = convert_ushort4(ROUND_UP(best[j], 6));
}
