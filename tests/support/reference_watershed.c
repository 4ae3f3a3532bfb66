/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reference versions of regional maxima, and of objects that are divided between the maxima to which their pixels
 * climb.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

/* ---- maxima: a flood fills each plateau, which stays marked if no neighbouring pixel is higher */

static void fill_plateau(const reference_image *image, reference_image *number, int64_t pixel, double mark,
                         bool *is_top, int64_t *stack)
{
    const drua_shape s = image->shape;
    int64_t count = 0;
    stack[count++] = pixel;
    number->pixels[pixel] = mark;
    while (count > 0) {
        const int64_t at = stack[--count], x = at % s.width, y = at / s.width % s.height, z = at / s.width / s.height;
        REFERENCE_EACH_AROUND(dx, dy, dz) {
            if (!reference_is_inside(s, x + dx, y + dy, z + dz))
                continue;
            const int64_t next = at + dx + s.width * (dy + s.height * dz);
            *is_top = *is_top && !(image->pixels[next] > image->pixels[at]);
            if (image->pixels[next] == image->pixels[at] && number->pixels[next] == 0) {
                number->pixels[next] = mark;
                stack[count++] = next;
            }
        }
    }
}

void reference_regional_maxima(const reference_image *image, reference_image *output)
{
    const size_t count = reference_count(image);
    reference_image number = reference_make(DRUA_FLOAT32, image->shape);
    int64_t *stack = reference_allocate(count, sizeof *stack);
    bool *tops = reference_allocate(count + 1, sizeof *tops);
    double regions = 0;
    for (size_t i = 0; i < count; i++)
        if (number.pixels[i] == 0) {
            regions++;
            tops[(size_t)regions] = true;
            fill_plateau(image, &number, (int64_t)i, regions, &tops[(size_t)regions], stack);
        }
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, tops[(size_t)reference_at(&number, x, y, z)]);
    reference_free(&number);
    free(stack);
    free(tops);
}

/* Whether, from a pixel in both directions along an axis, a lower value or the border comes before a higher value. */
static bool is_top_along(const reference_image *image, int64_t x, int64_t y, int64_t z, reference_axis axis)
{
    const double here = reference_at(image, x, y, z);
    for (int way = -1; way <= 1; way += 2)
        for (int64_t step = way;; step += way) {
            const int64_t i = x + (axis == REFERENCE_X) * step, j = y + (axis == REFERENCE_Y) * step,
                          k = z + (axis == REFERENCE_Z) * step;
            if (!reference_is_inside(image->shape, i, j, k) || reference_at(image, i, j, k) < here)
                break;
            if (reference_at(image, i, j, k) > here)
                return false;
        }
    return true;
}

void reference_maxima_along_axes(const reference_image *image, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z,
                      is_top_along(image, x, y, z, REFERENCE_X) && is_top_along(image, x, y, z, REFERENCE_Y) &&
                          is_top_along(image, x, y, z, REFERENCE_Z));
}

void reference_distance_map(const reference_image *mask, reference_image *output)
{
    reference_image left = reference_make(DRUA_UINT8, mask->shape);
    for (size_t i = 0; i < reference_count(mask); i++)
        left.pixels[i] = mask->pixels[i] != 0;
    const bool endless = reference_reduce(&left, REFERENCE_MINIMUM) > 0;
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, endless ? INFINITY : 0);
    for (int64_t step = 0; !endless && reference_reduce(&left, REFERENCE_MAXIMUM) > 0; step++) {
        reference_image before = reference_duplicate(&left);
        REFERENCE_EACH_PIXEL(output->shape, x, y, z)
            if (reference_at(&before, x, y, z) > 0)
                reference_put(output, x, y, z, (double)(step + 1));
        reference_window(&before, REFERENCE_WINDOW_MINIMUM, step % 2 == 0,
                         (const int64_t[]){1, 1, mask->shape.depth > 1}, &left);
        reference_free(&before);
    }
    reference_free(&left);
}

/* ---- one step of all pixels at a time */

static bool climb(reference_image *labels, reference_image *heights, double threshold)
{
    reference_image labels_before = reference_duplicate(labels), heights_before = reference_duplicate(heights);
    bool changed = false;
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        double best = reference_at(&heights_before, x, y, z), label = 0;
        if (reference_at(&labels_before, x, y, z) != 0 || best <= threshold)
            continue;
        REFERENCE_EACH_AROUND(dx, dy, dz)
            if (reference_at(&heights_before, x + dx, y + dy, z + dz) > best) {
                best = reference_at(&heights_before, x + dx, y + dy, z + dz);
                label = reference_at(&labels_before, x + dx, y + dy, z + dz);
            }
        reference_put(labels, x, y, z, label);
        reference_put(heights, x, y, z, best);
        changed = changed || label != 0;
    }
    reference_free(&labels_before);
    reference_free(&heights_before);
    return changed;
}

void reference_seeded_watershed(const reference_image *seeds, const reference_image *source, double threshold,
                                reference_image *output)
{
    reference_image labels = reference_make(DRUA_UINT32, seeds->shape),
                    heights = reference_make(DRUA_FLOAT32, seeds->shape);
    REFERENCE_EACH_PIXEL(seeds->shape, x, y, z) {
        reference_put(&labels, x, y, z, reference_at(seeds, x, y, z));
        reference_put(&heights, x, y, z, reference_at(source, x, y, z));
    }
    while (climb(&labels, &heights, threshold))
        ;
    reference_copy(&labels, output);
    reference_free(&labels);
    reference_free(&heights);
}

void reference_cut_objects(const reference_image *mask, const reference_image *heights, reference_image *output)
{
    reference_image tops = reference_make(DRUA_UINT8, mask->shape), seeds = reference_make(DRUA_UINT32, mask->shape),
                    regions = reference_make(DRUA_UINT32, mask->shape);
    reference_regional_maxima(heights, &tops);
    for (size_t i = 0; i < reference_count(&tops); i++)
        tops.pixels[i] = tops.pixels[i] != 0 && mask->pixels[i] != 0;
    reference_connected_components(&tops, REFERENCE_BOX, &seeds);
    reference_seeded_watershed(&seeds, heights, 0, &regions);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const double label = reference_at(&regions, x, y, z);
        bool stays = label > 0;
        REFERENCE_EACH_AROUND(dx, dy, dz)
            stays = stays && reference_at(&regions, x + dx, y + dy, z + dz) >= label;
        reference_put(output, x, y, z, stays);
    }
    reference_free(&tops);
    reference_free(&seeds);
    reference_free(&regions);
}
