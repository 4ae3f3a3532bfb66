/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts pairs of grey levels of neighbouring pixels that have one label (Haralick, Shanmugam and Dinstein 1973). A
 * label has a triangle of counts for each direction, because the order of a pair does not matter. A work-group first
 * counts in a table in local memory. Otherwise all work-items would wait for the few cells of a smooth label.
 */
#include "exact_orders.cl"
#include "statistics.cl"

enum { NO_LEVEL = 255, TEXTURE_SLOTS = 2048, TEXTURE_TRIES = 4, FIRST_DIRECTION = 14 };

/*
 * Finds the smallest (as complement) and the largest finite intensity of all labels, as integers that sort like floats.
 */
kernel void texture_range(INPUT(labels), INPUT(intensity), volatile global uint *range)
{
    volatile local uint both[2];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0) + get_local_id(1) + get_local_id(2);
    if (lane == 0)
        both[0] = both[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (INSIDE(labels, x, y, z) && LOAD_LABEL(labels, x, y, z) != 0) {
        const float value = LOAD(intensity, x, y, z);
        if (isfinite(value)) {
            raise_word(both, ~order_of(value));
            raise_word(both + 1, order_of(value));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        for (int i = 0; i < 2; i++)
            if (range[i] < both[i])
                atomic_max(range + i, both[i]);
}

/* Computes the level of each pixel. Flags the labels that have an intensity without a level: NaN or infinity. */
kernel void texture_levels(INPUT(labels), INPUT(intensity), uint first, uint last, global const uint *range,
                           const float low, const float high, int count, global uchar *levels, global uint *flags)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    uchar level = NO_LEVEL;
    if (i <= last - first) {
        const float from = high > low ? low : value_of(~range[0], FLOAT32),
                    to = high > low ? high : value_of(range[1], FLOAT32);
        const float value = LOAD(intensity, x, y, z);
        const float share = (value * 0.5f - from * 0.5f) / (to * 0.5f - from * 0.5f) * count;
        if (!isfinite(value))
            set_flag(flags + i);
        else
            level = to > from ? (uchar)clamp((int)floor(clamp(snap(share, 8), -1.0f, 255.0f)), 0, count - 1) : 0;
    }
    levels[((ulong)z * labels.height + y) * labels.width + x] = level;
}

/* The cell of a pair in the triangle of counts. */
inline uint cell_of_pair(uint a, uint b)
{
    const uint more = max(a, b);
    return more * (more + 1) / 2 + min(a, b);
}

/* Adds 1 to a count, through the work-group's table. */
inline void count_key(volatile local uint *keys, volatile local uint *tally, uint key, volatile global uint *counts)
{
    uint slot = key * 0x9e3779b1u >> 21;
    for (int i = 0; i < TEXTURE_TRIES; i++, slot = (slot + 1) % TEXTURE_SLOTS) {
        uint found = keys[slot];
        if (found == NOBODY)
            found = atomic_cmpxchg(&keys[slot], NOBODY, key);
        if (found == NOBODY || found == key) {
            atomic_inc(&tally[slot]);
            return;
        }
    }
    atomic_inc(counts + key);
}

/* Counts the pairs of `directions` directions, 4 of a plane or 13 of a stack; a work-item has `rows` rows. */
kernel void texture_pairs(INPUT(labels), global const uchar *levels, uint first, uint last, int rows, int directions,
                          uint cells, volatile global uint *counts)
{
    volatile local uint keys[TEXTURE_SLOTS], tally[TEXTURE_SLOTS];
    const int x = (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);
    const int lanes = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int lane = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    for (int i = lane; i < TEXTURE_SLOTS; i += lanes) {
        keys[i] = NOBODY;
        tally[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int bottom = x < labels.width && z < labels.depth ? min(top + rows, labels.height) : top;
    ROLLED for (int y = top; y < bottom; y++) {
        const uint label = LOAD_LABEL(labels, x, y, z), i = label - first;
        const uint level = levels[((ulong)z * labels.height + y) * labels.width + x];
        if (i > last - first || level == NO_LEVEL)
            continue;
        ROLLED for (int d = 0; d < directions; d++) {
            const int code = FIRST_DIRECTION + d;
            const int a = x + code % 3 - 1, b = y + code / 3 % 3 - 1, c = z + code / 9 - 1;
            if (a < 0 || b < 0 || c < 0 || !INSIDE(labels, a, b, c) || LOAD_LABEL(labels, a, b, c) != label)
                continue;
            const uint other = levels[((ulong)c * labels.height + b) * labels.width + a];
            if (other != NO_LEVEL)
                count_key(keys, tally, (i * directions + d) * cells + cell_of_pair(level, other), counts);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lane; i < TEXTURE_SLOTS; i += lanes)
        if (keys[i] != NOBODY)
            atomic_add(counts + keys[i], tally[i]);
}
