/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequential thinning (Lee, Kashyap and Chu 1994), with subfields that determine the order. */
#include "reference.h"

#include <stdlib.h>

static bool is_object(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    const drua_shape s = image->shape;
    return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth &&
           image->pixels[(z * s.height + y) * s.width + x] != 0;
}

/* Marks the cells of one kind that are connected with `from`: by side or, for objects, by edge and corner too. */
static void mark_connected(const bool kind[27], bool by_corner, int from, bool reached[27])
{
    reached[from] = true;
    for (int to = 0; to < 27; to++) {
        const int dx = abs(from % 3 - to % 3), dy = abs(from / 3 % 3 - to / 3 % 3), dz = abs(from / 9 - to / 9);
        if (kind[to] && !reached[to] && (by_corner ? dx < 2 && dy < 2 && dz < 2 : dx + dy + dz == 1))
            mark_connected(kind, by_corner, to, reached);
    }
}

/* The number of connected sets of cells; only sets that contain a counted cell count. */
static int pieces(const bool kind[27], bool by_corner, const bool counted[27])
{
    bool reached[27] = {false};
    int count = 0;
    for (int i = 0; i < 27; i++)
        if (kind[i] && counted[i] && !reached[i]) {
            count++;
            mark_connected(kind, by_corner, i, reached);
        }
    return count;
}

/*
 * Returns whether the neighbourhood of a pixel has one connected set of object pixels and, within the 18 nearest cells,
 * one connected set of background pixels that touches the pixel's sides.
 */
static bool is_simple(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    bool object[27], background[27], all[27], beside[27];
    for (int i = 0; i < 27; i++) {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1, steps = abs(dx) + abs(dy) + abs(dz);
        object[i] = steps > 0 && is_object(image, x + dx, y + dy, z + dz);
        background[i] = steps > 0 && steps < 3 && !object[i];
        all[i] = true;
        beside[i] = steps == 1;
    }
    return pieces(object, true, all) == 1 && pieces(background, false, beside) == 1;
}

static int neighbours(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    int count = 0;
    for (int i = 0; i < 27; i++)
        count += i != 13 && is_object(image, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
    return count;
}

/* Marks removable pixels in the unchanged image, then removes the marked pixels one by one if they are still simple. */
static bool thin_from(reference_image *image, int64_t dx, int64_t dy, int64_t dz)
{
    bool changed = false;
    reference_image marks = reference_make(DRUA_UINT8, image->shape);
    REFERENCE_EACH_PIXEL(image->shape, x, y, z)
        if (is_object(image, x, y, z) && !is_object(image, x + dx, y + dy, z + dz) && neighbours(image, x, y, z) > 1 &&
            is_simple(image, x, y, z))
            reference_put(&marks, x, y, z, 1);
    for (int field = 0; field < 8; field++)
        REFERENCE_EACH_PIXEL(image->shape, x, y, z)
            if (x % 2 + 2 * (y % 2) + 4 * (z % 2) == field && reference_at(&marks, x, y, z) != 0 &&
                is_simple(image, x, y, z)) {
                reference_put(image, x, y, z, 0);
                changed = true;
            }
    reference_free(&marks);
    return changed;
}

void reference_skeletonize(const reference_image *source, reference_image *output)
{
    static const int side[6][3] = {{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, 0, 1}};
    reference_image thin = reference_make(DRUA_UINT8, source->shape);
    for (size_t i = 0; i < reference_count(source); i++)
        thin.pixels[i] = source->pixels[i] != 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < (source->shape.depth > 1 ? 6 : 4); i++)
            changed = thin_from(&thin, side[i][0], side[i][1], side[i][2]) || changed;
    }
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, is_object(&thin, x, y, z));
    reference_free(&thin);
}
