/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares intensities and inscribed circles of measure_labels with sorted pixels and all pairs of pixels. */
#include "measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The most frequent number of a sorted list, the smaller of equal ones. */
static double mode_of(const double *sorted, int count)
{
    double best = sorted[0];
    for (int i = 0, max = 0; i < count; i++) {
        int times = 0;
        for (int k = 0; k < count; k++)
            times += sorted[k] == sorted[i];
        if (times > max) {
            max = times;
            best = sorted[i];
        }
    }
    return best;
}

/* The middle of the fullest of 256 equal bins; NaN if a number lies so near to a bin's end that rounding decides. */
static double binned_mode(const double *sorted, int count)
{
    int times[256] = {0}, best = 0;
    const double low = sorted[0], range = sorted[count - 1] - low;
    if (!(range > 0))
        return low;
    for (int i = 0; i < count; i++) {
        const double place = (sorted[i] - low) / range * 256;
        if (i > 0 && i < count - 1 && fabs(place - rint(place)) < 1e-4 && place < 255.9 && place > 0.1)
            return NAN;
        times[place < 255 ? (int)place : 255]++;
    }
    for (int bin = 1; bin < 256; bin++)
        best = times[bin] > times[best] ? bin : best;
    return low + range * (best + 0.5) / 256;
}

/* Those of PERCENTILES. */
static const double percents[] = {0, 2.5, 10, 50, 99.9, 100};
#define PERCENTILES "percentiles=10,50,100,0,2.5,99.9"

static void check_orders(const drua_table *table, int label, double *values, int count, bool exact_mode)
{
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    measured_check(table, label, "MINIMUM_INTENSITY", values[0], 0);
    measured_check(table, label, "MAXIMUM_INTENSITY", values[count - 1], 0);
    measured_check(table, label, "QUARTILE_1_INTENSITY", values[count / 4], 0);
    measured_check(table, label, "MEDIAN_INTENSITY", values[count / 2], 0);
    measured_check(table, label, "QUARTILE_3_INTENSITY", values[3 * (int64_t)count / 4], 0);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        char name[40];
        const int64_t rank = (int64_t)(percents[i] * count / 100 + 1e-9);
        snprintf(name, sizeof name, "PERCENTILE_%g_INTENSITY", percents[i]);
        measured_check(table, label, name, values[rank < count ? rank : count - 1], 0);
    }
    const double mode = exact_mode ? mode_of(values, count) : binned_mode(values, count);
    if (!isnan(mode))
        measured_check(table, label, "MODE_INTENSITY", mode, 1e-5 * (fabs(mode) + values[count - 1] - values[0]));
}

static void check_sums(const drua_table *table, const reference_image *intensity, const reference_image *labels,
                       int label, const double *values, int count)
{
    static const char *const names[] = {"MASS_CENTER_X", "MASS_CENTER_Y", "MASS_CENTER_Z"};
    double sum = 0, size = 0, power[5] = {0}, centre[3] = {0};
    for (int i = 0; i < count; i++) {
        sum += values[i];
        size += fabs(values[i]);
    }
    for (int i = 0; i < count; i++)
        for (int k = 2; k < 5; k++)
            power[k] += pow(values[i] - sum / count, k) / count;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        if ((int)reference_at(labels, x, y, z) == label) {
            const double value = reference_at(intensity, x, y, z);
            centre[0] += value * ((double)x + 0.5);
            centre[1] += value * ((double)y + 0.5);
            centre[2] += value * ((double)z + 0.5);
        }
    const double deviation = sqrt(power[2]);
    measured_check(table, label, "SUM_INTENSITY", sum, 1e-7 * size);
    measured_check(table, label, "MEAN_INTENSITY", sum / count, 1e-7 * size / count);
    measured_check(table, label, "STANDARD_DEVIATION_INTENSITY", deviation, 1e-6 * deviation + 1e-6 * size / count);
    measured_check(table, label, "SKEWNESS_INTENSITY", power[3] / pow(deviation, 3), 1e-4);
    measured_check(table, label, "KURTOSIS_INTENSITY", power[4] / pow(deviation, 4) - 3, 1e-4);
    for (int axis = 0; axis < (labels->shape.depth > 1 ? 3 : 2); axis++)
        if (fabs(sum) > 0.1 * size)
            measured_check(table, label, names[axis], centre[axis] / sum, 1e-5 * size / fabs(sum));
}

/* The pixel of a label that is farthest from the pixels of other labels, the first one in raster order. */
static void check_inscribed(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    static const char *const names[] = {"INSCRIBED_X", "INSCRIBED_Y", "INSCRIBED_Z"};
    const drua_shape s = labels->shape;
    double largest = -1, centre[3] = {0};
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        double nearest = INFINITY;
        if ((int)reference_at(labels, x, y, z) != label)
            continue;
        for (int64_t c = 0; c < s.depth; c++)
            for (int64_t b = 0; b < s.height; b++)
                for (int64_t a = 0; a < s.width; a++)
                    if ((int)reference_at(labels, a, b, c) != label)
                        nearest = fmin(nearest, pow((double)(a - x) * size[0], 2) + pow((double)(b - y) * size[1], 2) +
                                                    pow((double)(c - z) * size[2], 2));
        if (nearest > largest + 1e-9) {
            largest = nearest;
            centre[0] = (double)x + 0.5;
            centre[1] = (double)y + 0.5;
            centre[2] = (double)z + 0.5;
        }
    }
    measured_check(table, label, "INSCRIBED_RADIUS", isinf(largest) ? NAN : sqrt(largest), 1e-6 * sqrt(largest));
    for (int axis = 0; axis < (s.depth > 1 ? 3 : 2); axis++)
        measured_check(table, label, names[axis], isinf(largest) ? NAN : size[axis] * centre[axis], 1e-9);
}

static void check_labels(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    enum { LABELS = 5 };
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}};
    static const char *const options[] = {"intensity inscribed units=pixels " PERCENTILES,
                                          "all voxel=1,2,3 " PERCENTILES};
    const int which = harness_below(chance, 2);
    reference_image labels = measured_labels(chance, shape, harness_types[harness_below(chance, 7)], LABELS),
                    intensity = harness_image(chance, type, shape, HARNESS_GREY);
    const bool wide = harness_below(chance, 2); /* all bits of the type */
    for (size_t i = 0; wide && i < reference_count(&intensity); i++)
        intensity.pixels[i] = reference_store(type, harness_below(chance, 2) ? harness_next(chance) % 60000
                                                                             : 0.37 * intensity.pixels[i] - 20000);
    double *values = reference_allocate(reference_count(&labels), sizeof *values);
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, &intensity)), IMAGE(harness_push(context, &labels)),
                                 NAME(options[which])};
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    for (int label = 1; label <= (int)table->rows; label++) {
        int count = 0;
        REFERENCE_EACH_PIXEL (shape, x, y, z)
            if ((int)reference_at(&labels, x, y, z) == label)
                values[count++] = reference_at(&intensity, x, y, z);
        if (count == 0) {
            for (size_t i = 2; i < table->columns; i++)
                ck_assert(isnan(table->cells[(size_t)(label - 1) * table->columns + i]));
            continue;
        }
        if (which == 0) {
            check_sums(table, &intensity, &labels, label, values, count);
            check_inscribed(table, &labels, label, sizes[0]);
        } else {
            check_inscribed(table, &labels, label, sizes[1]);
        }
        check_orders(table, label, values, count, type == DRUA_UINT8 || type == DRUA_INT8);
    }
    drua_table_free(table);
    free(values);
    reference_free(&intensity);
    reference_free(&labels);
    REQUIRE(drua_clear(context));
}

START_TEST(random_labels)
{
    measured_test_shapes(_i, 21, check_labels);
}
END_TEST

static void fill_box(reference_image *image, int x, int y, int width, int height, int label)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            reference_put(image, column, row, 0, label);
}

/* Radii that MorphoLibJ's public tests expect. */
START_TEST(known_circles)
{
    static const double radii[] = {1, 1, 2, 4};
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(14, 9));
    reference_put(&image, 1, 1, 0, 1);
    fill_box(&image, 3, 1, 2, 2, 2);
    fill_box(&image, 1, 4, 4, 4, 3);
    fill_box(&image, 6, 1, 7, 7, 4);
    drua_table *table = measured_table(context, &image, "inscribed");
    for (int label = 1; label <= 4; label++)
        measured_check(table, label, "INSCRIBED_RADIUS", radii[label - 1], 1e-12);
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* NaN spoils the columns of its label alone; a label of one intensity has no skewness. */
START_TEST(odd_intensities)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(8, 3)),
                    intensity = reference_make(DRUA_FLOAT32, reference_plane(8, 3));
    fill_box(&labels, 0, 0, 4, 3, 1);
    fill_box(&labels, 4, 0, 4, 3, 2);
    fill_box(&intensity, 4, 0, 4, 3, 7);
    intensity.pixels[2] = NAN;
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, &intensity)), IMAGE(harness_push(context, &labels)),
                                 NAME("intensity percentiles=0,90")};
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    for (size_t i = 1; i < table->columns; i++)
        ck_assert(isnan(table->cells[i]));
    measured_check(table, 2, "MEDIAN_INTENSITY", 7, 0);
    measured_check(table, 2, "PERCENTILE_90_INTENSITY", 7, 0);
    measured_check(table, 2, "MODE_INTENSITY", 7, 0);
    measured_check(table, 2, "STANDARD_DEVIATION_INTENSITY", 0, 0);
    measured_check(table, 2, "SKEWNESS_INTENSITY", NAN, 0);
    drua_table_free(table);
    reference_free(&labels);
    labels = reference_make(DRUA_UINT8, reference_plane(8, 4));
    arguments[1] = IMAGE(harness_push(context, &labels));
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "measure_labels",
            "8 x 3 x 1", "8 x 4 x 1");
    reference_free(&labels);
    reference_free(&intensity);
    drua_close(context);
}
END_TEST

/*
 * 32-bit integers that float32 rounds: order statistics keep all bits. A label whose intensities round to one float has
 * no deviation. Label 2 has one intensity.
 */
START_TEST(large_integers)
{
    enum { WIDTH = 40, HEIGHT = 3 };
    static const double numbers[][4] = {{1073741825, 1073741827, 2147483647, 16777217},
                                        {-2147483647, -16777217, 16777219, 1073741827},
                                        {1073741825, 1073741827, 1073741829, 1073741831},
                                        {4294967295, 4294967293, 4294967291, 16777217}};
    static const drua_type types[] = {DRUA_INT32, DRUA_INT32, DRUA_UINT32, DRUA_UINT32};
    drua_context *context = harness_open();
    harness_random chance = {7};
    for (int i = 0; i < 4; i++) {
        reference_image labels = reference_make(DRUA_UINT8, reference_plane(WIDTH, HEIGHT)),
                        intensity = reference_make(types[i], reference_plane(WIDTH, HEIGHT));
        double values[3][WIDTH * HEIGHT];
        int counts[3] = {0};
        for (size_t k = 0; k < WIDTH * HEIGHT; k++) {
            const int label = harness_below(&chance, 3);
            labels.pixels[k] = label;
            intensity.pixels[k] = numbers[i][label == 2 ? 0 : harness_below(&chance, 4)];
            values[label][counts[label]++] = intensity.pixels[k];
        }
        drua_table *table = NULL;
        drua_argument arguments[] = {IMAGE(harness_push(context, &intensity)), IMAGE(harness_push(context, &labels)),
                                     NAME("intensity " PERCENTILES)};
        REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
        for (int label = 1; label < 3; label++)
            check_orders(table, label, values[label], counts[label], false);
        measured_check(table, 2, "MODE_INTENSITY", numbers[i][0], 0);
        measured_check(table, 2, "MEAN_INTENSITY", numbers[i][0], 0);
        if (i == 2) {
            measured_check(table, 1, "STANDARD_DEVIATION_INTENSITY", 0, 0);
            measured_check(table, 1, "SKEWNESS_INTENSITY", NAN, 0);
            measured_check(table, 1, "KURTOSIS_INTENSITY", NAN, 0);
        }
        drua_table_free(table);
        reference_free(&labels);
        reference_free(&intensity);
    }
    drua_close(context);
}
END_TEST

/*
 * Percentiles alone: increasing columns without duplicates, also for a label that spans several parts of the table and
 * for one column as a map. Other texts are refused.
 */
START_TEST(percentiles_alone)
{
    static const char *const wrong[] = {"percentiles=101",    "percentiles=-1",
                                        "percentiles=10,nan", "percentiles=10/90",
                                        "percentiles=x",      "percentiles=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(10, 10)),
                    intensity = reference_make(DRUA_UINT16, reference_plane(10, 10));
    for (int i = 0; i < 100; i++) {
        labels.pixels[i] = i < 20 ? 3 : 1;
        intensity.pixels[i] = 1000 + (i < 20 ? 37 * i % 20 : i * 7 % 80);
    }
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, &intensity)), IMAGE(harness_push(context, &labels)),
                                 NAME("percentiles=90,12.5,90,25")};
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    ck_assert_uint_eq(table->columns, 4);
    ck_assert_str_eq(table->headings[1], "PERCENTILE_12.5_INTENSITY");
    ck_assert_str_eq(table->headings[2], "PERCENTILE_25_INTENSITY");
    ck_assert_str_eq(table->headings[3], "PERCENTILE_90_INTENSITY");
    measured_check(table, 1, "PERCENTILE_12.5_INTENSITY", 1010, 0);
    measured_check(table, 1, "PERCENTILE_90_INTENSITY", 1072, 0);
    measured_check(table, 2, "PERCENTILE_90_INTENSITY", NAN, 0);
    measured_check(table, 3, "PERCENTILE_25_INTENSITY", 1005, 0);
    measured_check(table, 3, "PERCENTILE_90_INTENSITY", 1018, 0);
    drua_table_free(table);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        arguments[2] = NAME(wrong[i]);
        REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "percentiles",
                "0 to 100");
    }
    arguments[2] = NAME("percentiles=10.00001,15.00001,20.00001,25.00001,30.00001,35.00001,40.00001,45.00001,50.00001,"
                        "55.00001,60.00001,65.00001,70.00001,75.00001");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "percentiles",
            "126 characters");
    drua_argument of_map[] = {arguments[0], arguments[1], NEW, NAME("PERCENTILE_90_INTENSITY"), NAME("percentiles=90")};
    REQUIRE(drua_invoke(context, "measure_labels_map", of_map, 5, NULL));
    reference_image map = harness_pull(context, of_map[2].image);
    for (int i = 0; i < 100; i++)
        ck_assert_double_eq(map.pixels[i], i < 20 ? 1018 : 1072);
    reference_free(&map);
    reference_free(&labels);
    reference_free(&intensity);
    drua_close(context);
}
END_TEST

/* All columns at once: no heading is lost or given twice. */
START_TEST(every_column)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(5, 4, 3));
    for (size_t i = 0; i < reference_count(&labels); i++)
        labels.pixels[i] = (double)(i % 2);
    drua_table *table =
        measured_table(context, &labels, "all shells=16 percentiles=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
    ck_assert_uint_gt(table->columns, 160);
    for (size_t i = 0; i < table->columns; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(table->headings[i], table->headings[k]);
    measured_check(table, 1, "PERCENTILE_16_INTENSITY", 1, 0);
    drua_table_free(table);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_intensities");
    TCase *tests = tcase_create("label_intensities");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, known_circles, 1);
    harness_add(tests, odd_intensities, 1);
    harness_add(tests, large_integers, 1);
    harness_add(tests, percentiles_alone, 1);
    harness_add(tests, every_column, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
