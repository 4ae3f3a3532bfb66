/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks pixels that no neighbour exceeds and no earlier neighbour equals. Earlier means smaller x, then y, then z. A
 * work-item walks down RUN pixels of a column and keeps the maxima of three rows.
 */

enum { RUN = 8 };

/* Maxima of the neighbours in a row over all slices: at x - 1, x and x + 1. */
typedef struct {
    float before, at, after, above, below, pixel;
} row_maxima;

inline float signed_pixel(global const uchar *pixels, const layout *from, int x, int y, int z, float sign)
{
    const layout l = *from;
    if (x < 0 || y < 0 || z < 0 || !INSIDE(l, x, y, z))
        return -INFINITY;
    return sign * load_float(pixels, l.type, AT(l, x, y, z));
}

inline row_maxima read_maxima(global const uchar *pixels, const layout *from, int x, int y, int z, float sign,
                              int across_slices)
{
    row_maxima r;
    r.before = signed_pixel(pixels, from, x - 1, y, z, sign);
    r.pixel = r.at = signed_pixel(pixels, from, x, y, z, sign);
    r.after = signed_pixel(pixels, from, x + 1, y, z, sign);
    r.above = r.below = -INFINITY;
    if (across_slices) {
        r.above = signed_pixel(pixels, from, x, y, z - 1, sign);
        r.below = signed_pixel(pixels, from, x, y, z + 1, sign);
        r.at = fmax(r.at, fmax(r.above, r.below));
        r.before = fmax(r.before, fmax(signed_pixel(pixels, from, x - 1, y, z - 1, sign),
                                       signed_pixel(pixels, from, x - 1, y, z + 1, sign)));
        r.after = fmax(r.after, fmax(signed_pixel(pixels, from, x + 1, y, z - 1, sign),
                                     signed_pixel(pixels, from, x + 1, y, z + 1, sign)));
    }
    return r;
}

/* sign 1 marks maxima, -1 minima. */
kernel void mark_extrema(INPUT(from), OUTPUT(to), float sign, int across_slices)
{
    const int x = (int)get_global_id(0), first = RUN * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, first, z))
        return;
    row_maxima last = read_maxima(from_pixels, &from, x, first - 1, z, sign, across_slices);
    row_maxima here = read_maxima(from_pixels, &from, x, first, z, sign, across_slices);
    for (int y = first; y < min(first + RUN, to.height); y++) {
        const row_maxima next = read_maxima(from_pixels, &from, x, y + 1, z, sign, across_slices);
        const float earlier = fmax(fmax(fmax(last.before, here.before), fmax(next.before, last.at)), here.above);
        const float later = fmax(fmax(fmax(last.after, here.after), fmax(next.after, next.at)), here.below);
        STORE(to, x, y, z, here.pixel > earlier && here.pixel >= later ? 1.0f : 0.0f);
        last = here;
        here = next;
    }
}

inline float4 four_pixels(global const uchar *pixels, const layout *image, int x, int y, int z, float sign)
{
    const layout l = *image;
    if (y < 0 || y >= l.height)
        return -INFINITY;
    return sign * load_four_pixels(pixels, l.type, AT(l, x, y, z));
}

/* Four pixels of a slice, with the maxima of their earlier and of their later neighbours in that slice. */
typedef struct {
    float4 pixels, earlier, later;
} slice_maxima;

inline slice_maxima read_slice(global const uchar *pixels, const layout *from, int x, int y, int z, float sign,
                               int count)
{
    slice_maxima s;
    s.pixels = s.earlier = s.later = -INFINITY;
    if (z < 0 || z >= from->depth)
        return s;
    s.pixels = four_pixels(pixels, from, x, y, z, sign);
    const float4 above = four_pixels(pixels, from, x, y - 1, z, sign),
                 below = four_pixels(pixels, from, x, y + 1, z, sign);
    const float4 columns = fmax(fmax(above, below), s.pixels);
    const float before =
        fmax(fmax(signed_pixel(pixels, from, x - 1, y - 1, z, sign), signed_pixel(pixels, from, x - 1, y + 1, z, sign)),
             signed_pixel(pixels, from, x - 1, y, z, sign));
    const float after =
        fmax(fmax(signed_pixel(pixels, from, x + 4, y - 1, z, sign), signed_pixel(pixels, from, x + 4, y + 1, z, sign)),
             signed_pixel(pixels, from, x + 4, y, z, sign));
    s.earlier = fmax((float4)(before, columns.xyz), above);
    float4 next = (float4)(columns.yzw, after);
    if (count < 4)
        next = select((float4)(-INFINITY), next, FIRST_OF_FOUR(count - 1));
    s.later = fmax(next, below);
    return s;
}

/* Walks from slice to slice. If the image's type is a constant, the loads have no branches. */
inline void march_extrema(global const uchar *from_pixels, const layout *image, global uchar *to_pixels,
                          const layout *target, int x, int y, int front, int slices, float sign, int across_slices,
                          int count)
{
    const layout to = *target;
    slice_maxima here = read_slice(from_pixels, image, x, y, front, sign, count);
    slice_maxima last = read_slice(from_pixels, image, x, y, across_slices ? front - 1 : -1, sign, count);
    for (int z = front; z < min(front + slices, to.depth); z++) {
        const slice_maxima next = read_slice(from_pixels, image, x, y, across_slices ? z + 1 : -1, sign, count);
        const float4 earlier = fmax(fmax(last.earlier, last.pixels), fmax(here.earlier, next.earlier));
        const float4 later = fmax(fmax(next.later, next.pixels), fmax(here.later, last.later));
        const int4 found = here.pixels > earlier && here.pixels >= later;
        store_four_labels(to_pixels, to.type, AT(to, x, y, z), as_uint4(found & 1), count);
        last = here;
        here = next;
    }
}

/* Marks extrema of images whose rows are aligned to four pixels; a work-item walks through the slices. */
inline void mark_vec4(INPUT(from), OUTPUT(to), float sign, int across_slices, int slices, int x, int count)
{
    const int y = (int)get_global_id(1), front = slices * (int)get_global_id(2);
    layout image = from;
    if (!INSIDE(to, x, y, front))
        return;
    if (from.type == FLOAT32) {
        image.type = FLOAT32;
        march_extrema(from_pixels, &image, to_pixels, &to, x, y, front, slices, sign, across_slices, count);
    } else {
        march_extrema(from_pixels, &image, to_pixels, &to, x, y, front, slices, sign, across_slices, count);
    }
}

kernel void mark_extrema_vec4(INPUT(from), OUTPUT(to), float sign, int across_slices, int slices)
{
    mark_vec4(from_pixels, from, to_pixels, to, sign, across_slices, slices, 4 * (int)get_global_id(0), 4);
}

/* Like mark_extrema, for rows of any length; testing for the end of a row takes a quarter longer. */
kernel void mark_extrema_to_row_ends(INPUT(from), OUTPUT(to), float sign, int across_slices, int slices)
{
    const int x = 4 * (int)get_global_id(0);
    mark_vec4(from_pixels, from, to_pixels, to, sign, across_slices, slices, x, to.width - x);
}
