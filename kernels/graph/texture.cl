/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts pairs of neighbouring grey values. */
#include "matrices.cl"

inline uint grey_level(global const uchar *pixels, const layout *image, int x, int y, int z, float low, float span)
{
    const layout l = *image;
    return (uint)fmin(fmax(load_float(pixels, l.type, AT(l, x, y, z)) - low, 0.0f), span);
}

/*
 * A work-group counts some pairs in slots of local memory, because work-items with frequent pairs would wait for each
 * other in global memory. A slot holds the index of its pair plus 1, and a count. A pair whose index exceeds 32 bits
 * has no slot.
 */
enum { PAIR_SLOTS = 256 };

inline void count_pair(volatile global uint *pairs, volatile local uint *slots, ulong place, uint number)
{
    volatile local uint *slot = slots + 2 * ((uint)place * 2654435769u >> 24);
    const uint name = (uint)place + 1;
    const bool has_name = place < 0xffffffffu;
    if (number == 0)
        return;
    uint owner = *slot;
    if (has_name && owner == 0 && (owner = atomic_cmpxchg(slot, 0u, name)) == 0)
        owner = name;
    if (has_name && owner == name)
        atomic_add(slot + 1, number);
    else
        atomic_add(&pairs[place], number);
}

/*
 * Counts the pairs of each pixel with a later neighbour, for rows from `top` up to `bottom`. There are three directions
 * across faces, or 13 across faces, edges and corners. Each direction has one z layer of results.
 */
kernel void cooccurrence_counts(INPUT(image), volatile global uint *pairs, uint levels, float low, float span, int box,
                                int top, int bottom, int front, int slices)
{
    volatile local uint slots[2 * PAIR_SLOTS];
    const int x = (int)get_global_id(0), first = max((int)get_global_id(1) * WALK, top),
              z = front + (int)get_global_id(2) % slices;
    const int direction = (int)get_global_id(2) / slices,
              side = direction == 0 ? 14 : direction == 1 ? 16 : 22, /* the neighbour along x, y or z */
              n = box ? 14 + direction : side;
    const int i = n % 3 - 1, j = n / 3 % 3 - 1, k = n / 9 - 1;
    for (uint slot = get_local_id(0); slot < 2 * PAIR_SLOTS; slot += get_local_size(0))
        slots[slot] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong kept = 0;
    uint number = 0;
    const bool is_pair = x < image.width && x + i >= 0 && x + i < image.width && z + k < image.depth;
    const int begin = max(first, -j),
              end = min(min(((int)get_global_id(1) + 1) * WALK, bottom), image.height - max(j, 0));
    for (int y = begin; is_pair && y < end; y++) {
        const uint here = grey_level(image_pixels, &image, x, y, z, low, span),
                   there = grey_level(image_pixels, &image, x + i, y + j, z + k, low, span);
        const ulong place = (ulong)max(here, there) * levels + min(here, there);
        if (max(here, there) >= levels)
            continue;
        if (place != kept) {
            count_pair(pairs, slots, kept, number);
            kept = place;
            number = 0;
        }
        number++;
    }
    count_pair(pairs, slots, kept, number);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint slot = get_local_id(0); slot < PAIR_SLOTS; slot += get_local_size(0))
        if (slots[2 * slot + 1] > 0)
            atomic_add(&pairs[slots[2 * slot] - 1], slots[2 * slot + 1]);
}

/* Adds counts of 32 bits to totals of 64 bits. */
kernel void cooccurrence_add(global uint *pairs, global ulong *totals, ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count) {
        totals[i] += pairs[i];
        pairs[i] = 0;
    }
}

/* Writes the matrix, in which each pair counts in both orders. `totals` holds earlier counts, if there are any. */
kernel void cooccurrence_matrix(global const uint *counts, global const ulong *totals, int has_totals, uint levels,
                                float factor, OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    const ulong at = (ulong)max(x, y) * levels + min(x, y);
    const bool is_entry = (uint)x < levels && (uint)y < levels;
    const ulong pairs = is_entry ? (counts[at] + (has_totals ? totals[at] : 0)) << (x == y) : 0;
    STORE_SNAPPED(matrix, x, y, z, (float)pairs * factor, 3.0f);
}
