/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of thinning; see skeleton.cl. */
#include "skeleton.cl"

/*
 * A tile consists of the words at one position along x in TILE rows of TILE slices. Each tile stores the last step that
 * removed a pixel in the tile or next to it. If no pixel was removed since a side was last processed, no pixel can be
 * removed from that side.
 */
enum { TILE = 8 };

inline uint tile_at(int pairs, int height, int pair, int y, int z)
{
    return ((uint)(z / TILE) * ((height + TILE - 1) / TILE) + y / TILE) * pairs + pair;
}

/* Marks the tiles around the pixels that were removed from a word; all writers store the same number. */
inline void note_change(global uint *last_change, uint step, int pairs, int height, int depth, int pair, int odd, int y,
                        int z, uint removed)
{
    const int left = max(pair - (odd == 0 && removed & 1), 0), right = min(pair + (odd && removed >> 31), pairs - 1);
    for (int k = max(z - 1, 0) / TILE; k <= min(z + 1, depth - 1) / TILE; k++)
        for (int j = max(y - 1, 0) / TILE; j <= min(y + 1, height - 1) / TILE; j++)
            for (int i = left; i <= right; i++)
                last_change[tile_at(pairs, height, i, j * TILE, k * TILE)] = step;
}

kernel void skeleton_pack(INPUT(from), global uint *bits, int pairs, uint words)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    const int first = word / 2 % pairs * 64 + word % 2, y = word / 2 / pairs % from.height,
              z = word / 2 / pairs / from.height;
    uint value = 0;
    for (int i = 0; i < 32 && first + 2 * i < from.width; i++)
        value |= (LOAD(from, first + 2 * i, y, z) != 0.0f ? 1u : 0u) << i;
    bits[word] = value;
}

kernel void skeleton_unpack(global const uint *bits, int pairs, int width, int height, int depth, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool inside = x < width && y < height && z < depth;
    STORE(to, x, y, z,
          inside ? (float)(bits[2 * (((uint)z * height + y) * pairs + x / 64) + x % 2] >> (x % 64 / 2) & 1) : 0.0f);
}

/* Like skeleton_unpack, for images that have the extent of the bits and whose rows are aligned to four pixels. */
kernel void skeleton_unpack_vec4(global const uint *bits, int pairs, int width, int height, int depth, OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const uint *pair = bits + 2 * (((uint)z * height + y) * pairs + x / 64);
    const uint even = pair[0] >> x % 64 / 2, odd = pair[1] >> x % 64 / 2;
    STORE_FOUR_LABELS(to, x, y, z, (uint4)(even, odd, even >> 1, odd >> 1) & 1);
}

/* Starts a batch of rounds, with empty lists, as if the round before it had changed something. */
kernel void skeleton_batch(global uint *changed, int rounds, global uint *counts, int lists)
{
    const int i = get_global_id(0);
    if (i <= rounds)
        changed[i] = i == 0;
    if (i < lists)
        counts[i] = 0;
}

enum { FIELDS = 8 };

/* Index of a word's list among those of the subfields. */
inline uint field_of(int odd, int y, int z)
{
    return (uint)(odd | (y & 1) << 1 | (z & 1) << 2);
}

#define MARK(SIMPLE)                                                                                                   \
    const uint word = get_global_id(0);                                                                                \
    const int odd = word % 2, pair = word / 2 % pairs, y = word / 2 / pairs % height, z = word / 2 / pairs / height;   \
    const bool active = changed[round] && word < words && last_change[tile_at(pairs, height, pair, y, z)] +            \
        sides >= step;                                                                                                 \
    const uint here = active ? bits[word] : 0, field = field_of(odd, y, z);                                            \
    const uint marked = here ? here & ~load_beside(bits, pairs, height, depth, pair, odd, y + dy, z + dz, dx + 1) : 0; \
    const uint simple = SIMPLE(bits, pairs, height, depth, pair, odd, y, z, marked, false);                            \
    if (simple)                                                                                                        \
        marks[word] = simple;

/* Processes the words of a list, `items` at a time. */
#define THIN(SIMPLE)                                                                                                   \
    const uint count = *listed;                                                                                        \
    for (uint first = get_global_id(0) - get_local_id(0); first < count; first += items) {                             \
        const bool is_one = first + get_local_id(0) < count;                                                           \
        const uint word = is_one ? list[capacity * field + first + get_local_id(0)] : 0;                               \
        const int odd = word % 2, pair = word / 2 % pairs, y = word / 2 / pairs % height, z =                          \
            word / 2 / pairs / height;                                                                                 \
        const uint removed = SIMPLE(bits, pairs, height, depth, pair, odd, y, z, is_one ? marks[word] : 0, true);      \
        if (removed) {                                                                                                 \
            bits[word] &= ~removed;                                                                                    \
            changed[round + 1] = 1;                                                                                    \
            note_change(last_change, step, pairs, height, depth, pair, odd, y, z, removed);                            \
        }                                                                                                              \
    }

#define MARK_ARGUMENTS                                                                                                 \
    global const uint *bits, global uint *marks, int pairs, int height, int depth, global uint *list, ulong capacity,  \
        volatile global uint *counts, int first_count, global const uint *changed, int round,                          \
            global const uint *last_change, uint step,                                                                 \
        uint words, uint sides, int dx, int dy, int dz
#define THIN_ARGUMENTS                                                                                                 \
    global uint *bits, global const uint *marks, int pairs, int height, int depth, global const uint *list,            \
        ulong capacity,                                                                                                \
        global const uint *counts, int first_count, global uint *changed, int round, global uint *last_change,         \
            uint step, int field, uint items

/*
 * Marks pixels that may be removed: simple pixels that are not ends of lines and have background at the side (dx, dy,
 * dz). Lists their words.
 */
kernel void skeleton_mark(MARK_ARGUMENTS)
{
    MARK(simple_pixels)
    if (simple)
        list[capacity * field + atomic_inc(&counts[first_count + field])] = word;
}

kernel void skeleton_mark_in_groups(MARK_ARGUMENTS)
{
    local skeleton_group group;
    local uint found[FIELDS], before[FIELDS];
    const int lane = get_local_id(0);
    if (lane < FIELDS)
        found[lane] = 0;
    MARK(SIMPLE_SHARED)
    const uint place = simple ? atomic_inc((volatile local uint *)&found[field]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < FIELDS && found[lane] > 0)
        before[lane] = atomic_add(&counts[first_count + lane], found[lane]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (simple)
        list[capacity * field + before[field] + place] = word;
}

/* Removes the marked pixels of one subfield that are still simple. */
kernel void skeleton_thin(THIN_ARGUMENTS)
{
    global const uint *listed = counts + first_count + field;
    THIN(simple_pixels)
}

kernel void skeleton_thin_in_groups(THIN_ARGUMENTS)
{
    local skeleton_group group;
    global const uint *listed = counts + first_count + field;
    THIN(SIMPLE_SHARED)
}
