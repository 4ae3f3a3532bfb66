/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A zero becomes the largest value around it, across faces, edges and corners (box) or across faces only. A work-item
 * walks down OVERWRITE_RUN slices with LANES pixels of a row and keeps the results of the last three.
 */

enum { OVERWRITE_RUN = 16 };

typedef struct {
    FLOATV pixel, around;       /* the largest of 9 pixels, or of 5 without corners */
} largest_in_plane;

inline largest_in_plane read_largest(global const uchar *pixels, const layout *from, int x, int y, int z,
                                     bool in_vectors, int box)
{
    largest_in_plane l;
    const columns here = read_columns(pixels, from, x, y, z, in_vectors);
    l.pixel = here.middle;
    l.around = fmax(fmax(here.left, here.right), here.middle);
    if (box) {
        const columns above = read_columns(pixels, from, x, y - 1, z, in_vectors);
        const columns below = read_columns(pixels, from, x, y + 1, z, in_vectors);
        l.around = fmax(l.around, fmax(fmax(above.left, above.right), above.middle));
        l.around = fmax(l.around, fmax(fmax(below.left, below.right), below.middle));
    } else {
        l.around = fmax(l.around, load_row_lanes(pixels, from, x, y - 1, z, in_vectors));
        l.around = fmax(l.around, load_row_lanes(pixels, from, x, y + 1, z, in_vectors));
    }
    return l;
}

kernel void overwrite_zeros(INPUT(from), OUTPUT(to), int box)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1),
              first = OVERWRITE_RUN * (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const bool reads_vectors = IN_VECTORS(from) && to.width <= from.width, writes_vectors = IN_VECTORS(to),
               deep = from.depth > 1;
    const int end = min(first + OVERWRITE_RUN, to.depth) + (deep ? 1 : 0);
    largest_in_plane before, here;
    ROLLED for (int z = deep ? first - 1 : first; z < end; z++) {
        const largest_in_plane after = read_largest(from_pixels, &from, x, y, z, reads_vectors, box);
        if (!deep)
            before = here = after;
        if (!deep || z > first) {
            const FLOATV beside = box ? fmax(before.around, after.around) : fmax(before.pixel, after.pixel);
            const FLOATV largest = fmax(fmax(here.around, beside), (FLOATV)(0.0f));
            store_row_lanes(to_pixels, &to, x, y, deep ? z - 1 : z, select(here.pixel, largest, here.pixel == 0.0f),
                            writes_vectors);
        }
        before = here;
        here = after;
    }
}

/* Like overwrite_zeros, for 32-bit integers, which float32 would round. A work-item computes one pixel. */
kernel void overwrite_zeros_of_integers(INPUT(from), OUTPUT(to), int box)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const long pixel = LOAD_WHOLE_CLAMPED(from, x, y, z);
    long largest = pixel;
    for (int dz = -1; pixel == 0 && dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (box || abs(dx) + abs(dy) + abs(dz) == 1)
                    largest = max(largest, LOAD_WHOLE_CLAMPED(from, x + dx, y + dy, z + dz));
    STORE_WHOLE(to, x, y, z, largest);
}
