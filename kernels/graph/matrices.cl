/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of labels; x is the column, y the row. */
#include "bit_rows.cl"

kernel void distance_matrix(INPUT(points1), INPUT(points2), OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    float value = 0.0f;
    if (x > 0 && y > 0 && x <= points1.width && y <= points2.width) {
        DISTANCE(points1, x - 1, points2, y - 1, distance)
        value = distance;
    }
    STORE(matrix, x, y, z, value);
}

kernel void proximal_matrix(INPUT(distances), float low, float high, OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    const float distance = LOAD_CLAMPED(distances, x, y, z);
    STORE(matrix, x, y, z, x > 0 && x < y && distance >= low && distance <= high ? 1.0f : 0.0f);
}

/* Adds the transposed matrix, so that each touch has both directions. */
kernel void touch_to_adjacency(INPUT(touches), OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(matrix, x, y, z))
        STORE(matrix, x, y, z, LOAD_CLAMPED(touches, x, y, 0) + LOAD_CLAMPED(touches, y, x, 0));
}

kernel void adjacency_to_touch(INPUT(adjacency), OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    const bool touch = x < y && (LOAD_CLAMPED(adjacency, x, y, 0) > 0.0f || LOAD_CLAMPED(adjacency, y, x, 0) > 0.0f);
    STORE(matrix, x, y, z, touch ? 1.0f : 0.0f);
}

/*
 * Counts equal keys in a register, and adds the count to memory when the key changes. Work-items walk down columns,
 * where keys seldom change.
 */
enum { WALK = 32 };
#define COUNT(counts, key, kept, number)                                                                               \
    if ((key) != kept) {                                                                                               \
        if (number > 0)                                                                                                \
            atomic_add(&counts[kept], number);                                                                         \
        kept = key;                                                                                                    \
        number = 0;                                                                                                    \
    }                                                                                                                  \
    number++;
#define COUNT_REST(counts, kept, number)                                                                               \
    if (number > 0)                                                                                                    \
        atomic_add(&counts[kept], number);

/*
 * Counts pixels for each pair of labels. Most pixels usually lie outside the labels of both maps; their count is added
 * to memory once per work-group.
 */
kernel void overlap_counts(INPUT(labels1), INPUT(labels2), volatile global uint *pairs, volatile global uint *sizes1,
                           volatile global uint *sizes2, uint columns, uint rows)
{
    volatile local uint empty;
    const int x = (int)get_global_id(0), first = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    const int lane = (int)(get_local_id(2) * get_local_size(0) + get_local_id(0));
    if (lane == 0)
        empty = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong pair = 0;
    uint one = 0, other = 0, pair_number = 0, one_number = 0, other_number = 0, nothing = 0;
    for (int y = first; INSIDE(labels1, x, y, z) && y < first + WALK; y++) {
        const uint a = LOAD_LABEL(labels1, x, y, z), b = LOAD_LABEL_CLAMPED(labels2, x, y, z);
        nothing += (a | b) == 0;
        if ((a | b) == 0 || a >= columns || b >= rows)
            continue;
        COUNT(pairs, (ulong)b * columns + a, pair, pair_number)
        COUNT(sizes1, a, one, one_number)
        COUNT(sizes2, b, other, other_number)
    }
    COUNT_REST(pairs, pair, pair_number)
    COUNT_REST(sizes1, one, one_number)
    COUNT_REST(sizes2, other, other_number)
    if (nothing > 0)
        atomic_add(&empty, nothing);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && empty > 0) {
        atomic_add(pairs, empty);
        atomic_add(sizes1, empty);
        atomic_add(sizes2, empty);
    }
}

kernel void overlap_matrix(global const uint *pairs, global const uint *sizes1, global const uint *sizes2, uint columns,
                           uint rows, int measure, OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    float value = 0.0f;
    const uint both = (uint)x < columns && (uint)y < rows ? pairs[(ulong)y * columns + x] : 0;
    if (measure == 2 && both > 0)
        value = DIVIDE((FLOATV)((float)both), (FLOATV)((float)(sizes1[x] + sizes2[y] - both))).s0;
    else
        value = measure == 0 ? (both > 0 ? 1.0f : 0.0f) : (float)both;
    STORE(matrix, x, y, z, value);
}

/* Sets a bit for each pair of labels that overlap; bit_counts then counts the partners of each label. */
kernel void overlap_bits(INPUT(labels1), INPUT(labels2), volatile global uint *bits, uint count, uint words)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels1, x, y, z))
        return;
    const uint a = LOAD_LABEL(labels1, x, y, z), b = LOAD_LABEL_CLAMPED(labels2, x, y, z), bit = 1u << b % 32;
    if (a == 0 || b == 0 || a >= count || b / 32 >= words)
        return;
    volatile global uint *word = &bits[(ulong)a * words + b / 32];
    if ((*word & bit) == 0)
        atomic_or(word, bit);
}

kernel void bit_counts(global const uint *bits, uint count, uint words, OUTPUT(result))
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    uint number = 0;
    for (uint word = 0; word < words; word++)
        number += popcount(bits[(ulong)i * words + word]);
    STORE(result, i, 0, 0, (float)number);
}

/* Writes differences along one axis; row and column 0 belong to the background. */
kernel void difference_matrix(INPUT(points1), INPUT(points2), OUTPUT(matrix), int axis)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    const bool inside = x > 0 && y > 0 && x <= points1.width && y <= points2.width;
    STORE(matrix, x, y, z,
          inside ? LOAD_CLAMPED(points1, x - 1, axis, 0) - LOAD_CLAMPED(points2, y - 1, axis, 0) : 0.0f);
}
