/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binary images as bits, 32 pixels of a row per word; each row begins a new word. Pixels outside the image are 0; for
 * windows around a pixel, this has the same effect as repeated borders. Erosion is dilation of the inverse.
 */

#define WORD_POSITION                                                                                                  \
    const uint word = get_global_id(0);                                                                                \
    if (word >= (uint)row_words * height * depth)                                                                      \
        return;                                                                                                        \
    const int column = word % row_words, y = word / row_words % height, z = word / row_words / height;

inline uint word_mask(int column, int width)
{
    const int pixels = width - 32 * column;
    return pixels >= 32 ? 0xffffffffu : (1u << pixels) - 1;
}

kernel void binary_pack(INPUT(from), global uint *bits, int row_words, int width, int height, int depth, int invert)
{
    WORD_POSITION
    uint value = 0;
    for (int i = 0; i < 32; i++)
        value |= (LOAD_CLAMPED(from, 32 * column + i, y, z) != 0.0f ? 1u : 0u) << i;
    bits[word] = (invert ? ~value : value) & word_mask(column, width);
}

kernel void binary_unpack(global const uint *bits, int row_words, int width, int height, int depth, int invert,
                          OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint bit = bits[((uint)z * height + y) * row_words + x / 32] >> (x & 31) & 1;
    STORE(to, x, y, z, (float)(bit ^ invert));
}

/* Like binary_unpack, for images whose rows are aligned to four pixels and that are not larger than the bits. */
kernel void binary_unpack_vec4(global const uint *bits, int row_words, int width, int height, int depth, int invert,
                               OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint four = bits[((uint)z * height + y) * row_words + x / 32] >> (x & 31);
    STORE_FOUR_LABELS(to, x, y, z, (((uint4)(four) >> (uint4)(0, 1, 2, 3)) & 1) ^ (uint)invert);
}

/* Marks the pixels of the source that lie in its dilated background. */
kernel void binary_edges(global const uint *background, int row_words, int width, int height, int depth, INPUT(from),
                         OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint bits = background[((uint)z * height + y) * row_words + x / 32] >> (x & 31);
    const FLOATV value = load_row_lanes(from_pixels, &from, x, y, z, IN_VECTORS(from) && to.width <= from.width);
    float marks[LANES];
    for (int l = 0; l < LANES; l++)
        marks[l] = bits >> l & 1 ? 1.0f : 0.0f;
    store_row_lanes(to_pixels, &to, x, y, z, select((FLOATV)(0.0f), JOIN(vload, LANES)(0, marks), value != 0.0f),
                    IN_VECTORS(to));
}

/* A word of a row that is dilated by `reach` pixels, 0 to 31, to both sides, in doubling steps. */
inline uint dilate_word(uint before, uint here, uint after, int reach)
{
    ulong up = (ulong)here << 32 | before, down = (ulong)after << 32 | here;
    for (int done = 0; done < reach;) {
        const int step = min(done + 1, reach - done);
        up |= up << step;
        down |= down >> step;
        done += step;
    }
    return (uint)(up >> 32) | (uint)down;
}

/* Dilates by all (dx, dy, dz) with |dy| <= ry, |dz| <= rz and |dx| <= reach - slope (|dy| + |dz|). */
kernel void binary_dilate(global const uint *from, global uint *to, int row_words, int width, int height, int depth,
                          int reach, int ry, int rz, int slope)
{
    WORD_POSITION
    uint value = 0;
    for (int k = max(z - rz, 0); k <= min(z + rz, depth - 1); k++)
        for (int j = max(y - ry, 0); j <= min(y + ry, height - 1); j++) {
            const int side = reach - slope * (abs(j - y) + abs(k - z));
            if (side < 0)
                continue;
            global const uint *at = from + ((uint)k * height + j) * row_words + column;
            value |= side == 0 ? *at
                               : dilate_word(column > 0 ? at[-1] : 0, *at, column < row_words - 1 ? at[1] : 0, side);
        }
    to[word] = value & word_mask(column, width);
}

kernel void binary_invert(global uint *bits, int row_words, int width, int height, int depth)
{
    WORD_POSITION
    bits[word] = ~bits[word] & word_mask(column, width);
}
