/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks pixels that no neighbour exceeds and no earlier neighbour equals; earlier means smaller x, then y, then z.
 * A work-item goes down RUN pixels of a column and keeps the maxima of three rows.
 */

enum { RUN = 8 };

/* Largest values of a row's neighbours, slices taken together: before x, at x, after x. */
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

inline row_maxima read_maxima(global const uchar *pixels, const layout *from, int x, int y, int z, float sign, int across_slices)
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
        r.before = fmax(r.before, fmax(signed_pixel(pixels, from, x - 1, y, z - 1, sign), signed_pixel(pixels, from, x - 1, y, z + 1, sign)));
        r.after = fmax(r.after, fmax(signed_pixel(pixels, from, x + 1, y, z - 1, sign), signed_pixel(pixels, from, x + 1, y, z + 1, sign)));
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
