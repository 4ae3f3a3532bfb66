/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the measures of two images for each label with sums over its pixels. */
#include "measured.h"

#include <math.h>
#include <string.h>

enum { LABELS = 5 };

static drua_table *measure(drua_context *context, const reference_image images[2], const reference_image *labels,
                           const char *options)
{
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, &images[0])), IMAGE(harness_push(context, &images[1])),
                                 IMAGE(harness_push(context, labels)), NAME(options)};
    REQUIRE(drua_invoke(context, "measure_colocalization", arguments, 4, &table));
    REQUIRE(drua_clear(context));
    return table;
}

static void check_row(const drua_table *table, const reference_image images[2], const reference_image *labels,
                      int label, const double thresholds[2])
{
    double n = 0, mean[2] = {0}, square[2] = {0}, raw[2] = {0}, product = 0, raw_product = 0, above[2] = {0},
           common[2] = {0}, most[2] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < reference_count(labels); i++) {
            if ((int)labels->pixels[i] != label)
                continue;
            const double v[2] = {images[0].pixels[i], images[1].pixels[i]};
            const bool both = v[0] > thresholds[0] && v[1] > thresholds[1];
            n += pass == 0;
            product += pass ? (v[0] - mean[0] / n) * (v[1] - mean[1] / n) : 0;
            raw_product += pass ? v[0] * v[1] : 0;
            for (int k = 0; k < 2; k++) {
                mean[k] += pass ? 0 : v[k];
                square[k] += pass ? pow(v[k] - mean[k] / n, 2) : 0;
                raw[k] += pass ? v[k] * v[k] : 0;
                above[k] += pass && v[k] > thresholds[k] ? v[k] : 0;
                common[k] += pass && both ? v[k] : 0;
                most[k] += pass ? fabs(v[k]) : 0;
            }
        }
    const bool none = n == 0;
    measured_check(table, label, "PIXEL_COUNT", n, 0);
    measured_check(table, label, "PEARSON", none ? NAN : product / sqrt(square[0] * square[1]), 1e-4);
    measured_check(table, label, "OVERLAP", none ? NAN : raw_product / sqrt(raw[0] * raw[1]), 1e-5);
    for (int k = 0; k < 2; k++)
        measured_check(table, label, k ? "MANDERS_2" : "MANDERS_1", none ? NAN : common[k] / above[k],
                       1e-6 * (1 + most[k] / fabs(above[k])));
}

static void free_images(reference_image images[2], reference_image *labels)
{
    for (int k = 0; k < 2; k++)
        reference_free(&images[k]);
    reference_free(labels);
}

static void check_labels(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    static const double none[2] = {0, 0}, some[2] = {3, 5};
    const bool with = harness_below(chance, 2);
    reference_image labels = measured_labels(chance, shape, harness_types[harness_below(chance, 7)], LABELS);
    reference_image images[2] = {
        harness_image(chance, type, shape, HARNESS_POSITIVE),
        harness_image(chance, harness_types[harness_below(chance, 7)], shape, HARNESS_POSITIVE)};
    drua_table *table = measure(context, images, &labels, with ? "threshold1=3 threshold2=5" : "");
    for (int label = 1; label <= (int)table->rows; label++)
        check_row(table, images, &labels, label, with ? some : none);
    drua_table_free(table);
    free_images(images, &labels);
}

START_TEST(random_images)
{
    measured_test_shapes(_i, 71, check_labels);
}
END_TEST

/*
 * Label 1: the same values with an offset and a factor. Label 2: opposite values. Label 3: one constant image. Label 4:
 * a NaN. Label 6: no common pixels above 0.
 */
START_TEST(known_images)
{
    enum { WIDTH = 7, HEIGHT = 4 };
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(WIDTH, HEIGHT));
    reference_image images[2] = {reference_make(DRUA_FLOAT32, labels.shape),
                                 reference_make(DRUA_FLOAT32, labels.shape)};
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        const double value = 10.0 + (double)(y * y), other[WIDTH] = {0, 2 * value + 5, 50 - value, 8, value, 1, y > 1};
        reference_put(&labels, x, y, z, x == 5 ? 0 : (double)x);
        reference_put(&images[0], x, y, z, x == 6 ? y <= 1 : value);
        reference_put(&images[1], x, y, z, x == 4 && y == 2 ? NAN : other[x]);
    }
    drua_table *table = measure(context, images, &labels, "prefix=both_");
    ck_assert_uint_eq(table->rows, 6);
    measured_check(table, 1, "both_PEARSON", 1, 1e-6);
    measured_check(table, 2, "both_PEARSON", -1, 1e-6);
    measured_check(table, 3, "both_PEARSON", NAN, 0);
    measured_check(table, 3, "both_MANDERS_1", 1, 0);
    measured_check(table, 4, "both_PIXEL_COUNT", HEIGHT, 0);
    measured_check(table, 4, "both_PEARSON", NAN, 0);
    measured_check(table, 4, "both_MANDERS_1", NAN, 0);
    measured_check(table, 5, "both_PIXEL_COUNT", 0, 0);
    measured_check(table, 5, "both_OVERLAP", NAN, 0);
    measured_check(table, 6, "both_MANDERS_1", 0, 0);
    measured_check(table, 6, "both_MANDERS_2", 0, 0);
    measured_check(table, 6, "both_OVERLAP", 0, 1e-6);
    drua_table_free(table);
    table = measure(context, images, &labels, "threshold1=1000");
    measured_check(table, 1, "MANDERS_1", NAN, 0);
    measured_check(table, 1, "MANDERS_2", 0, 0);
    drua_table_free(table);
    free_images(images, &labels);
    drua_close(context);
}
END_TEST

/* Rounding must not put coefficients of exactly linear images beyond their limits. */
START_TEST(linear_images)
{
    enum { TRIALS = 60, MAX = 80 };
    drua_context *context = harness_open();
    harness_random chance = {91};
    const drua_shape shape = reference_plane(19, 11);
    reference_image labels = reference_make(DRUA_UINT8, shape),
                    images[2] = {reference_make(DRUA_UINT8, shape), reference_make(DRUA_UINT8, shape)};
    for (size_t i = 0; i < reference_count(&labels); i++)
        labels.pixels[i] = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        const int sign = trial % 2 ? -1 : 1, factor = 1 + harness_below(&chance, 3),
                  offset = trial % 4 == 0 ? 0
                           : sign < 0     ? 255
                                          : harness_below(&chance, 10);
        for (size_t i = 0; i < reference_count(&labels); i++) {
            images[0].pixels[i] = harness_below(&chance, MAX);
            images[1].pixels[i] = sign * factor * images[0].pixels[i] + offset;
        }
        drua_table *table = measure(context, images, &labels, "");
        measured_check(table, 1, "PEARSON", sign, 1e-6);
        ck_assert_double_le(fabs(measured_cell(table, 1, "PEARSON")), 1);
        ck_assert_double_le(measured_cell(table, 1, "OVERLAP"), 1);
        ck_assert_double_ge(measured_cell(table, 1, "OVERLAP"), offset == 0 ? 1 - 1e-6 : 0);
        drua_table_free(table);
    }
    free_images(images, &labels);
    drua_close(context);
}
END_TEST

/* The overlap of images with opposite values is negative. */
START_TEST(negative_overlap)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(5, 1));
    reference_image images[2] = {reference_make(DRUA_FLOAT32, labels.shape),
                                 reference_make(DRUA_FLOAT32, labels.shape)};
    for (int x = 0; x < 5; x++) {
        labels.pixels[x] = 1;
        images[0].pixels[x] = x + 1;
        images[1].pixels[x] = -2 * (x + 1);
    }
    drua_table *table = measure(context, images, &labels, "");
    measured_check(table, 1, "OVERLAP", -1, 1e-6);
    drua_table_free(table);
    free_images(images, &labels);
    drua_close(context);
}
END_TEST

/* The memory budget holds the sums of fewer labels than there are, so they are measured in parts. */
START_TEST(labels_in_parts)
{
    enum { MANY = 3000 };
    static const double none[2] = {0, 0};
    drua_context *context = harness_open();
    harness_random chance = {92};
    const drua_shape shape = reference_plane(90, 70);
    reference_image labels = reference_make(DRUA_UINT16, shape),
                    images[2] = {harness_image(&chance, DRUA_UINT8, shape, HARNESS_POSITIVE),
                                 harness_image(&chance, DRUA_UINT16, shape, HARNESS_POSITIVE)};
    for (size_t i = 0; i < reference_count(&labels); i++)
        labels.pixels[i] = 1 + harness_below(&chance, MANY);
    REQUIRE(drua_set_memory(context, "2500KB"));
    drua_table *table = measure(context, images, &labels, "");
    ck_assert_uint_gt(table->rows, MANY / 2);
    for (int label = 1; label <= (int)table->rows; label++)
        check_row(table, images, &labels, label, none);
    drua_table_free(table);
    free_images(images, &labels);
    drua_close(context);
}
END_TEST

START_TEST(another_extent)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(4, 3)),
                    image = reference_make(DRUA_UINT8, reference_plane(4, 3)),
                    other = reference_make(DRUA_UINT8, reference_plane(4, 4));
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)), IMAGE(harness_push(context, &other)),
                                 IMAGE(harness_push(context, &labels)), NAME("")};
    ck_assert_int_ne(drua_invoke(context, "measure_colocalization", arguments, 4, &table), 0);
    ck_assert_ptr_nonnull(strstr(drua_error_message(), "source2"));
    ck_assert_ptr_null(table);
    reference_free(&other);
    reference_free(&image);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("colocalization");
    TCase *tests = tcase_create("colocalization");
    tcase_set_timeout(tests, 300);
    harness_add(tests, random_images, 7);
    harness_add(tests, known_images, 1);
    harness_add(tests, linear_images, 1);
    harness_add(tests, negative_overlap, 1);
    harness_add(tests, labels_in_parts, 1);
    harness_add(tests, another_extent, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
