/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distance as the number of the erosion that removes a pixel; erosions alternate between face neighbours and all
 * neighbours. Objects are bits as in binary.cl, and pixels outside the image count as object. The number of a removed
 * pixel is stored in planes of bits, the lowest first.
 */
#include "binary.cl"

enum { DISTANCE_SLICES = 8 };

typedef struct {
    int row_words, width, height, depth;
} mask_size;

/* A word of pixels whose neighbours in the row are set. */
inline uint kept_in_row(global const uint *row, int column, const mask_size s)
{
    const uint here = row[column] | ~word_mask(column, s.width);
    const uint before = column > 0 ? row[column - 1] : 0xffffffffu,
               after = column < s.row_words - 1 ? row[column + 1] : 0xffffffffu;
    return here & (here << 1 | before >> 31) & (here >> 1 | after << 31);
}

/* A word of pixels whose neighbours in the slice are set: all eight (box), or the four across faces. */
inline uint kept_in_slice(global const uint *slice, int column, int y, const mask_size s, int box)
{
    global const uint *row = slice + (ulong)y * s.row_words;
    uint kept = kept_in_row(row, column, s);
    if (y > 0)
        kept &= box ? kept_in_row(row - s.row_words, column, s) : row[column - s.row_words];
    if (y < s.height - 1)
        kept &= box ? kept_in_row(row + s.row_words, column, s) : row[column + s.row_words];
    return kept;
}

/*
 * Erodes once. changed[left] says whether the erosion removed anything. If the previous erosion removed nothing, this
 * one does nothing. `planes` has only `counted` words of the image, from `first_counted` on.
 */
kernel void distance_erode(global const uint *from, global uint *to, int row_words, int width, int height, int depth,
                           int box, uint step, int first, global uint *changed, int left, global uint *planes,
                           ulong first_counted, ulong counted)
{
    const int column = get_global_id(0), y = get_global_id(1), front = (int)get_global_id(2) * DISTANCE_SLICES;
    if ((!first && changed[left + 1] == 0) || column >= row_words || y >= height)
        return;
    const mask_size s = {row_words, width, height, depth};
    const ulong slice = (ulong)row_words * height;
    global const uint *at = from + front * slice;
    uint flat = kept_in_slice(at, column, y, s, box);
    uint before = 0xffffffffu;
    if (front > 0)
        before = box ? kept_in_slice(at - slice, column, y, s, box)
                     : from[front * slice - slice + (ulong)y * row_words + column];
    bool removed_any = false;
    for (int z = front; z < min(front + DISTANCE_SLICES, depth); z++, at += slice) {
        const bool last = z == depth - 1;
        const ulong word = z * slice + (ulong)y * row_words + column;
        const uint here = from[word], next = last ? 0xffffffffu : kept_in_slice(at + slice, column, y, s, box);
        const uint kept = here & flat & before & (box || last ? next : from[word + slice]), removed = here & ~kept;
        to[word] = kept;
        before = box ? flat : here;
        flat = next;
        if (removed == 0)
            continue;
        removed_any = true;
        const ulong at_word = word - first_counted;
        for (uint bits = at_word < counted ? step : 0, plane = 0; bits; bits >>= 1, plane++)
            if (bits & 1)
                planes[plane * counted + at_word] |= removed;
    }
    if (removed_any)
        set_flag(changed + left);
}

/* Like distance_unpack, for rows that are aligned to four pixels. */
kernel void distance_unpack_vec4(global const uint *rest, int row_words, int width, int height, int depth,
                                 global const uint *planes, int count, OUTPUT(to), ulong first_counted, ulong counted,
                                 int axis, int end)
{
    const int x = 4 * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z) || (axis == 2 ? z : y) >= end)
        return;
    const ulong word = ((ulong)z * height + y) * row_words + x / 32;
    const uint4 place = (x & 31) + (uint4)(0, 1, 2, 3);
    uint4 distance = 0;
    for (int plane = 0; plane < count; plane++)
        distance |= ((uint4)(planes[plane * counted + word - first_counted]) >> place & 1) << plane;
    const uint4 left = (uint4)(rest[word]) >> place & 1;
    STORE_FOUR(to, x, y, z, select(convert_float4(distance), (float4)(INFINITY), left > 0));
}

kernel void distance_unpack(global const uint *rest, int row_words, int width, int height, int depth,
                            global const uint *planes, int count, OUTPUT(to), ulong first_counted, ulong counted,
                            int axis, int end)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z) || (axis == 2 ? z : y) >= end)
        return;
    const ulong word = ((ulong)z * height + y) * row_words + x / 32;
    uint distance = 0;
    for (int plane = 0; plane < count; plane++)
        distance |= (planes[plane * counted + word - first_counted] >> (x & 31) & 1) << plane;
    STORE(to, x, y, z, rest[word] >> (x & 31) & 1 ? INFINITY : (float)distance);
}
