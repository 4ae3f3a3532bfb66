/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters over a neighbourhood: Gaussian, box, local maxima. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

/* One pass along an axis. Without an element type, the output keeps the sums in double precision. */
static reference_image blurred_along(const reference_image *source, reference_axis axis, double sigma)
{
    if (sigma <= 0)
        return reference_duplicate(source);
    int64_t taps = (int64_t)(8 * sigma);
    if (taps % 2 == 0)
        taps++;
    const int64_t centre = (taps - 1) / 2;
    double *weights = reference_allocate((size_t)taps, sizeof *weights);
    double total = 0;
    for (int64_t i = 0; i < taps; i++) {
        const double v = (double)(i - centre);
        weights[i] = exp(-v * v / (2 * sigma * sigma));
        total += weights[i];
    }

    reference_image output = reference_make(DRUA_NO_TYPE, source->shape);
    REFERENCE_EACH_PIXEL(output.shape, x, y, z) {
        double sum = 0;
        for (int64_t i = 0; i < taps; i++) {
            int64_t position[3] = {x, y, z};
            position[axis] += i - centre;
            sum += weights[i] * reference_at(source, position[0], position[1], position[2]);
        }
        reference_put(&output, x, y, z, sum / total);
    }
    free(weights);
    return output;
}

void reference_gaussian_blur(const reference_image *source, double sigma_x, double sigma_y, double sigma_z,
                             reference_image *output)
{
    reference_image along_x = blurred_along(source, REFERENCE_X, sigma_x);
    reference_image along_y = blurred_along(&along_x, REFERENCE_Y, sigma_y);
    reference_image along_z = blurred_along(&along_y, REFERENCE_Z, sigma_z);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put_snapped(output, x, y, z, reference_at(&along_z, x, y, z));
    reference_free(&along_x);
    reference_free(&along_y);
    reference_free(&along_z);
}

void reference_box(const reference_image *source, reference_reduction reduction, int64_t radius_x, int64_t radius_y,
                   int64_t radius_z, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        double min = NAN, greatest = NAN, sum = 0, count = 0;
        for (int64_t dz = -radius_z; dz <= radius_z; dz++)
            for (int64_t dy = -radius_y; dy <= radius_y; dy++)
                for (int64_t dx = -radius_x; dx <= radius_x; dx++) {
                    const double value = reference_at(source, x + dx, y + dy, z + dz);
                    min = fmin(min, value);
                    greatest = fmax(greatest, value);
                    sum += value;
                    count++;
                }
        const double results[] = {[REFERENCE_MINIMUM] = min,
                                  [REFERENCE_MAXIMUM] = greatest,
                                  [REFERENCE_MEAN] = sum / count,
                                  [REFERENCE_SUM] = sum};
        /* No snapping: sums of integers are exact in double precision, and so is the integer part of their mean. */
        reference_put(output, x, y, z, results[reduction]);
    }
}

static bool is_maximum(const reference_image *image, int64_t x, int64_t y, int64_t z, bool across_slices)
{
    const double value = reference_at(image, x, y, z);
    const int64_t reach = across_slices ? 1 : 0;
    bool earlier = true;
    for (int64_t dx = -1; dx <= 1; dx++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dz = -reach; dz <= reach; dz++) {
                if (dx == 0 && dy == 0 && dz == 0) {
                    earlier = false;
                    continue;
                }
                if (x + dx < 0 || y + dy < 0 || z + dz < 0 || x + dx >= image->shape.width ||
                    y + dy >= image->shape.height || z + dz >= image->shape.depth)
                    continue;
                const double neighbour = reference_at(image, x + dx, y + dy, z + dz);
                if (neighbour > value || (earlier && neighbour == value))
                    return false;
            }
    return true;
}

void reference_detect_maxima(const reference_image *source, int64_t radius_x, int64_t radius_y, int64_t radius_z,
                             bool across_slices, reference_image *output)
{
    /* A float32 mean, because truncation would create plateaus. */
    reference_image mean = reference_make(DRUA_FLOAT32, source->shape);
    reference_box(source, REFERENCE_MEAN, radius_x, radius_y, radius_z, &mean);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, is_maximum(&mean, x, y, z, across_slices));
    reference_free(&mean);
}
