/* SPDX-License-Identifier: BSD-3-Clause */
/* Growth of label maps: dilation, Voronoi regions. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static double largest_around(const reference_image *labels, int64_t x, int64_t y, int64_t z,
                             reference_neighbourhood neighbourhood)
{
    double largest = 0;
    for (int64_t dz = -1; dz <= 1; dz++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++)
                if (neighbourhood == REFERENCE_BOX || llabs(dx) + llabs(dy) + llabs(dz) <= 1)
                    largest = fmax(largest, reference_at(labels, x + dx, y + dy, z + dz));
    return largest;
}

/* One pass over zero pixels inside the mask (NULL: everywhere). Returns whether a pixel changed. */
static bool grow_once(reference_image *labels, const reference_image *mask, reference_neighbourhood neighbourhood)
{
    bool changed = false;
    reference_image before = reference_duplicate(labels);
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        if (reference_at(&before, x, y, z) != 0 || (mask && reference_at(mask, x, y, z) == 0))
            continue;
        const double label = largest_around(&before, x, y, z, neighbourhood);
        reference_put(labels, x, y, z, label);
        changed = changed || label != 0;
    }
    reference_free(&before);
    return changed;
}

/* Grows by box and diamond alternately until neither changes a pixel. */
static void grow_fully(reference_image *labels, const reference_image *mask)
{
    bool changed = true;
    while (changed) {
        changed = grow_once(labels, mask, REFERENCE_BOX);
        changed = grow_once(labels, mask, REFERENCE_DIAMOND) || changed;
    }
}

void reference_grow_once(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const double value = reference_at(source, x, y, z);
        reference_put(output, x, y, z, value != 0 ? value : largest_around(source, x, y, z, neighbourhood));
    }
}

void reference_extend_labels(const reference_image *labels, reference_image *output)
{
    reference_copy(labels, output);
    grow_fully(output, NULL);
}

void reference_dilate_labels(const reference_image *labels, int64_t radius, reference_image *output)
{
    reference_copy(labels, output);
    for (int64_t pass = 0; pass < radius; pass++)
        grow_once(output, NULL, pass % 2 == 0 ? REFERENCE_BOX : REFERENCE_DIAMOND);
}

void reference_voronoi_labeling(const reference_image *spots, reference_image *labels)
{
    reference_connected_components(spots, REFERENCE_DIAMOND, labels);
    grow_fully(labels, NULL);
}

void reference_masked_voronoi_labeling(const reference_image *spots, const reference_image *mask,
                                       reference_image *labels)
{
    reference_connected_components(spots, REFERENCE_DIAMOND, labels);
    reference_image seeds = reference_duplicate(labels);
    reference_pointwise("mask", (const reference_image *const[]){&seeds, mask}, NULL, labels);
    reference_free(&seeds);
    grow_fully(labels, mask);
}

void reference_voronoi_otsu_of_blurred(const reference_image *for_spots, const reference_image *for_outlines,
                                       reference_image *labels)
{
    reference_image maxima = reference_make(DRUA_UINT8, labels->shape),
                    mask = reference_make(DRUA_UINT8, labels->shape), spots = reference_make(DRUA_UINT8, labels->shape);
    reference_detect_maxima(for_spots, 0, 0, 0, for_spots->shape.dimension == 3, &maxima);
    reference_automatic_threshold(for_outlines, "Otsu", &mask);
    reference_pointwise("binary_and", (const reference_image *const[]){&maxima, &mask}, NULL, &spots);
    reference_masked_voronoi_labeling(&spots, &mask, labels);
    reference_free(&maxima);
    reference_free(&mask);
    reference_free(&spots);
}

void reference_voronoi_otsu_labeling(const reference_image *source, double spot_sigma, double outline_sigma,
                                     reference_image *labels)
{
    const bool stack = source->shape.dimension == 3;
    reference_image for_spots = reference_make(DRUA_FLOAT32, source->shape),
                    for_outlines = reference_make(DRUA_FLOAT32, source->shape);
    reference_gaussian_blur(source, spot_sigma, spot_sigma, stack ? spot_sigma : 0, &for_spots);
    reference_gaussian_blur(source, outline_sigma, outline_sigma, stack ? outline_sigma : 0, &for_outlines);
    reference_voronoi_otsu_of_blurred(&for_spots, &for_outlines, labels);
    reference_free(&for_spots);
    reference_free(&for_outlines);
}
