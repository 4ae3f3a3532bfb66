/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Differences between neighbours. Windows of 3 pixels an axis are sums over planes: a work-item goes down RUN slices and keeps
 * what it found in the three last ones, so a slice costs 9 reads.
 */

enum { RUN = 16 };

kernel void gradient(INPUT(from), OUTPUT(to), int dx, int dy, int dz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(from, x + dx, y + dy, z + dz) - LOAD_CLAMPED(from, x - dx, y - dy, z - dz));
}

typedef struct {
    float pixel, sum;           /* of 9 pixels */
    float smooth, along_x, along_y;     /* weights 1 2 1 both ways; differences along one axis, 1 2 1 along the other */
} plane_sums;

inline plane_sums read_plane(global const uchar *from_pixels, const layout *image, int x, int y, int z)
{
    const layout from = *image;
    float left[3], middle[3], right[3];
    for (int j = 0; j < 3; j++) {
        left[j] = LOAD_CLAMPED(from, x - 1, y + j - 1, z);
        middle[j] = LOAD_CLAMPED(from, x, y + j - 1, z);
        right[j] = LOAD_CLAMPED(from, x + 1, y + j - 1, z);
    }
    plane_sums s;
    const float above = left[0] + 2 * middle[0] + right[0], below = left[2] + 2 * middle[2] + right[2];
    s.pixel = middle[1];
    s.sum = (left[0] + middle[0] + right[0]) + (left[1] + middle[1] + right[1]) + (left[2] + middle[2] + right[2]);
    s.smooth = above + 2 * (left[1] + 2 * middle[1] + right[1]) + below;
    s.along_x = (right[0] - left[0]) + 2 * (right[1] - left[1]) + (right[2] - left[2]);
    s.along_y = below - above;
    return s;
}

/* `result` is made from the planes `before`, `here`, `after`; a flat image has `here` only. */
#define MARCH(flat_result, result, store)                                                                                        \
    const int x = get_global_id(0), y = get_global_id(1), first = (int)get_global_id(2) * RUN;                                   \
    if (!INSIDE(to, x, y, first))                                                                                                \
        return;                                                                                                                  \
    plane_sums here = read_plane(from_pixels, &from, x, y, first), before, after = here;                                         \
    if (!flat)                                                                                                                   \
        before = read_plane(from_pixels, &from, x, y, first - 1);                                                                \
    for (int z = first; z < min(first + RUN, to.depth); z++) {                                                                   \
        if (flat) {                                                                                                              \
            if (z > first)                                                                                                       \
                here = read_plane(from_pixels, &from, x, y, z);                                                                  \
            store(to, x, y, z, flat_result);                                                                                     \
        } else {                                                                                                                 \
            after = read_plane(from_pixels, &from, x, y, z + 1);                                                                 \
            store(to, x, y, z, result);                                                                                          \
            before = here;                                                                                                       \
            here = after;                                                                                                        \
        }                                                                                                                        \
    }

#define SQUARE(value) ((value) * (value))
#define FLAT_SQUARES (SQUARE(here.along_x) + SQUARE(here.along_y))
#define SQUARES                                                                                                                  \
    (SQUARE(before.along_x + 2 * here.along_x + after.along_x) + SQUARE(before.along_y + 2 * here.along_y + after.along_y) +      \
     SQUARE(after.smooth - before.smooth))

kernel void sobel_magnitude(INPUT(from), OUTPUT(to), int flat)
{
    MARCH(sqrt(FLAT_SQUARES), sqrt(SQUARES), STORE_SNAPPED)
}

kernel void sobel_energy(INPUT(from), OUTPUT(to), int flat)
{
    MARCH(FLAT_SQUARES, SQUARES, STORE)
}

kernel void laplace_box(INPUT(from), OUTPUT(to), int flat)
{
    MARCH(9 * here.pixel - here.sum, 27 * here.pixel - (before.sum + here.sum + after.sum), STORE)
}

kernel void laplace_diamond(INPUT(from), OUTPUT(to), int flat)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float sum = (LOAD_CLAMPED(from, x - 1, y, z) + LOAD_CLAMPED(from, x + 1, y, z)) +
                (LOAD_CLAMPED(from, x, y - 1, z) + LOAD_CLAMPED(from, x, y + 1, z));
    if (!flat)
        sum += LOAD_CLAMPED(from, x, y, z - 1) + LOAD_CLAMPED(from, x, y, z + 1);
    STORE(to, x, y, z, (flat ? 4 : 6) * LOAD_CLAMPED(from, x, y, z) - sum);
}
