/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binary steps along lines of 3 pixels, in stacks along planes of 3 x 3. They smooth outlines without preferring a
 * direction.
 */
#include "binary.cl"

constant char plane_axes[13][6] = {
    {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {1, -1, 0, 0, 0, 0},    /* lines */
    {1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 1}, {1, 0, 0, 0, 1, -1},
    {0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, -1}, {0, 0, 1, 1, 1, 0}, {0, 0, 1, 1, -1, 0}};

/*
 * With `all`, a pixel becomes 1 if any line or plane through it is full. Otherwise, it becomes 1 if no line or plane is
 * empty. Pixels outside the image are 0.
 */
kernel void lines_of_pixels(INPUT(from), OUTPUT(to), int deep, int all)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int first = deep ? 4 : 0, last = deep ? 13 : 4, full = deep ? 9 : 3;
    int max_value = 0, min_value = full;
    for (int plane = first; plane < last; plane++) {
        constant char *a = plane_axes[plane];
        int count = 0;
        for (int i = -1; i <= 1; i++)
            for (int j = -deep; j <= deep; j++) {
                const int px = x + i * a[0] + j * a[3], py = y + i * a[1] + j * a[4], pz = z + i * a[2] + j * a[5];
                const bool inside = px >= 0 && py >= 0 && pz >= 0 && INSIDE(from, px, py, pz);
                count += inside && LOAD(from, px, py, pz) != 0.0f;
            }
        max_value = max(max_value, count);
        min_value = min(min_value, count);
    }
    STORE(to, x, y, z, all ? max_value == full : min_value > 0);
}

/*
 * As lines_of_pixels, for 32 pixels of a row. The result without `all` is computed as the inverse of the result with
 * `all` for the inverse image.
 */
#define FULL_LINE(a) (near[13 - (a)] & near[13] & near[13 + (a)])
#define FULL_PLANE(a, b)                                                                                               \
    (FULL_LINE(a) & FULL_LINE(b) & near[13 - (a) - (b)] & near[13 - (a) + (b)] & near[13 + (a) - (b)] &                \
     near[13 + (a) + (b)])

kernel void lines_of_words(global const uint *from, global uint *to, int row_words, int width, int height, int depth,
                           int deep, int all)
{
    WORD_POSITION
    const uint turn = all ? 0 : 0xffffffff;
    uint near[27];
    for (int i = 0; i < 9; i++) {
        const int j = y + i % 3 - 1, k = z + i / 3 - 1;
        const bool inside = j >= 0 && k >= 0 && j < height && k < depth;
        global const uint *at = from + ((uint)(inside ? k : z) * height + (inside ? j : y)) * row_words + column;
        const uint here = inside ? *at : 0, before = inside && column > 0 ? at[-1] : 0,
                   after = inside && column < row_words - 1 ? at[1] : 0;
        near[3 * i] = (here << 1 | before >> 31) ^ turn;
        near[3 * i + 1] = here ^ turn;
        near[3 * i + 2] = (here >> 1 | after << 31) ^ turn;
    }
    const uint lines = FULL_LINE(1) | FULL_LINE(3) | FULL_LINE(4) | FULL_LINE(2);
    const uint planes = FULL_PLANE(1, 3) | FULL_PLANE(1, 9) | FULL_PLANE(3, 9) | FULL_PLANE(1, 12) | FULL_PLANE(1, 6) |
                        FULL_PLANE(3, 10) | FULL_PLANE(3, 8) | FULL_PLANE(9, 4) | FULL_PLANE(9, 2);
    to[word] = ((deep ? planes : lines) ^ turn) & word_mask(column, width);
}
