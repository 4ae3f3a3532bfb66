/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests programs whose images do not fit the device: all together, one alone, or one in a single buffer. Also tests
 * texts that are not a valid budget.
 */
#include "limited.h"

#include "context.h"
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a program with three times as many bytes as the budget */

enum { STACKS = 12 };

static void push_stacks(drua_context *context, drua_image *stacks)
{
    const drua_shape shape = {256, 256, 64, 3};
    const size_t count = 256 * 256 * 64;
    float *pixels = reference_allocate(count, sizeof *pixels);
    for (int i = 0; i < STACKS; i++) {
        for (size_t k = 0; k < count; k++)
            pixels[k] = (float)((k * 2654435761u >> 7) % 1000) + (float)i;
        REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &stacks[i]));
    }
    free(pixels);
}

/* Returns one whole result; `sums` receives the sums of all results. */
static reference_image pipeline(drua_context *context, double *sums)
{
    drua_image stacks[STACKS], blurred[STACKS], difference;
    push_stacks(context, stacks);
    int output = 1;
    for (int i = 0; i < STACKS; i++)
        STEP(blurred[i], "gaussian_blur", IMAGE(stacks[i]), NEW, NUMBER(1), NUMBER(1), NUMBER(1));
    for (int i = 0; i < STACKS; i++) {
        output = 2;
        STEP(difference, "subtract_images", IMAGE(blurred[i]), IMAGE(stacks[(i + 5) % STACKS]), NEW);
        drua_argument sum[] = {IMAGE(difference), NEW};
        REQUIRE(drua_invoke(context, "sum_of_all_pixels", sum, 2, NULL));
        sums[i] = sum[1].number;
        if (i < STACKS - 1)
            REQUIRE(drua_release(context, difference));
    }
    return harness_pull(context, difference);
}

START_TEST(three_times_the_budget)
{
    enum { BUDGET = 64 << 20 };
    double expected[STACKS], got[STACKS];
    loader_find();
    drua_context *whole = harness_open();
    reference_image a = pipeline(whole, expected);
    drua_close(whole);
    drua_context *limited = limited_open("64MB");
    reference_image b = pipeline(limited, got);
    const drua_statistics s = limited_statistics(limited);
    printf("%.0f MB spilled, peak %.1f MB\n", (double)s.spilled_bytes / 1e6, (double)s.peak_bytes / 1e6);
    char message[256];
    ck_assert_msg(reference_agrees(&a, &b, 0, false, message, sizeof message), "%s", message);
    for (int i = 0; i < STACKS; i++)
        ck_assert_double_eq(expected[i], got[i]);
    ck_assert_uint_gt(s.spilled_bytes, 128 << 20);
    loader_expect_peak(BUDGET, 0);
    ck_assert_msg(strstr(drua_report_memory(limited), "on the host"), "%s", drua_report_memory(limited));
    drua_close(limited);
    reference_free(&a);
    reference_free(&b);
}
END_TEST

/* One stack alone exceeds both the budget and the device's largest buffer. */
START_TEST(one_image_beyond_the_budget)
{
    loader_find();
    drua_context *context = limited_open("4MB");
    const drua_shape shape = {200, 200, 100, 3};
    float *pixels = reference_allocate(4000000, sizeof *pixels);
    for (size_t i = 0; i < 4000000; i++)
        pixels[i] = (float)(i % 251);
    drua_image source, result;
    REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &source));
    int output = 1;
    STEP(result, "maximum_box", IMAGE(source), NEW, NUMBER(1), NUMBER(0), NUMBER(0));
    STEP(result, "add_image_and_scalar", IMAGE(result), NEW, NUMBER(1));
    float *got = reference_allocate(4000000, sizeof *got);
    REQUIRE(drua_pull(context, result, got));
    for (int i = 1; i < 199; i++)
        ck_assert_double_eq(got[i], fmax(fmax(pixels[i - 1], pixels[i]), pixels[i + 1]) + 1);
    ck_assert_uint_gt(limited_statistics(context).tiles, 0);
    drua_argument labels[] = {IMAGE(source), NEW};
    REFUSED(DRUA_E_MEMORY, drua_invoke(context, "forward_fft", labels, 2, NULL), "forward_fft", "MB");
    REQUIRE(drua_pull(context, source, got));
    ck_assert_int_eq(memcmp(got, pixels, 4000000 * sizeof *got), 0);
    loader_expect_peak(4 << 20, 0);
    free(got);
    free(pixels);
    drua_close(context);
}
END_TEST

/* ---- devices whose largest buffer is a quarter of their memory */

static reference_image walk_through(drua_context *context, double *sum)
{
    enum { WIDTH = 200, HEIGHT = 100, DEPTH = 40 };
    float *pixels = reference_allocate(WIDTH * HEIGHT * DEPTH, sizeof *pixels);
    for (size_t i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
        pixels[i] = (float)((i * 2654435761u >> 9) % 200);
    drua_image source, smooth, turned, mask, labels;
    REQUIRE(drua_push(context, (drua_shape){WIDTH, HEIGHT, DEPTH, 3}, DRUA_FLOAT32, pixels, &source));
    free(pixels);
    int output = 1;
    STEP(smooth, "gaussian_blur", IMAGE(source), NEW, NUMBER(2), NUMBER(2), NUMBER(1));
    STEP(turned, "rotate", IMAGE(smooth), NEW, NUMBER(0), NUMBER(0), NUMBER(30), NUMBER(1));
    STEP(mask, "automatic_threshold", IMAGE(turned), NEW, NAME("Otsu"));
    STEP(labels, "connected_components_box", IMAGE(mask), NEW);
    drua_argument total[] = {IMAGE(labels), NEW};
    REQUIRE(drua_invoke(context, "sum_of_all_pixels", total, 2, NULL));
    *sum = total[1].number;
    return harness_pull(context, labels);
}

START_TEST(blocks_of_a_quarter)
{
    double expected, got;
    loader_find();
    drua_context *whole = harness_open();
    reference_image a = walk_through(whole, &expected);
    drua_close(whole);
    loader.limit_blocks(1 << 20);
    drua_context *limited = limited_open("4MB");
    drua_device_info info;
    drua_context_device(limited, &info);
    ck_assert_uint_eq(info.largest_allocation, 1 << 20);
    reference_image b = walk_through(limited, &got);
    char message[256];
    ck_assert_msg(reference_agrees(&a, &b, 0, false, message, sizeof message), "%s", message);
    ck_assert_double_eq(expected, got);
    ck_assert_uint_gt(limited_statistics(limited).tiles, 0);
    loader_expect_peak(4 << 20, 0);
    drua_close(limited);
    loader.limit_blocks(0);
    reference_free(&a);
    reference_free(&b);
}
END_TEST

/* ---- budgets */

START_TEST(budgets_that_are_none)
{
    drua_context *context = harness_open();
    static const char *const wrong[] = {"abc", "0", "-3", "nan", "1e300", "2XB", "0.5MB", "MB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, drua_set_memory(context, wrong[i]), "memory must be", wrong[i]);
    static const struct {
        const char *text;
        uint64_t bytes;
    } right[] = {{"64MB", 64 << 20}, {"64 mb", 64 << 20}, {"64M", 64 << 20}, {"100", 100 << 20}, {"4096KB", 4 << 20}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        REQUIRE(drua_set_memory(context, right[i].text));
        ck_assert_uint_eq(limited_statistics(context).budget_bytes, right[i].bytes);
    }
    drua_argument told = NEW;
    REQUIRE(drua_invoke(context, "memory_budget", &told, 1, NULL));
    ck_assert_double_eq(told.number, 4 << 20);
    REQUIRE(drua_invoke(context, "memory_used", &told, 1, NULL));
    ck_assert_double_eq(told.number, (double)limited_statistics(context).device_bytes);
    REQUIRE(drua_invoke(context, "memory_on_host", &told, 1, NULL));
    ck_assert_double_eq(told.number, 0);
    drua_device_info info;
    drua_context_device(context, &info);
    REQUIRE(drua_set_memory(context, "50%"));
    ck_assert_uint_le(limited_statistics(context).budget_bytes, info.global_memory / 2);
    drua_close(context);
    setenv("DRUA_MEMORY", "much", 1);
    REFUSED(DRUA_E_ARGUMENT, drua_open(NULL, &context), "memory must be", "much");
    unsetenv("DRUA_MEMORY");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("overfull");
    TCase *tests = tcase_create("overfull");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, budgets_that_are_none);
    tcase_add_test(tests, three_times_the_budget);
    tcase_add_test(tests, one_image_beyond_the_budget);
    tcase_add_test(tests, blocks_of_a_quarter);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
