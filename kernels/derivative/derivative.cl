/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Differences between neighbours. Work-items make vectors of pixels. Windows of 3 pixels an axis are sums over planes: a
 * work-item goes down `run` slices and keeps what it found in the three last ones, so a slice costs 3 rows.
 */

/* Where a work-item starts, and which images it may read and write as vectors. */
#define POSITION(slices)                                                                                                         \
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), first = (slices) * (int)get_global_id(2);            \
    if (!INSIDE(to, x, y, first))                                                                                                \
        return;                                                                                                                  \
    const bool reads_vectors = IN_VECTORS(from) && to.width <= from.width, writes_vectors = IN_VECTORS(to);

#define ROW(dy, dz) load_row_lanes(from_pixels, &from, x, y + (dy), first + (dz), reads_vectors)

kernel void gradient_across(INPUT(from), OUTPUT(to))
{
    POSITION(1)
    const columns c = read_columns(from_pixels, &from, x, y, first, reads_vectors);
    store_row_lanes(to_pixels, &to, x, y, first, c.right - c.left, writes_vectors);
}

kernel void gradient_along(INPUT(from), OUTPUT(to), int dy, int dz)
{
    POSITION(1)
    store_row_lanes(to_pixels, &to, x, y, first, ROW(dy, dz) - ROW(-dy, -dz), writes_vectors);
}

typedef struct {
    FLOATV pixel, sum, sides;           /* of 9 pixels; of 4 */
    FLOATV smooth, along_x, along_y;    /* weights 1 2 1 both ways; differences along one axis, 1 2 1 along the other */
} plane_sums;

inline plane_sums read_plane(global const uchar *from_pixels, const layout *from, int x, int y, int z, bool in_vectors)
{
    const columns top = read_columns(from_pixels, from, x, y - 1, z, in_vectors);
    const columns here = read_columns(from_pixels, from, x, y, z, in_vectors);
    const columns bottom = read_columns(from_pixels, from, x, y + 1, z, in_vectors);
    plane_sums s;
    const FLOATV above = top.left + 2 * top.middle + top.right, below = bottom.left + 2 * bottom.middle + bottom.right;
    s.pixel = here.middle;
    s.sum = (top.left + top.middle + top.right) + (here.left + here.middle + here.right) + (bottom.left + bottom.middle + bottom.right);
    s.sides = (here.left + here.right) + (top.middle + bottom.middle);
    s.smooth = above + 2 * (here.left + 2 * here.middle + here.right) + below;
    s.along_x = (top.right - top.left) + 2 * (here.right - here.left) + (bottom.right - bottom.left);
    s.along_y = below - above;
    return s;
}

#define PLANE(z) read_plane(from_pixels, &from, x, y, z, reads_vectors)

/* `result` is made from the planes `before`, `here`, `after`; a flat image has `here` only. */
#define MARCH(flat_result, result, snapped)                                                                                      \
    POSITION(run)                                                                                                                \
    plane_sums here = PLANE(first), before, after = here;                                                                        \
    if (!flat)                                                                                                                   \
        before = PLANE(first - 1);                                                                                               \
    for (int z = first; z < min(first + run, to.depth); z++) {                                                                   \
        FLOATV v;                                                                                                                \
        if (flat) {                                                                                                              \
            if (z > first)                                                                                                       \
                here = PLANE(z);                                                                                                 \
            v = flat_result;                                                                                                     \
        } else {                                                                                                                 \
            after = PLANE(z + 1);                                                                                                \
            v = result;                                                                                                          \
            before = here;                                                                                                       \
            here = after;                                                                                                        \
        }                                                                                                                        \
        store_row_lanes(to_pixels, &to, x, y, z, snapped && to.type != FLOAT32 ? snap_lanes(v) : v, writes_vectors);                   \
    }

#define SQUARE(value) ((value) * (value))
#define FLAT_SQUARES (SQUARE(here.along_x) + SQUARE(here.along_y))
#define SQUARES                                                                                                                  \
    (SQUARE(before.along_x + 2 * here.along_x + after.along_x) + SQUARE(before.along_y + 2 * here.along_y + after.along_y) +      \
     SQUARE(after.smooth - before.smooth))

kernel void sobel_magnitude(INPUT(from), OUTPUT(to), int flat, int run)
{
    MARCH(sqrt(FLAT_SQUARES), sqrt(SQUARES), true)
}

kernel void sobel_energy(INPUT(from), OUTPUT(to), int flat, int run)
{
    MARCH(FLAT_SQUARES, SQUARES, false)
}

kernel void laplace_box(INPUT(from), OUTPUT(to), int flat, int run)
{
    MARCH(9 * here.pixel - here.sum, 27 * here.pixel - (before.sum + here.sum + after.sum), false)
}

kernel void laplace_diamond(INPUT(from), OUTPUT(to), int flat, int run)
{
    MARCH(4 * here.pixel - here.sides, 6 * here.pixel - (here.sides + (before.pixel + after.pixel)), false)
}
