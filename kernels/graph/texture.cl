/* SPDX-License-Identifier: BSD-3-Clause */
/* How often grey values are neighbours. */

inline uint grey_level(global const uchar *pixels, const layout *image, int x, int y, int z, float low, float span)
{
    const layout l = *image;
    return (uint)fmin(fmax(load_float(pixels, l.type, AT(l, x, y, z)) - low, 0.0f), span);
}

/* Pairs of each pixel with those behind it, three by side or 13 by side and corner, of rows from `top` to before `bottom`. */
kernel void cooccurrence_counts(INPUT(image), volatile global uint *pairs, uint levels, float low, float span, int box, int top, int bottom,
                                int front)
{
    const int x = (int)get_global_id(0), first = max((int)get_global_id(1) * WALK, top), z = front + (int)get_global_id(2);
    if (!INSIDE(image, x, first, z))
        return;
    ulong kept[14];
    uint number[14];
    for (int n = 0; n < 14; n++) {
        kept[n] = 0;
        number[n] = 0;
    }
    for (int y = first; y < min(((int)get_global_id(1) + 1) * WALK, bottom); y++) {
        const uint here = grey_level(image_pixels, &image, x, y, z, low, span);
        if (here >= levels)
            continue;
        for (int n = 0; n < 14; n++) {
            const int behind = n + 13, i = behind % 3 - 1, j = behind / 3 % 3 - 1, k = behind / 9 - 1;
            if (n == 0 || (!box && abs(i) + abs(j) + k > 1) || x + i < 0 || x + i >= image.width || y + j < 0 || y + j >= image.height ||
                z + k >= image.depth)
                continue;
            const uint there = grey_level(image_pixels, &image, x + i, y + j, z + k, low, span);
            if (there < levels) {
                COUNT(pairs, (ulong)max(here, there) * levels + min(here, there), kept[n], number[n])
            }
        }
    }
    for (int n = 0; n < 14; n++)
        COUNT_REST(pairs, kept[n], number[n])
}

/* Counts of 32 bits go to totals of 64. */
kernel void cooccurrence_add(global uint *pairs, global ulong *totals, ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count) {
        totals[i] += pairs[i];
        pairs[i] = 0;
    }
}

/* Each pair counts both ways. */
kernel void cooccurrence_matrix(global const ulong *totals, uint levels, float factor, OUTPUT(matrix))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(matrix, x, y, z))
        return;
    ulong pairs = 0;
    if ((uint)x < levels && (uint)y < levels)
        pairs = totals[(ulong)max(x, y) * levels + min(x, y)] << (x == y);
    STORE_SNAPPED(matrix, x, y, z, (float)pairs * factor);
}
