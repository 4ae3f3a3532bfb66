/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Differences between neighbours; each work-item computes vectors of pixels. Windows of 3 pixels per axis are sums over
 * planes. A work-item walks down `run` slices and keeps the sums of the last three slices, so it reads only 3 rows for
 * each slice.
 */

inline bool reads_in_vectors(const layout *from, const layout *to)
{
    return IN_VECTORS((*from)) && to->width <= from->width;
}

#define ROW(dy, dz) load_row_lanes(from_pixels, &from, x, y + (dy), first + (dz), reads_vectors)

kernel void gradient_across(INPUT(from), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), first = (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const bool reads_vectors = reads_in_vectors(&from, &to), writes_vectors = IN_VECTORS(to);
    const columns c = read_columns(from_pixels, &from, x, y, first, reads_vectors);
    store_row_lanes(to_pixels, &to, x, y, first, c.right - c.left, writes_vectors);
}

kernel void gradient_along(INPUT(from), OUTPUT(to), int dy, int dz)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), first = (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const bool reads_vectors = reads_in_vectors(&from, &to), writes_vectors = IN_VECTORS(to);
    store_row_lanes(to_pixels, &to, x, y, first, ROW(dy, dz) - ROW(-dy, -dz), writes_vectors);
}

typedef struct {
    FLOATV pixel, sum, sides;           /* the pixel; the sum of 9 pixels; the sum of the 4 side neighbours */
    /* weights 1 2 1 along both axes; difference along one axis, weights 1 2 1 along the other */
    FLOATV smooth, along_x, along_y;
} plane_sums;

inline plane_sums read_plane(global const uchar *from_pixels, const layout *from, int x, int y, int z, bool in_vectors)
{
    const columns top = read_columns(from_pixels, from, x, y - 1, z, in_vectors);
    const columns here = read_columns(from_pixels, from, x, y, z, in_vectors);
    const columns bottom = read_columns(from_pixels, from, x, y + 1, z, in_vectors);
    plane_sums s;
    const FLOATV above = top.left + 2 * top.middle + top.right, below = bottom.left + 2 * bottom.middle + bottom.right;
    s.pixel = here.middle;
    s.sum = (top.left + top.middle + top.right) + (here.left + here.middle + here.right) +
            (bottom.left + bottom.middle + bottom.right);
    s.sides = (here.left + here.right) + (top.middle + bottom.middle);
    s.smooth = above + 2 * (here.left + 2 * here.middle + here.right) + below;
    s.along_x = (top.right - top.left) + 2 * (here.right - here.left) + (bottom.right - bottom.left);
    s.along_y = below - above;
    return s;
}

enum { SOBEL_MAGNITUDE, SOBEL_ENERGY, LAPLACE_BOX, LAPLACE_DIAMOND };

inline FLOATV square(FLOATV value)
{
    return value * value;
}

/* Returns the result for an image of one plane. */
inline FLOATV flat_result(const plane_sums *here, int wanted)
{
    const FLOATV squares = square(here->along_x) + square(here->along_y);
    if (wanted == LAPLACE_BOX)
        return 9 * here->pixel - here->sum;
    return wanted == SOBEL_MAGNITUDE ? sqrt(squares)
           : wanted == SOBEL_ENERGY  ? squares
                                     : 4 * here->pixel - here->sides;
}

inline FLOATV deep_result(const plane_sums *before, const plane_sums *here, const plane_sums *after, int wanted)
{
    const FLOATV squares = square(before->along_x + 2 * here->along_x + after->along_x) +
                           square(before->along_y + 2 * here->along_y + after->along_y) +
                           square(after->smooth - before->smooth);
    if (wanted == LAPLACE_BOX)
        return 27 * here->pixel - (before->sum + here->sum + after->sum);
    return wanted == SOBEL_MAGNITUDE ? sqrt(squares)
           : wanted == SOBEL_ENERGY  ? squares
                                     : 6 * here->pixel - (here->sides + (before->pixel + after->pixel));
}

/* Walks down the slices. `wanted` is a constant. */
inline void march(INPUT(from), OUTPUT(to), int flat, int run, int wanted)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), first = run * (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const bool reads_vectors = reads_in_vectors(&from, &to), writes_vectors = IN_VECTORS(to);
    const int end = min(first + run, to.depth) + (flat ? 0 : 1);
    plane_sums before, here;
    ROLLED for (int z = flat ? first : first - 1; z < end; z++) {
        const plane_sums after = read_plane(from_pixels, &from, x, y, z, reads_vectors);
        if (flat || z > first) {
            FLOATV v = flat ? flat_result(&after, wanted) : deep_result(&before, &here, &after, wanted);
            if (wanted == SOBEL_MAGNITUDE && to.type != FLOAT32)
                v = snap_lanes(v, ROUNDINGS_OF_ROOT);
            store_row_lanes(to_pixels, &to, x, y, flat ? z : z - 1, v, writes_vectors);
        }
        before = here;
        here = after;
    }
}

kernel void sobel_magnitude(INPUT(from), OUTPUT(to), int flat, int run)
{
    march(from_pixels, from, to_pixels, to, flat, run, SOBEL_MAGNITUDE);
}

kernel void sobel_energy(INPUT(from), OUTPUT(to), int flat, int run)
{
    march(from_pixels, from, to_pixels, to, flat, run, SOBEL_ENERGY);
}

kernel void laplace_box(INPUT(from), OUTPUT(to), int flat, int run)
{
    march(from_pixels, from, to_pixels, to, flat, run, LAPLACE_BOX);
}

kernel void laplace_diamond(INPUT(from), OUTPUT(to), int flat, int run)
{
    march(from_pixels, from, to_pixels, to, flat, run, LAPLACE_DIAMOND);
}
