/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the times of kernels, which come from the device's own events. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Totals of drua_profile's lines: the number of lines, launches and milliseconds. */
typedef struct sum {
    int lines;
    unsigned long long launches;
    double milliseconds;
} sum;

static sum sum_of(const char *text)
{
    sum all = {0};
    char name[64];
    unsigned long long launches;
    double milliseconds, before = 0;
    for (int end; sscanf(text, "%63s\t%llu\t%lf\n%n", name, &launches, &milliseconds, &end) == 3; text += end) {
        ck_assert_uint_gt(launches, 0);
        ck_assert_msg(all.lines == 0 || milliseconds <= before, "%s took longer than the line before it", name);
        before = milliseconds;
        all.lines++;
        all.launches += launches;
        all.milliseconds += milliseconds;
    }
    ck_assert_str_eq(text, "");
    return all;
}

static drua_context *open_and_work(int calls)
{
    static float pixels[64 * 64];
    drua_context *context;
    drua_image image;
    REQUIRE(drua_open(NULL, &context));
    REQUIRE(drua_push(context, reference_plane(64, 64), DRUA_FLOAT32, pixels, &image));
    for (int i = 0; i < calls; i++) {
        drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(2), NUMBER(2), NUMBER(0)};
        REQUIRE(drua_invoke(context, "gaussian_blur", arguments, 5, NULL));
        REQUIRE(drua_release(context, arguments[1].image));
    }
    REQUIRE(drua_sync(context));
    return context;
}

/* The tests run in separate processes, because a process decides once whether it measures times. */
START_TEST(times_of_kernels)
{
    setenv("DRUA_TIME_KERNELS", "1", 1);
    drua_context *context = open_and_work(3);
    drua_statistics statistics;
    drua_get_statistics(context, &statistics);
    const sum all = sum_of(drua_profile(context));
    ck_assert_int_ge(all.lines, 1);
    ck_assert_uint_ge(all.launches, statistics.launches); /* one launch may be sent in several chunks */
    ck_assert(all.milliseconds > 0);
    ck_assert_str_eq(drua_profile(context), "");
    drua_close(context);
}
END_TEST

START_TEST(nothing_without_the_variable)
{
    unsetenv("DRUA_TIME_KERNELS");
    drua_context *context = open_and_work(1);
    ck_assert_str_eq(drua_profile(context), "");
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel times");
    TCase *tests = tcase_create("kernel times");
    tcase_add_test(tests, times_of_kernels);
    tcase_add_test(tests, nothing_without_the_variable);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
