/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many erosions, by side and by all neighbours in turn, a pixel survives, plus 1. After k of them a background pixel has
 * reached offsets with sum(max(|d| - floor(k/2), 0)) <= ceil(k/2); the smallest k follows from the offset without a loop.
 */

enum { FAR = 1 << 28 };

inline int octagon_distance(int dx, int dy, int dz)
{
    const int largest = max(dx, max(dy, dz)), smallest = min(dx, min(dy, dz)), all = dx + dy + dz, two = all - smallest;
    return max(largest, max((2 * two + 2) / 3, (all + 1) / 2 + (all % 4 == 2)));
}

/* Distance to the nearest background pixel of the row; bits are those of the background. */
kernel void distance_in_row(global const uint *bits, int row_words, int width, int height, int depth, OUTPUT(nearest))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(nearest, x, y, z))
        return;
    global const uint *row = bits + ((uint)z * height + y) * row_words;
    const int bit = x & 31;
    int best = FAR, column = x / 32;
    uint before = row[column] & (0xffffffffu >> (31 - bit)), after = row[column] & (0xffffffffu << bit);
    for (int i = column; before == 0 && i > 0;) {
        before = row[--i];
        if (before)
            best = x - 32 * i - 31 + (int)clz(before);
    }
    if (best == FAR && before)
        best = x - 32 * column - 31 + (int)clz(before);
    while (after == 0 && column < row_words - 1 && 32 * (column + 1) - x < best)
        after = row[++column];
    if (after)
        best = min(best, 32 * column + 31 - (int)clz(after & -after) - x);
    ((global int *)nearest_pixels)[AT(nearest, x, y, z)] = best;
}

#define NEAREST(x, y, z) ((global const int *)nearest_pixels)[AT(nearest, x, y, z)]

/* Rows further and further away, until none can be nearer. */
kernel void distance_between_rows(INPUT(nearest), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    int best = NEAREST(x, y, z);
    for (int dz = 0; dz < best && (z - dz >= 0 || z + dz < nearest.depth); dz++)
        for (int dy = 0; octagon_distance(0, dy, dz) < best && (y - dy >= 0 || y + dy < nearest.height); dy++)
            for (int corner = 0; corner < 4; corner++) {
                const int j = corner & 1 ? y + dy : y - dy, k = corner & 2 ? z + dz : z - dz;
                if (j >= 0 && j < nearest.height && k >= 0 && k < nearest.depth)
                    best = min(best, octagon_distance(NEAREST(x, j, k), dy, dz));
            }
    STORE(to, x, y, z, best >= FAR ? INFINITY : (float)best);
}
