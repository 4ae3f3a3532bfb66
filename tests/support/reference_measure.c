/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference measurements: reductions, projections, histogram, statistics of labels. */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- reductions */

typedef struct accumulator {
    double min, greatest, sum, count;
} accumulator;

static accumulator accumulator_begin(void)
{
    return (accumulator){NAN, NAN, 0, 0};
}

static void accumulator_add(accumulator *a, double value)
{
    a->min = fmin(a->min, value);
    a->greatest = fmax(a->greatest, value);
    a->sum += value;
    a->count++;
}

static double accumulator_end(const accumulator *a, reference_reduction reduction)
{
    switch (reduction) {
    case REFERENCE_MINIMUM: return a->min;
    case REFERENCE_MAXIMUM: return a->greatest;
    case REFERENCE_MEAN: return a->sum / a->count;
    case REFERENCE_SUM: break;
    }
    return a->sum;
}

double reference_reduce(const reference_image *image, reference_reduction reduction)
{
    accumulator all = accumulator_begin();
    for (size_t i = 0; i < reference_count(image); i++)
        accumulator_add(&all, image->pixels[i]);
    return accumulator_end(&all, reduction);
}

void reference_finite_range(const reference_image *image, double range[2])
{
    accumulator all = accumulator_begin();
    for (size_t i = 0; i < reference_count(image); i++)
        if (isfinite(image->pixels[i]))
            accumulator_add(&all, image->pixels[i]);
    range[0] = all.min;
    range[1] = all.greatest;
}

void reference_project(const reference_image *source, reference_axis axis, reference_reduction reduction,
                       reference_image *output)
{
    const drua_shape s = source->shape;
    const int64_t extent[3] = {s.width, s.height, s.depth};
    REFERENCE_EACH_PIXEL(output->shape, u, v, w) {
        accumulator ray = accumulator_begin();
        for (int64_t i = 0; i < extent[axis]; i++) {
            if (axis == REFERENCE_X)
                accumulator_add(&ray, reference_at(source, i, v, u));
            else if (axis == REFERENCE_Y)
                accumulator_add(&ray, reference_at(source, u, i, v));
            else
                accumulator_add(&ray, reference_at(source, u, v, i));
        }
        reference_put(output, u, v, w, accumulator_end(&ray, reduction));
    }
}

/* ---------------------------------------------------------------- histogram */

/* Integers of 384 bits in two's complement count steps of 2^-149. Every finite float32 is a whole number of steps. */
enum { WORDS = 12, WORD = 32, SMALLEST = -149 };

typedef struct {
    uint32_t word[WORDS];
} wide;

/* Adds factor * value, where |factor| is at most 2^24. */
static void add_multiple(wide *sum, int64_t factor, float value)
{
    int exponent;
    const float fraction = frexpf(value, &exponent);
    int shift = exponent - FLT_MANT_DIG - SMALLEST;
    int64_t product = factor * (int64_t)ldexpf(fraction, FLT_MANT_DIG);
    for (; shift < 0; shift++)      /* denormals end with zeros here */
        product /= 2;
    int64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        const int down = shift - WORD * i;      /* bits of the product below this word, if negative */
        int64_t part = 0;
        if (down < 0)
            part = (product >> (down > -64 ? -down : 63)) & UINT32_MAX;
        else if (down < WORD)
            part = (int64_t)(((uint64_t)product << down) & UINT32_MAX);
        carry += part + sum->word[i];
        sum->word[i] = (uint32_t)carry;
        carry >>= WORD;
    }
}

/* Whether a value lies at or above the border of a bin: last * value >= (last - bin) * low + bin * high. */
static bool reaches(float value, float low, float high, int64_t bin, int64_t last)
{
    wide difference = {{0}};
    add_multiple(&difference, last, value);
    add_multiple(&difference, bin - last, low);
    add_multiple(&difference, -bin, high);
    return !(difference.word[WORDS - 1] >> (WORD - 1));
}

void reference_histogram(const reference_image *source, double minimum, double maximum, reference_image *output)
{
    const float low = (float)minimum, high = (float)maximum;
    for (size_t i = 0; i < reference_count(output); i++)
        output->pixels[i] = 0;
    for (size_t i = 0; i < reference_count(source); i++) {
        const float value = (float)source->pixels[i];
        if (!(value >= low && value <= high))
            continue;
        int64_t bin = 0, end = high > low && isfinite(low) && isfinite(high)
                                   ? output->shape.width
                                   : 1; /* the bin is at least `bin` and below `end` */
        while (end - bin > 1) {
            const int64_t middle = (bin + end) / 2;
            if (reaches(value, low, high, middle, output->shape.width - 1))
                bin = middle;
            else
                end = middle;
        }
        output->pixels[bin]++;
    }
}

/* ---------------------------------------------------------------- statistics of labels */

/* In the order of the table's columns. */
enum column {
    IDENTIFIER,
    BOX_X, BOX_Y, BOX_Z,
    BOX_END_X, BOX_END_Y, BOX_END_Z,
    BOX_WIDTH, BOX_HEIGHT, BOX_DEPTH,
    MINIMUM, MAXIMUM, MEAN, SUM, STANDARD_DEVIATION,
    PIXEL_COUNT,
    SUM_TIMES_X, SUM_TIMES_Y, SUM_TIMES_Z,
    MASS_CENTER_X, MASS_CENTER_Y, MASS_CENTER_Z,
    SUM_X, SUM_Y, SUM_Z,
    CENTROID_X, CENTROID_Y, CENTROID_Z,
    SUM_TO_MASS, MEAN_TO_MASS, MAX_TO_MASS, RATIO_TO_MASS,
    SUM_TO_CENTROID, MEAN_TO_CENTROID, MAX_TO_CENTROID, RATIO_TO_CENTROID
};

const char *const reference_statistics_names[REFERENCE_STATISTICS_COLUMNS] = {
    "IDENTIFIER",
    "BOUNDING_BOX_X", "BOUNDING_BOX_Y", "BOUNDING_BOX_Z",
    "BOUNDING_BOX_END_X", "BOUNDING_BOX_END_Y", "BOUNDING_BOX_END_Z",
    "BOUNDING_BOX_WIDTH", "BOUNDING_BOX_HEIGHT", "BOUNDING_BOX_DEPTH",
    "MINIMUM_INTENSITY", "MAXIMUM_INTENSITY", "MEAN_INTENSITY", "SUM_INTENSITY", "STANDARD_DEVIATION_INTENSITY",
    "PIXEL_COUNT",
    "SUM_INTENSITY_TIMES_X", "SUM_INTENSITY_TIMES_Y", "SUM_INTENSITY_TIMES_Z",
    "MASS_CENTER_X", "MASS_CENTER_Y", "MASS_CENTER_Z",
    "SUM_X", "SUM_Y", "SUM_Z",
    "CENTROID_X", "CENTROID_Y", "CENTROID_Z",
    "SUM_DISTANCE_TO_MASS_CENTER", "MEAN_DISTANCE_TO_MASS_CENTER", "MAX_DISTANCE_TO_MASS_CENTER",
    "MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO",
    "SUM_DISTANCE_TO_CENTROID", "MEAN_DISTANCE_TO_CENTROID", "MAX_DISTANCE_TO_CENTROID",
    "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"};

size_t reference_statistics_column(const char *name)
{
    size_t column = 0;
    while (strcmp(reference_statistics_names[column], name))
        column++;
    return column;
}

/* The row of the label at a pixel; NULL if the table has no such row (background, unless requested). */
static double *row_at(const reference_image *labels, int64_t x, int64_t y, int64_t z, int64_t first, double *rows)
{
    const int64_t label = (int64_t)reference_at(labels, x, y, z);
    return label < first ? NULL : rows + (label - first) * REFERENCE_STATISTICS_COLUMNS;
}

static void add_pixel(double *row, double value, const int64_t position[3])
{
    row[MINIMUM] = fmin(row[MINIMUM], value);
    row[MAXIMUM] = fmax(row[MAXIMUM], value);
    row[SUM] += value;
    row[PIXEL_COUNT]++;
    for (int axis = 0; axis < 3; axis++) {
        const double at = (double)position[axis];
        row[BOX_X + axis] = fmin(row[BOX_X + axis], at);
        row[BOX_END_X + axis] = fmax(row[BOX_END_X + axis], at);
        row[SUM_TIMES_X + axis] += value * at;
        row[SUM_X + axis] += at;
    }
}

static void add_distances(double *row, double value, const int64_t position[3])
{
    double to_mass = 0, to_centroid = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double at = (double)position[axis];
        to_mass += (at - row[MASS_CENTER_X + axis]) * (at - row[MASS_CENTER_X + axis]);
        to_centroid += (at - row[CENTROID_X + axis]) * (at - row[CENTROID_X + axis]);
    }
    row[STANDARD_DEVIATION] += (value - row[MEAN]) * (value - row[MEAN]);
    row[SUM_TO_MASS] += sqrt(to_mass);
    row[MAX_TO_MASS] = fmax(row[MAX_TO_MASS], sqrt(to_mass));
    row[SUM_TO_CENTROID] += sqrt(to_centroid);
    row[MAX_TO_CENTROID] = fmax(row[MAX_TO_CENTROID], sqrt(to_centroid));
}

static void divide_sums(double *row)
{
    row[MEAN] = row[SUM] / row[PIXEL_COUNT];
    for (int axis = 0; axis < 3; axis++) {
        row[BOX_WIDTH + axis] = row[BOX_END_X + axis] - row[BOX_X + axis] + 1;
        row[MASS_CENTER_X + axis] = row[SUM_TIMES_X + axis] / row[SUM];
        row[CENTROID_X + axis] = row[SUM_X + axis] / row[PIXEL_COUNT];
    }
}

static void divide_distances(double *row)
{
    row[STANDARD_DEVIATION] = sqrt(row[STANDARD_DEVIATION] / row[PIXEL_COUNT]);
    row[MEAN_TO_MASS] = row[SUM_TO_MASS] / row[PIXEL_COUNT];
    row[RATIO_TO_MASS] = row[MAX_TO_MASS] / row[MEAN_TO_MASS];
    row[MEAN_TO_CENTROID] = row[SUM_TO_CENTROID] / row[PIXEL_COUNT];
    row[RATIO_TO_CENTROID] = row[MAX_TO_CENTROID] / row[MEAN_TO_CENTROID];
}

size_t reference_statistics(const reference_image *intensity, const reference_image *labels, bool with_background,
                            double **rows)
{
    const int64_t first = with_background ? 0 : 1, last = (int64_t)reference_reduce(labels, REFERENCE_MAXIMUM);
    *rows = NULL;
    if (last < first)
        return 0;
    const size_t count = (size_t)(last - first + 1);
    *rows = reference_allocate(count * REFERENCE_STATISTICS_COLUMNS, sizeof **rows);
    for (size_t i = 0; i < count; i++) {
        double *row = *rows + i * REFERENCE_STATISTICS_COLUMNS;
        row[IDENTIFIER] = (double)first + (double)i;
        row[MINIMUM] = DBL_MAX;
        row[MAXIMUM] = -DBL_MAX;
        for (int axis = 0; axis < 3; axis++) {
            row[BOX_X + axis] = DBL_MAX;
            row[BOX_END_X + axis] = -DBL_MAX;
        }
    }

    /* Two rounds over the pixels: distances need the centres, and the deviation needs the mean. */
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        double *row = row_at(labels, x, y, z, first, *rows);
        if (row)
            add_pixel(row, reference_at(intensity, x, y, z), (const int64_t[]){x, y, z});
    }
    for (size_t i = 0; i < count; i++)
        divide_sums(*rows + i * REFERENCE_STATISTICS_COLUMNS);
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        double *row = row_at(labels, x, y, z, first, *rows);
        if (row)
            add_distances(row, reference_at(intensity, x, y, z), (const int64_t[]){x, y, z});
    }
    for (size_t i = 0; i < count; i++)
        divide_distances(*rows + i * REFERENCE_STATISTICS_COLUMNS);
    return count;
}
