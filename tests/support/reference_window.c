/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of filters over all pixels of a box, a ball or a cross around each pixel, and of derivatives. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static bool in_ball(const int64_t offset[3], const int64_t radius[3])
{
    int64_t sum = 0, one = 1;
    for (int axis = 0; axis < 3; axis++)
        one *= radius[axis] > 0 ? radius[axis] * radius[axis] : 1;
    for (int axis = 0; axis < 3; axis++)
        sum += radius[axis] > 0 ? offset[axis] * offset[axis] * (one / (radius[axis] * radius[axis])) : 0;
    return sum <= one;
}

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/*
 * Entropy in bits of 256 bins, whose width is the range of the image's values divided by 256. Bins start at multiples
 * of their width in float32.
 */
static double entropy(const double *values, size_t count, double low, double high)
{
    enum { BINS = 258 };
    const float width = ((float)high - (float)low) / 256;
    size_t bins[BINS] = {0};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const float bin = width > 0 ? floorf((float)values[i] / width) - floorf((float)low / width) : 0;
        bins[(size_t)fminf(fmaxf(bin, 0), 256)]++;
    }
    for (int bin = 0; bin < BINS; bin++)
        if (bins[bin] > 0)
            sum -= (double)bins[bin] / (double)count * log2((double)bins[bin] / (double)count);
    return sum;
}

static double statistic_of(double *values, size_t count, reference_window_statistic statistic)
{
    double min = NAN, greatest = NAN, sum = 0, squares = 0, nonzero = 0;
    for (size_t i = 0; i < count; i++) {
        min = fmin(min, values[i]);
        greatest = fmax(greatest, values[i]);
        sum += values[i];
        nonzero += values[i] != 0;
    }
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - sum / (double)count) * (values[i] - sum / (double)count);
    switch (statistic) {
    case REFERENCE_WINDOW_MINIMUM: return min;
    case REFERENCE_WINDOW_MAXIMUM: return greatest;
    case REFERENCE_WINDOW_MEAN: return sum / (double)count;
    case REFERENCE_WINDOW_NONZERO: return nonzero;
    case REFERENCE_WINDOW_VARIANCE: return squares / (double)count;
    case REFERENCE_WINDOW_DEVIATION: return sqrt(squares / (double)count);
    case REFERENCE_WINDOW_MEDIAN: qsort(values, count, sizeof *values, compare_numbers); return values[count / 2];
    case REFERENCE_WINDOW_ENTROPY: break;
    }
    return 0;
}

void reference_window(const reference_image *source, reference_window_statistic statistic, bool ball,
                      const int64_t radius[3], reference_image *output)
{
    double range[2];
    reference_finite_range(source, range);
    double *values =
        reference_allocate((size_t)((2 * radius[0] + 1) * (2 * radius[1] + 1) * (2 * radius[2] + 1)), sizeof *values);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        size_t count = 0;
        for (int64_t dz = -radius[2]; dz <= radius[2]; dz++)
            for (int64_t dy = -radius[1]; dy <= radius[1]; dy++)
                for (int64_t dx = -radius[0]; dx <= radius[0]; dx++)
                    if (!ball || in_ball((const int64_t[]){dx, dy, dz}, radius))
                        values[count++] = reference_at(source, x + dx, y + dy, z + dz);
        reference_put(output, x, y, z,
                      statistic == REFERENCE_WINDOW_ENTROPY ? entropy(values, count, range[0], range[1])
                                                            : statistic_of(values, count, statistic));
    }
    free(values);
}

/* ---------------------------------------------------------------- derivatives */

/* Sobel: the difference along one axis, smoothed with 1 2 1 along the others. */
static double slope(const reference_image *image, const int64_t at[3], int axis, bool flat)
{
    double sum = 0;
    for (int64_t dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); dz++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++) {
                const int64_t step[3] = {dx, dy, dz};
                double weight = (double)step[axis];
                for (int other = 0; other < 3; other++)
                    weight *= other == axis || (other == 2 && flat) ? 1 : 2 - (double)llabs(step[other]);
                sum += weight * reference_at(image, at[0] + dx, at[1] + dy, at[2] + dz);
            }
    return sum;
}

void reference_gradient_energy(const reference_image *source, bool flat, bool root, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        double sum = 0;
        for (int axis = 0; axis < (flat ? 2 : 3); axis++) {
            const double along = slope(source, (const int64_t[]){x, y, z}, axis, flat);
            sum += along * along;
        }
        reference_put_snapped(output, x, y, z, root ? sqrt(sum) : sum);
    }
}

void reference_laplace(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output)
{
    const int64_t reach = source->shape.dimension == 3 ? 1 : 0;
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        double sum = 0;
        for (int64_t dz = -reach; dz <= reach; dz++)
            for (int64_t dy = -1; dy <= 1; dy++)
                for (int64_t dx = -1; dx <= 1; dx++)
                    if (neighbourhood == REFERENCE_BOX || llabs(dx) + llabs(dy) + llabs(dz) <= 1)
                        sum += reference_at(source, x, y, z) - reference_at(source, x + dx, y + dy, z + dz);
        reference_put(output, x, y, z, sum);
    }
}
