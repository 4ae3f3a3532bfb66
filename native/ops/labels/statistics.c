/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

#include <float.h>
#include <string.h>

enum { WALK = 32, COLUMNS = 36, SCALE_BITS = 29 };

static drua_grid walk_grid(drua_layout l)
{
    return GRID(l.width, (l.height + WALK - 1) / WALK, l.depth, 64, 1, 1);
}

drua_label_table statistics_extents(drua_plan *p, drua_view labels, drua_view source, uint32_t first, uint32_t last)
{
    uint64_t count = (uint64_t)last - first + 1;
    drua_label_table t = {labels, source, plan_memory(p, count * STATISTICS_ROW * 4), first, last};
    plan_clear(p, t.rows);
    LAUNCH(p, "statistics_extents", walk_grid(labels.layout), ARG(labels), ARG(source), INT(first), INT(last), POINTER(t.rows));
    return t;
}

void statistics_values(drua_plan *p, const drua_label_table *t)
{
    LAUNCH(p, "statistics_values", walk_grid(t->labels.layout), ARG(t->labels), ARG(t->source), INT(t->first), INT(t->last), POINTER(t->rows));
}

/* ---- from words to numbers */

static uint64_t whole(const uint32_t *word)
{
    return word[0] | (uint64_t)word[1] << 32;
}

static double number(const uint32_t *word)
{
    return (double)whole(word) + 0x1p64 * (double)whole(word + 2);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float value_of(uint32_t order)
{
    return float_of(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

/* Intensity = (steps + base) * unit; the same scale as scale_of in kernels/labels/statistics.cl. */
static void find_scale(float least, float most, double *base, double *unit)
{
    float range = most * 0.5f - least * 0.5f;
    *base = least;
    *unit = 1;
    if (range > 0 && !isinf(range)) {
        int exponent = SCALE_BITS - 2 - ilogbf(range);
        *base = rint(ldexp(least, exponent));
        *unit = ldexp(1, -exponent);
    }
}

/* Columns of the table; those of one group follow each other. */
enum {
    IDENTIFIER, BOX, BOX_END = BOX + 3, BOX_SIZE = BOX_END + 3, MINIMUM = BOX_SIZE + 3, MAXIMUM, MEAN, SUM, DEVIATION, PIXELS,
    WEIGHTED, MASS_CENTRE = WEIGHTED + 3, POSITIONS = MASS_CENTRE + 3, CENTROID = POSITIONS + 3, DISTANCES = CENTROID + 3
};

static const char *const headings[COLUMNS] = {
    "IDENTIFIER", "BOUNDING_BOX_X", "BOUNDING_BOX_Y", "BOUNDING_BOX_Z", "BOUNDING_BOX_END_X", "BOUNDING_BOX_END_Y",
    "BOUNDING_BOX_END_Z", "BOUNDING_BOX_WIDTH", "BOUNDING_BOX_HEIGHT", "BOUNDING_BOX_DEPTH", "MINIMUM_INTENSITY",
    "MAXIMUM_INTENSITY", "MEAN_INTENSITY", "SUM_INTENSITY", "STANDARD_DEVIATION_INTENSITY", "PIXEL_COUNT",
    "SUM_INTENSITY_TIMES_X", "SUM_INTENSITY_TIMES_Y", "SUM_INTENSITY_TIMES_Z", "MASS_CENTER_X", "MASS_CENTER_Y", "MASS_CENTER_Z",
    "SUM_X", "SUM_Y", "SUM_Z", "CENTROID_X", "CENTROID_Y", "CENTROID_Z", "SUM_DISTANCE_TO_MASS_CENTER",
    "MEAN_DISTANCE_TO_MASS_CENTER", "MAX_DISTANCE_TO_MASS_CENTER", "MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO",
    "SUM_DISTANCE_TO_CENTROID", "MEAN_DISTANCE_TO_CENTROID", "MAX_DISTANCE_TO_CENTROID", "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"};

static void fill_intensities(const uint32_t *row, double *cell)
{
    float least = value_of(~row[STATISTICS_LEAST]), most = value_of(row[STATISTICS_MOST]);
    uint64_t count = whole(row + STATISTICS_COUNT);
    double n = (double)count, base, unit, steps = (double)whole(row + STATISTICS_VALUE_SUM);
    find_scale(least, most, &base, &unit);
    if (isnan(least) || isinf(least) || isnan(most) || isinf(most))
        base = (double)least + most;        /* infinity and NaN spread to every sum */
    cell[MINIMUM] = count ? least : DBL_MAX;
    cell[MAXIMUM] = count ? most : -DBL_MAX;
    cell[PIXELS] = n;
    cell[SUM] = count ? (steps + n * base) * unit : 0;
    cell[MEAN] = cell[SUM] / n;
    double mean_steps = steps / n, variance = number(row + STATISTICS_SQUARE_SUM) / n - mean_steps * mean_steps;
    cell[DEVIATION] = isfinite(base) ? sqrt(fmax(variance, 0)) * unit : NAN;
    for (int axis = 0; axis < 3 && count; axis++) {
        uint64_t corner = ~row[STATISTICS_LOW + axis], positions = whole(row + STATISTICS_SUM + 2 * axis);
        double weighted = number(row + STATISTICS_WEIGHTED_SUM + 4 * axis) + base * (double)(positions - count * corner);
        cell[WEIGHTED + axis] = (weighted + (steps + n * base) * (double)corner) * unit;
        cell[MASS_CENTRE + axis] = (double)corner + weighted / (steps + n * base);
        cell[POSITIONS + axis] = (double)positions;
        cell[CENTROID + axis] = (double)corner + (double)(positions - count * corner) / n;
    }
}

static void fill_box(const uint32_t *row, double *cell)
{
    bool present = whole(row + STATISTICS_COUNT) > 0;
    for (int axis = 0; axis < 3; axis++) {
        cell[BOX + axis] = present ? ~row[STATISTICS_LOW + axis] : DBL_MAX;
        cell[BOX_END + axis] = present ? row[STATISTICS_HIGH + axis] : -DBL_MAX;
        cell[BOX_SIZE + axis] = cell[BOX_END + axis] - cell[BOX + axis] + 1;
        if (!present)
            cell[MASS_CENTRE + axis] = cell[CENTROID + axis] = NAN;
    }
}

/* Steps in a pixel, so that the farthest corner of the box is 2^29 steps away or less. */
static double distance_scale(const double *cell, const double *centre)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double before = centre[axis] - cell[BOX + axis], behind = cell[BOX_END + axis] - centre[axis];
        square += fmax(before * before, behind * behind);
    }
    return !isfinite(square) ? 0 : square > 0 ? ldexp(1, SCALE_BITS - 1 - ilogb(sqrt(square))) : 1;
}

static void fill_distances(const uint32_t *row, const float *centre, double *cell)
{
    double n = cell[PIXELS];
    for (int i = 0; i < 2; i++) {
        float steps = centre[4 * i + 3];
        double *out = cell + DISTANCES + 4 * i, sum = (double)whole(row + STATISTICS_DISTANCE_SUM + 2 * i);
        out[0] = n == 0 ? 0 : steps > 0 ? sum / steps : NAN;
        out[1] = out[0] / n;
        out[2] = float_of(row[STATISTICS_LONGEST + i]);
        out[3] = out[2] / out[1];
    }
}

static void measure(drua_plan *p, drua_view labels, uint32_t first, uint32_t last)
{
    if (last < first || plan_failed(p)) {
        plan_set_table(p, headings, COLUMNS, NULL, 0);
        return;
    }
    size_t count = (size_t)(last - first) + 1, bytes = count * STATISTICS_ROW * sizeof(uint32_t);
    drua_label_table table = statistics_extents(p, labels, plan_image(p, "source"), first, last);
    statistics_values(p, &table);
    uint32_t *rows = plan_host(p, bytes);
    float *centres = plan_host(p, count * STATISTICS_CENTRE_ROW * sizeof *centres);
    double *cells = plan_host(p, count * COLUMNS * sizeof *cells);
    plan_read(p, table.rows, rows, bytes);
    for (size_t i = 0; i < count && !plan_failed(p); i++) {
        double *cell = cells + i * COLUMNS;
        cell[IDENTIFIER] = (double)(first + i);
        fill_intensities(rows + i * STATISTICS_ROW, cell);
        fill_box(rows + i * STATISTICS_ROW, cell);
        for (int k = 0; k < 8; k++) {
            const double *centre = cell + (k < 4 ? MASS_CENTRE : CENTROID);
            centres[8 * i + (size_t)k] = (float)(k % 4 < 3 ? centre[k % 4] - cell[BOX + k % 4] : distance_scale(cell, centre));
        }
    }
    drua_view centre = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, (int64_t)count, 1, 2}, DRUA_FLOAT32);
    plan_write(p, centre, centres);
    LAUNCH(p, "statistics_distances", walk_grid(labels.layout), ARG(labels), INT(first), INT(last), POINTER(centre), POINTER(table.rows));
    plan_read(p, table.rows, rows, bytes);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        fill_distances(rows + i * STATISTICS_ROW, centres + 8 * i, cells + i * COLUMNS);
    plan_set_table(p, headings, COLUMNS, cells, count);
}

static void plan_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    measure(p, plan_image(p, "labels"), 1, last);
}

static void plan_background_and_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    measure(p, plan_image(p, "labels"), 0, last);
}

/* The whole image is label 0 of a label map whose pixels are all the same zero. */
static void plan_whole_image(drua_plan *p)
{
    drua_view zero = plan_memory(p, sizeof(uint32_t));
    plan_clear(p, zero);
    drua_layout l = plan_image(p, "source").layout;
    zero.layout = (drua_layout){l.width, l.height, l.depth, DRUA_UINT32, 0, 0, 0, 0};
    measure(p, zero, 0, 0);
}

#define TABLE_PARAMETER DRUA_TABLE_OUT("table", "one row for each label, 36 columns")
#define SOURCE DRUA_IMAGE_IN("source", "image whose intensities are measured")
#define LABELS DRUA_IMAGE_IN("labels", "label map that says which pixels belong together")

const drua_op drua_op_statistics_of_labelled_pixels = {
    .name = "statistics_of_labelled_pixels",
    .category = "measurements",
    .summary = "Measures size, position, shape and intensity of every label; one table row each.",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2/CLIJx statisticsOfLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .plan = plan_labels,
};

const drua_op drua_op_statistics_of_background_and_labelled_pixels = {
    .name = "statistics_of_background_and_labelled_pixels",
    .category = "measurements",
    .summary = "Measures the background as label 0, then every label; one table row each.",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2 statisticsOfBackgroundAndLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .plan = plan_background_and_labels,
};

const drua_op drua_op_statistics_of_image = {
    .name = "statistics_of_image",
    .category = "measurements",
    .summary = "Measures position and intensity of the whole image; one table row.",
    DRUA_PARAMS(SOURCE, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2 statisticsOfImage: source"),
    .numeric = DRUA_DEVICE,
    .plan = plan_whole_image,
};
