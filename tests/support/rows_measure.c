/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, projections, histograms and thresholds. */
#include "rows.h"

/* Sum, sum of squares, least, largest and number of the pixels where the mask is not 0 (NULL: of all). */
typedef struct tally {
    double sum, squares, least, largest, count;
} tally;

static tally tally_of(const reference_image *image, const reference_image *mask)
{
    tally t = {.least = INFINITY, .largest = -INFINITY};
    size_t at = 0;
    REFERENCE_EACH_PIXEL(image->shape, x, y, z) {
        const double value = image->pixels[at++];
        if (mask && reference_at(mask, x, y, z) == 0)
            continue;
        t.sum += value;
        t.squares += value * value;
        t.least = fmin(t.least, value);
        t.largest = fmax(t.largest, value);
        t.count++;
    }
    return t;
}

static double variance(tally t)
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

static double nonzero(const reference_image *image)
{
    double count = 0;
    for (size_t i = 0; i < reference_count(image); i++)
        count += image->pixels[i] != 0;
    return count;
}

/* Of two binary images: pixels of both, over those of either (Jaccard) or of twice that over those of each (Dice). */
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
    bool equal = IN(0)->shape.width == IN(1)->shape.width && IN(0)->shape.height == IN(1)->shape.height && IN(0)->shape.depth == IN(1)->shape.depth;
    for (size_t i = 0; equal && i < reference_count(IN(0)); i++)
        equal = fabs((float)IN(0)->pixels[i] - (float)IN(1)->pixels[i]) <= S(0);
    return equal;
}

static void normalize(call *c)
{
    const tally t = tally_of(IN(0), NULL);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z, t.largest > t.least ? (reference_at(IN(0), x, y, z) - t.least) / (t.largest - t.least) : 0);
}

/* The first slice of the extreme; `output` takes its number. */
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

/* Of a sample: n - 1; one slice does not scatter. */
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

/* The upper of two. */
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
    reference_histogram(IN(0), measured ? reference_reduce(IN(0), REFERENCE_MINIMUM) : S(1),
                        measured ? reference_reduce(IN(0), REFERENCE_MAXIMUM) : S(2), OUT(0));
}

static void statistics(call *c, bool with_background)
{
    c->rows = reference_statistics(IN(0), IN(1), with_background, &c->table);
    c->columns = REFERENCE_STATISTICS_COLUMNS;
}

/* The image as background. */
static void statistics_of_image(call *c)
{
    reference_image zeros = row_like(IN(0), DRUA_UINT8);
    c->rows = reference_statistics(IN(0), &zeros, true, &c->table);
    c->columns = REFERENCE_STATISTICS_COLUMNS;
    reference_free(&zeros);
}

#define ROWS(X)                                                                                                                  \
    X(sum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_SUM)))                                                    \
    X(mean_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MEAN)))                                                  \
    X(minimum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MINIMUM)))                                            \
    X(maximum_of_all_pixels, "g", RESULT(reference_reduce(IN(0), REFERENCE_MAXIMUM)))                                            \
    X(count_nonzero_pixels, "b", RESULT(nonzero(IN(0))))                                                                         \
    X(variance_of_all_pixels, "g", RESULT(variance(tally_of(IN(0), NULL))))                                                      \
    X(standard_deviation_of_all_pixels, "g", RESULT(sqrt(variance(tally_of(IN(0), NULL)))))                                      \
    X(mean_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.sum / t.count))                                    \
    X(minimum_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.count ? t.least : NAN))                         \
    X(maximum_of_masked_pixels, "gb", tally t = tally_of(IN(0), IN(1)); RESULT(t.count ? t.largest : NAN))                       \
    X(variance_of_masked_pixels, "gb", RESULT(variance(tally_of(IN(0), IN(1)))))                                                 \
    X(standard_deviation_of_masked_pixels, "gb", RESULT(sqrt(variance(tally_of(IN(0), IN(1))))))                                 \
    X(mean_squared_error, "g", RESULT(squared_error(c)))                                                                         \
    X(jaccard_index, "~b", RESULT(overlap(c, false)))                                                                            \
    X(sorensen_dice_coefficient, "~b", RESULT(overlap(c, true)))                                                                 \
    X(matrix_equal, "b", RESULT(are_equal(c)))                                                                                   \
    X(normalize, "g", normalize(c))                                                                                              \
    X(center_of_mass, "l", center_of_mass(c))                                                                                    \
    X(maximum_x_projection, "=g", reference_project(IN(0), REFERENCE_X, REFERENCE_MAXIMUM, OUT(0)))                                                                        \
    X(maximum_y_projection, "=g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MAXIMUM, OUT(0)))                                                                        \
    X(maximum_z_projection, "=g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0)))                                                                        \
    X(minimum_x_projection, "=g", reference_project(IN(0), REFERENCE_X, REFERENCE_MINIMUM, OUT(0)))                                                                        \
    X(minimum_y_projection, "=g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MINIMUM, OUT(0)))                                                                        \
    X(minimum_z_projection, "=g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MINIMUM, OUT(0)))                                                                        \
    X(mean_x_projection, "=~g", reference_project(IN(0), REFERENCE_X, REFERENCE_MEAN, OUT(0)))                                                                             \
    X(mean_y_projection, "=~g", reference_project(IN(0), REFERENCE_Y, REFERENCE_MEAN, OUT(0)))                                                                             \
    X(mean_z_projection, "=~g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MEAN, OUT(0)))                                                                             \
    X(sum_x_projection, "=~g", reference_project(IN(0), REFERENCE_X, REFERENCE_SUM, OUT(0)))                                                                               \
    X(sum_y_projection, "=~g", reference_project(IN(0), REFERENCE_Y, REFERENCE_SUM, OUT(0)))                                                                               \
    X(sum_z_projection, "=~g", reference_project(IN(0), REFERENCE_Z, REFERENCE_SUM, OUT(0)))                                                                               \
    X(arg_maximum_z_projection, "=g", reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT(0)); z_position(c, 1, OUT(1)))                                          \
    X(z_position_of_maximum_z_projection, "^g", z_position(c, 1, OUT(0)))                                                        \
    X(z_position_of_minimum_z_projection, "^g", z_position(c, -1, OUT(0)))                                                       \
    X(standard_deviation_z_projection, "^~g", deviation_z(c))                                                                    \
    X(median_z_projection, "^g", median_z(c))                                                                                    \
    X(sum_image_slice_by_slice, "^~g", sums_of_slices(c))                                                                        \
    X(automatic_threshold, "g", reference_automatic_threshold(IN(0), TEXT_OF("method"), OUT(0)))                                 \
    X(get_automatic_threshold, "~g", RESULT(reference_threshold_value(IN(0), TEXT_OF("method"))))                                \
    X(histogram, "!g", histogram(c))                                                                                             \
    X(statistics_of_image, "g", statistics_of_image(c))                                                                          \
    X(statistics_of_labelled_pixels, "gl", statistics(c, false))                                                                 \
    X(statistics_of_background_and_labelled_pixels, "gl", statistics(c, true))

DEFINE_ROWS(measure)
