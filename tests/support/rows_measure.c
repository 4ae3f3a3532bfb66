/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference calls of the operations that measure images, and of projections, histograms and thresholds. */
#include "rows.h"

/* Sum, sum of squares, minimum, maximum and number of the pixels where a mask is not 0, or of all pixels. */
typedef struct sums {
    double sum, squares, min, largest, count;
} sums;

static sums sums_of(const reference_image *image, const reference_image *mask)
{
    sums t = {.min = NAN, .largest = NAN};
    size_t at = 0;
    REFERENCE_EACH_PIXEL(image->shape, x, y, z) {
        const double value = image->pixels[at++];
        if (mask && reference_at(mask, x, y, z) == 0)
            continue;
        t.sum += value;
        t.squares += value * value;
        t.min = fmin(t.min, value);
        t.largest = fmax(t.largest, value);
        t.count++;
    }
    return t;
}

static double variance(sums t)
{
    const double mean = t.sum / t.count;
    return t.squares / t.count - mean * mean;
}

static double squared_error(call *c)
{
    double sum = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const double difference = reference_at(IN(0), x, y, z) - reference_at(IN(1), x, y, z);
        sum += difference * difference;
    }
    return sum / (double)reference_count(IN(0));
}

static void center_of_mass(call *c)
{
    double sum = 0, along[3] = {0};
    size_t at = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const double value = IN(0)->pixels[at++];
        sum += value;
        along[0] += value * (double)x;
        along[1] += value * (double)y;
        along[2] += value * (double)z;
    }
    for (int i = 0; i < 3; i++)
        RESULT(along[i] / sum);
}

/*
 * Position, then size, along x, y, z of the smallest box that holds all pixels with a value of at least 1. The values
 * along z are 0 for planes, and all values are 0 for an image without these pixels.
 */
static void bounding_box(call *c)
{
    double first[3] = {INFINITY, INFINITY, INFINITY}, last[3] = {0};
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z)
        if (reference_at(IN(0), x, y, z) >= 1) {
            const int64_t at[3] = {x, y, z};
            for (int axis = 0; axis < 3; axis++) {
                first[axis] = fmin(first[axis], (double)at[axis]);
                last[axis] = fmax(last[axis], (double)at[axis]);
            }
        }
    const int axes = isinf(first[0]) ? 0 : IN(0)->shape.dimension;
    for (int axis = 0; axis < 3; axis++)
        RESULT(axis < axes ? first[axis] : 0);
    for (int axis = 0; axis < 3; axis++)
        RESULT(axis < axes ? last[axis] - first[axis] + 1 : 0);
}

static double nonzero(const reference_image *image)
{
    double count = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        count += image->pixels[i] != 0;
    return count;
}

/*
 * The overlap of two binary images: the intersection over the union (Jaccard), or twice the intersection over the sum
 * of the two areas, which is union plus intersection (Dice).
 */
static double overlap(call *c, bool dice)
{
    double both = 0, either = 0;
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const bool a = reference_at(IN(0), x, y, z) != 0, b = reference_at(IN(1), x, y, z) != 0;
        both += a && b;
        either += a || b;
    }
    return dice ? 2 * both / (both + either) : both / either;
}

static double are_equal(call *c)
{
    bool equal = IN(0)->shape.width == IN(1)->shape.width && IN(0)->shape.height == IN(1)->shape.height &&
                 IN(0)->shape.depth == IN(1)->shape.depth;
    for (size_t i = 0; equal && i < reference_count(IN(0)); i++)
        equal = fabs((float)IN(0)->pixels[i] - (float)IN(1)->pixels[i]) <= S(0);
    return equal;
}

static void normalize(call *c)
{
    double range[2];
    reference_finite_range(IN(0), range);
    REFERENCE_EACH_PIXEL (OUT(0)->shape, x, y, z) {
        const double value = reference_at(IN(0), x, y, z), flat = isfinite(value) ? 0 : value;
        reference_put_snapped(OUT(0), x, y, z, range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : flat);
    }
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The smallest value of a finite pixel that at least `percent` percent of the finite pixels do not exceed. */
static double percentile(const reference_image *image, double percent)
{
    double *sorted = malloc((reference_count(image) + 1) * sizeof *sorted), found = NAN;
    size_t numbers = 0, at = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        if (isfinite(image->pixels[i]))
            sorted[numbers++] = image->pixels[i];
    qsort(sorted, numbers, sizeof *sorted, by_value);
    while (at + 1 < numbers && (double)(at + 1) * 100 < percent * (double)numbers)
        at++;
    if (numbers)
        found = sorted[at];
    free(sorted);
    return found;
}

static void percentiles_of_all_pixels(call *c)
{
    RESULT(percentile(IN(0), S(0)));
    RESULT(percentile(IN(0), S(1)));
}

static void normalize_percentiles(call *c)
{
    const double low = percentile(IN(0), S(0)), high = percentile(IN(0), S(1));
    REFERENCE_EACH_PIXEL (OUT(0)->shape, x, y, z) {
        const double value = reference_at(IN(0), x, y, z), flat = isfinite(value) ? 0 : value;
        reference_put_snapped(OUT(0), x, y, z, high > low ? (value - low) / (high - low) : flat);
    }
}

/*
 * For each x, y, `output` receives the number (from 0) of the first slice with the largest (sign 1) or smallest (sign
 * -1) value.
 */
static void z_position(call *c, double sign, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, slice) {
        int64_t best = 0;
        for (int64_t z = 1; z < IN(0)->shape.depth; z++)
            if (sign * reference_at(IN(0), x, y, z) > sign * reference_at(IN(0), x, y, best))
                best = z;
        reference_put(output, x, y, slice, (double)best);
    }
}

/* The sample deviation, with n - 1; 0 for one slice. */
static void deviation_z(call *c)
{
    const int64_t depth = IN(0)->shape.depth;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice) {
        double sum = 0, squares = 0;
        for (int64_t z = 0; z < depth; z++)
            sum += reference_at(IN(0), x, y, z);
        for (int64_t z = 0; z < depth; z++)
            squares += pow(reference_at(IN(0), x, y, z) - sum / (double)depth, 2);
        reference_put(OUT(0), x, y, slice, depth > 1 ? sqrt(squares / (double)(depth - 1)) : 0);
    }
}

/* The upper of the two middle values. */
static void median_z(call *c)
{
    const int64_t depth = IN(0)->shape.depth;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice)
        for (int64_t z = 0; z < depth; z++) {
            const double value = reference_at(IN(0), x, y, z);
            int64_t below = 0, equal = 0;
            for (int64_t other = 0; other < depth; other++) {
                below += reference_at(IN(0), x, y, other) < value;
                equal += reference_at(IN(0), x, y, other) == value;
            }
            if (below <= depth / 2 && below + equal > depth / 2)
                reference_put(OUT(0), x, y, slice, value);
        }
}

static void sums_of_slices(call *c)
{
    for (int64_t z = 0; z < OUT(0)->shape.width; z++) {
        double sum = 0;
        for (int64_t y = 0; y < IN(0)->shape.height; y++)
            for (int64_t x = 0; x < IN(0)->shape.width; x++)
                sum += reference_at(IN(0), x, y, z);
        reference_put(OUT(0), z, 0, 0, sum);
    }
}

static void histogram(call *c)
{
    const bool measured = S(3) != 0;
    reference_image line = reference_make(DRUA_FLOAT32, reference_plane(N(0), 1));
    double range[] = {S(1), S(2)};
    if (measured)
        reference_finite_range(IN(0), range);
    reference_histogram(IN(0), range[0], range[1], &line);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
    reference_put(OUT(0), x, y, z, x < N(0) ? reference_at(&line, x, 0, 0) : 0);
    reference_free(&line);
}

static void statistics(call *c, bool with_background)
{
    c->rows = reference_statistics(IN(0), IN(1), with_background, &c->table);
    c->columns = REFERENCE_STATISTICS_COLUMNS;
}

/* Statistics of the whole image, as label 0. */
static void statistics_of_image(call *c)
{
    reference_image zeros = row_like(IN(0), DRUA_UINT8);
    c->rows = reference_statistics(IN(0), &zeros, true, &c->table);
    c->columns = REFERENCE_STATISTICS_COLUMNS;
    reference_free(&zeros);
}

static void run_sum_of_all_pixels(call *c) { RESULT(reference_reduce(IN(0), REFERENCE_SUM)); }
static void run_mean_of_all_pixels(call *c) { RESULT(reference_reduce(IN(0), REFERENCE_MEAN)); }
static void run_minimum_of_all_pixels(call *c) { RESULT(reference_reduce(IN(0), REFERENCE_MINIMUM)); }
static void run_maximum_of_all_pixels(call *c) { RESULT(reference_reduce(IN(0), REFERENCE_MAXIMUM)); }
static void run_count_nonzero_pixels(call *c) { RESULT(nonzero(IN(0))); }
static void run_variance_of_all_pixels(call *c) { RESULT(variance(sums_of(IN(0), NULL))); }
static void run_standard_deviation_of_all_pixels(call *c) { RESULT(sqrt(variance(sums_of(IN(0), NULL)))); }
static void run_mean_of_masked_pixels(call *c)
{
    sums t = sums_of(IN(0), IN(1));
    RESULT(t.sum / t.count);
}
static void run_minimum_of_masked_pixels(call *c)
{
    sums t = sums_of(IN(0), IN(1));
    RESULT(t.count ? t.min : NAN);
}
static void run_maximum_of_masked_pixels(call *c)
{
    sums t = sums_of(IN(0), IN(1));
    RESULT(t.count ? t.largest : NAN);
}
static void run_variance_of_masked_pixels(call *c) { RESULT(variance(sums_of(IN(0), IN(1)))); }
static void run_standard_deviation_of_masked_pixels(call *c) { RESULT(sqrt(variance(sums_of(IN(0), IN(1))))); }
static void run_mean_squared_error(call *c) { RESULT(squared_error(c)); }
static void run_jaccard_index(call *c) { RESULT(overlap(c, false)); }
static void run_sorensen_dice_coefficient(call *c) { RESULT(overlap(c, true)); }
static void run_matrix_equal(call *c) { RESULT(are_equal(c)); }
static void run_maximum_x_projection(call *c) { reference_project(IN(0), REFERENCE_X, REFERENCE_MAXIMUM, OUT(0)); }
static void run_maximum_y_projection(call *c) { reference_project(IN(0), REFERENCE_Y, REFERENCE_MAXIMUM, OUT(0)); }
static void run_maximum_z_projection(call *c) { reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0)); }
static void run_minimum_x_projection(call *c) { reference_project(IN(0), REFERENCE_X, REFERENCE_MINIMUM, OUT(0)); }
static void run_minimum_y_projection(call *c) { reference_project(IN(0), REFERENCE_Y, REFERENCE_MINIMUM, OUT(0)); }
static void run_minimum_z_projection(call *c) { reference_project(IN(0), REFERENCE_Z, REFERENCE_MINIMUM, OUT(0)); }
static void run_mean_x_projection(call *c) { reference_project(IN(0), REFERENCE_X, REFERENCE_MEAN, OUT(0)); }
static void run_mean_y_projection(call *c) { reference_project(IN(0), REFERENCE_Y, REFERENCE_MEAN, OUT(0)); }
static void run_mean_z_projection(call *c) { reference_project(IN(0), REFERENCE_Z, REFERENCE_MEAN, OUT(0)); }
static void run_sum_x_projection(call *c) { reference_project(IN(0), REFERENCE_X, REFERENCE_SUM, OUT(0)); }
static void run_sum_y_projection(call *c) { reference_project(IN(0), REFERENCE_Y, REFERENCE_SUM, OUT(0)); }
static void run_sum_z_projection(call *c) { reference_project(IN(0), REFERENCE_Z, REFERENCE_SUM, OUT(0)); }
static void run_arg_maximum_z_projection(call *c)
{
    reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0));
    z_position(c, 1, OUT(1));
}
static void run_z_position_of_maximum_z_projection(call *c) { z_position(c, 1, OUT(0)); }
static void run_z_position_of_minimum_z_projection(call *c) { z_position(c, -1, OUT(0)); }
static void run_automatic_threshold(call *c) { reference_automatic_threshold(IN(0), TEXT_OF("method"), OUT(0)); }
static void run_get_automatic_threshold(call *c) { RESULT(reference_threshold_value(IN(0), TEXT_OF("method"))); }
static void run_statistics_of_labelled_pixels(call *c) { statistics(c, false); }
static void run_statistics_of_background_and_labelled_pixels(call *c) { statistics(c, true); }

const call_row rows_measure[] = {
    ROW(sum_of_all_pixels, "g", run_sum_of_all_pixels),
    ROW(mean_of_all_pixels, "g", run_mean_of_all_pixels),
    ROW(minimum_of_all_pixels, "g", run_minimum_of_all_pixels),
    ROW(maximum_of_all_pixels, "g", run_maximum_of_all_pixels),
    ROW(count_nonzero_pixels, "b", run_count_nonzero_pixels),
    ROW(variance_of_all_pixels, "g", run_variance_of_all_pixels),
    ROW(standard_deviation_of_all_pixels, "g", run_standard_deviation_of_all_pixels),
    ROW(mean_of_masked_pixels, "gb", run_mean_of_masked_pixels),
    ROW(minimum_of_masked_pixels, "gb", run_minimum_of_masked_pixels),
    ROW(maximum_of_masked_pixels, "gb", run_maximum_of_masked_pixels),
    ROW(variance_of_masked_pixels, "gb", run_variance_of_masked_pixels),
    ROW(standard_deviation_of_masked_pixels, "gb", run_standard_deviation_of_masked_pixels),
    ROW(mean_squared_error, "g", run_mean_squared_error),
    ROW(jaccard_index, "~b", run_jaccard_index),
    ROW(sorensen_dice_coefficient, "~b", run_sorensen_dice_coefficient),
    ROW(matrix_equal, "b", run_matrix_equal),
    ROW(normalize, "g", normalize),
    ROW(percentiles_of_all_pixels, "s", percentiles_of_all_pixels),
    ROW(normalize_percentiles, "g", normalize_percentiles),
    ROW(bounding_box, "p", bounding_box),
    ROW(center_of_mass, "l", center_of_mass),
    ROW(maximum_x_projection, "=g", run_maximum_x_projection),
    ROW(maximum_y_projection, "=g", run_maximum_y_projection),
    ROW(maximum_z_projection, "=g", run_maximum_z_projection),
    ROW(minimum_x_projection, "=g", run_minimum_x_projection),
    ROW(minimum_y_projection, "=g", run_minimum_y_projection),
    ROW(minimum_z_projection, "=g", run_minimum_z_projection),
    ROW(mean_x_projection, "=~g", run_mean_x_projection),
    ROW(mean_y_projection, "=~g", run_mean_y_projection),
    ROW(mean_z_projection, "=~g", run_mean_z_projection),
    ROW(sum_x_projection, "=~g", run_sum_x_projection),
    ROW(sum_y_projection, "=~g", run_sum_y_projection),
    ROW(sum_z_projection, "=~g", run_sum_z_projection),
    ROW(arg_maximum_z_projection, "=g", run_arg_maximum_z_projection),
    ROW(z_position_of_maximum_z_projection, "^g", run_z_position_of_maximum_z_projection),
    ROW(z_position_of_minimum_z_projection, "^g", run_z_position_of_minimum_z_projection),
    ROW(standard_deviation_z_projection, "^~g", deviation_z),
    ROW(median_z_projection, "^g", median_z),
    ROW(sum_image_slice_by_slice, "^~g", sums_of_slices),
    ROW(automatic_threshold, "g", run_automatic_threshold),
    ROW(get_automatic_threshold, "~g", run_get_automatic_threshold),
    ROW(histogram, "g", histogram),
    ROW(statistics_of_image, "g", statistics_of_image),
    ROW(statistics_of_labelled_pixels, "gl", run_statistics_of_labelled_pixels),
    ROW(statistics_of_background_and_labelled_pixels, "gl", run_statistics_of_background_and_labelled_pixels),
    {NULL, NULL, NULL, NULL},
};
