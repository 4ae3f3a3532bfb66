/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that the functions of drua/operations.h pass every kind of parameter and return every kind of result. */
#include "harness.h"

#include <drua/operations.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

START_TEST(numbers_and_destinations)
{
    const float numbers[] = {1, 2, 3};
    const drua_image line = harness_line(context, numbers, 3);
    drua_image sum = 0;
    REQUIRE(drua_add_image_and_scalar(context, line, &sum, 0.5));
    ck_assert_uint_ne(sum, 0);
    ck_assert_double_eq(harness_first(context, sum), 1.5);
    const drua_image made = sum;
    REQUIRE(drua_add_image_and_scalar(context, line, &sum, 2));
    ck_assert_uint_eq(sum, made);
    ck_assert_double_eq(harness_first(context, sum), 3);
}
END_TEST

START_TEST(numbers_come_back)
{
    const float numbers[] = {1, 2, 6};
    const drua_image line = harness_line(context, numbers, 3);
    double mean = 0;
    REQUIRE(drua_mean_of_all_pixels(context, line, &mean));
    ck_assert_double_eq(mean, 3);
    REQUIRE(drua_mean_of_all_pixels(context, line, NULL));
}
END_TEST

START_TEST(tables_come_back)
{
    const float numbers[] = {4, 5, 6, 7};
    drua_table *table = NULL;
    REQUIRE(drua_image_size(context, harness_line(context, numbers, 4), &table));
    ck_assert_uint_eq(table->rows, 1);
    ck_assert_double_eq(table->cells[0], 4);
    drua_table_free(table);
}
END_TEST

START_TEST(arrays_go_in)
{
    const double pixels[] = {9, 8, 7, 6};
    drua_image plane = 0;
    REQUIRE(drua_push_array(context, &plane, pixels, 4, 2, 2, 1));
    ck_assert_double_eq(harness_first(context, plane), 9);
    const double factors[] = {2};
    drua_image product = 0;
    REQUIRE(drua_multiply_slices_with_scalars(context, plane, &product, factors, 1));
    ck_assert_double_eq(harness_first(context, product), 18);
}
END_TEST

START_TEST(texts_go_both_ways)
{
    const float psf[] = {1, 2, 1};
    const drua_image line = harness_line(context, psf, 3);
    const char *estimate = NULL;
    double bytes = 0;
    REQUIRE(drua_estimate_deconvolution(context, line, line, "iterations=3", &estimate, &bytes));
    ck_assert_ptr_nonnull(estimate);
    ck_assert_double_gt(bytes, 0);
}
END_TEST

START_TEST(failures_change_nothing)
{
    drua_image result = 0;
    double number = 7;
    REFUSED(DRUA_E_NAME, drua_gaussian_blur(context, 0, &result, 1, 1, 0), "source");
    ck_assert_uint_eq(result, 0);
    REFUSED(DRUA_E_NAME, drua_mean_of_all_pixels(context, 0, &number), "source");
    ck_assert_double_eq(number, 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("typed functions");
    TCase *tests = tcase_create("typed functions");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, numbers_and_destinations);
    tcase_add_test(tests, numbers_come_back);
    tcase_add_test(tests, tables_come_back);
    tcase_add_test(tests, arrays_go_in);
    tcase_add_test(tests, texts_go_both_ways);
    tcase_add_test(tests, failures_change_nothing);
    return harness_run(suite);
}
