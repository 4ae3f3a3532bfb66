/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grows labels into empty pixels: an empty pixel takes the largest label among its neighbours, across faces, edges and
 * corners (box) or across faces only. A work-item walks through slices with four pixels of a row, so rows of both
 * images must begin with aligned vectors.
 */
#include "bit_lines.cl"

#define FOUR(x, y, z) load_four_words(pixels, l.type, AT(l, x, y, z))

/* Converts words of an image of type `kind` to labels, or stores the words if another step follows. */
inline void store_four_words(global uchar *pixels, int type, INDEX at, uint4 words, int count, int kind,
                             int as_they_are)
{
    if (kind != FLOAT32)
        store_four_labels(pixels, type, at, words, count);
    else if (as_they_are)
        store_four_labels(pixels, UINT32, at, words, count);
    else if (type == FLOAT32)
        store_four(pixels, FLOAT32, at, trunc(min(as_float4(words), 4294967040.0f)), count);
    else
        store_four_labels(pixels, type, at, convert_uint4(min(as_float4(words), 4294967040.0f)), count);
}

/* `wants` is LARGEST or SMALLEST, a constant. */
enum { LARGEST, SMALLEST };

inline uint4 pick(uint4 a, uint4 b, int wants)
{
    return wants == LARGEST ? max(a, b) : min(a, b);
}

/* The wanted label among each pixel and its two neighbours in the row. */
inline uint4 picked_in_row(global const uchar *pixels, const layout *image, int x, int y, int z, int wants)
{
    const layout l = *image;
    const uint none = wants == LARGEST ? 0 : 0xffffffffu;
    const uint4 here = FOUR(x, y, z);
    const uint before = x > 0 ? load_word(pixels, l.type, AT(l, x - 1, y, z)) : here.x;
    const uint after = x + 4 < l.width ? load_word(pixels, l.type, AT(l, x + 4, y, z)) : none;
    const uint4 next = select((uint4)(none), (uint4)(here.yzw, after), FIRST_OF_FOUR(l.width - 1 - x));
    return pick(pick(here, (uint4)(before, here.xyz), wants), next, wants);
}

/* The wanted label among nine pixels of a slice (box) or five. */
inline uint4 picked_in_slice(global const uchar *pixels, const layout *image, int x, int y, int z, int box, int wants)
{
    const layout l = *image;
    const int above = max(y - 1, 0), below = min(y + 1, l.height - 1);
    const uint4 rows = box ? pick(picked_in_row(pixels, image, x, above, z, wants),
                                  picked_in_row(pixels, image, x, below, z, wants), wants)
                           : pick(FOUR(x, above, z), FOUR(x, below, z), wants);
    return pick(rows, picked_in_row(pixels, image, x, y, z, wants), wants);
}

/*
 * Walks through `slices` slices. If `kind`, the element type, and `box` are constants, the loads have no branches. With
 * LARGEST, only pixels without a label take the largest label. With SMALLEST, all pixels take the smallest label; with
 * `own`, a pixel becomes 0 instead unless the smallest label is its own.
 */
inline void march_labels(INPUT(from), OUTPUT(to), int kind, int slices, int box, int wants, int own, int follows)
{
    global const uchar *pixels = from_pixels;
    layout l = from;
    l.type = kind;
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), front = (int)get_global_id(2) * slices;
    if (!INSIDE(l, x, y, front))
        return;
    const int end = min(front + slices, l.depth);
    const uint min_value = from.type == FLOAT32 ? as_uint(1.0f) : 1;
    uint4 before, here, flat;
    ROLLED for (int z = max(front - 1, 0); z <= end; z++) {
        uint4 next = here, after = flat;
        if (z < l.depth) {
            next = FOUR(x, y, z);
            after = picked_in_slice(pixels, &l, x, y, z, box, wants);
        }
        if (z > front) {
            const uint4 around = pick(pick(before, flat, wants), box ? after : next, wants);
            const uint4 made = wants == LARGEST ? select(here, around, here < min_value)
                               : own            ? select((uint4)(0), here, here == around)
                                                : around;
            store_four_words(to_pixels, to.type, AT(to, x, y, z - 1), made, to.width - x, from.type, follows);
        }
        before = z == 0 ? after : box ? flat : here;
        here = next;
        flat = after;
    }
}

inline void grow(INPUT(from), OUTPUT(to), int slices, int box, int follows)
{
    if (from.type == UINT32)
        march_labels(from_pixels, from, to_pixels, to, UINT32, slices, box, LARGEST, 0, follows);
    else if (from.type == FLOAT32)
        march_labels(from_pixels, from, to_pixels, to, FLOAT32, slices, box, LARGEST, 0, follows);
    else
        march_labels(from_pixels, from, to_pixels, to, from.type, slices, box, LARGEST, 0, follows);
}

kernel void grow_box(INPUT(from), OUTPUT(to), int slices, int follows)
{
    grow(from_pixels, from, to_pixels, to, slices, 1, follows);
}

kernel void grow_cross(INPUT(from), OUTPUT(to), int slices, int follows)
{
    grow(from_pixels, from, to_pixels, to, slices, 0, follows);
}

/*
 * The smallest label among a pixel and its neighbours, background included; with `own`, the pixel's label if it is the
 * smallest, else 0.
 */
kernel void shrink_step(INPUT(from), OUTPUT(to), int box, int own, int slices)
{
    march_labels(from_pixels, from, to_pixels, to, from.type, slices, box, SMALLEST, own, 0);
}

/*
 * Converts a label map of any size to an image of uint32 without gaps between rows. Columns past the label map become
 * 0.
 */
kernel void grow_begin(INPUT(labels), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        ((global uint *)to_pixels)[AT(to, x, y, z)] = x < labels.width ? LOAD_LABEL_CLAMPED(labels, x, y, z) : 0;
}

kernel void grow_begin_vec4(INPUT(labels), OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE_FOUR_LABELS(to, x, y, z, LOAD_FOUR_LABELS(labels, x, y, z));
}

kernel void grow_end(INPUT(grown), int width, OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(labels, x, y, z))
        STORE_LABEL(labels, x, y, z, LOAD_LABEL_CLAMPED(grown, min(x, width - 1), y, z));
}
