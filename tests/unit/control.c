/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests how a program controls a sequence of calls: by a watch, a stop between two calls, or compiling in advance. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 1000, DEPTH = 5, STEPS = 6 };

static drua_context *context;
static drua_image source;
static unsigned char *pixels;

static void open_context(void)
{
    context = harness_open();
    pixels = reference_allocate(SIDE * SIDE, DEPTH);
    for (int i = 0; i < SIDE * SIDE * DEPTH; i++)
        pixels[i] = (unsigned char)(i * 7 % 251);
    REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, DEPTH), DRUA_UINT8, pixels, &source));
}

static void close_context(void)
{
    drua_close(context);
    free(pixels);
}

static drua_status median(drua_image from, drua_image *to)
{
    drua_argument arguments[] = {IMAGE(from), NEW, NUMBER(3), NUMBER(3), NUMBER(0)};
    const drua_status status = drua_invoke(context, "median_box", arguments, 5, NULL);
    *to = arguments[1].image;
    return status;
}

static drua_image send_work(void)
{
    drua_image last = source;
    for (int i = 0; i < STEPS; i++)
        REQUIRE(median(last, &last));
    return last;
}

typedef struct watched {
    int calls, between, falls, left; /* the watch stops its call when `left` is 0 */
    double last;
} watched;

static int watch(void *payload, double progress)
{
    watched *w = payload;
    w->calls++;
    w->between += progress >= 0 && progress < 1;
    w->falls += progress >= 0 && progress < w->last;
    w->last = progress;
    return w->left-- != 0;
}

START_TEST(watch_sees_the_work_of_a_pull)
{
    watched w = {.left = -1, .last = -1};
    send_work(); /* compiles */
    REQUIRE(drua_sync(context));
    const drua_image result = send_work();
    drua_set_progress_callback(context, watch, &w);
    REQUIRE(_i ? drua_sync(context) : drua_pull(context, result, pixels));
    ck_assert_int_ge(w.calls, 3);
    ck_assert_int_gt(w.between, 0);
    ck_assert_int_eq(w.falls, 0);
    const int before = w.calls;
    drua_set_progress_callback(context, NULL, NULL);
    REQUIRE(drua_sync(context));
    ck_assert_int_eq(w.calls, before);
}
END_TEST

START_TEST(watch_stops_a_pull)
{
    watched w = {.left = 2, .last = -1};
    send_work();
    REQUIRE(drua_sync(context));
    const drua_image result = send_work();
    drua_set_progress_callback(context, watch, &w);
    REFUSED(DRUA_E_CANCELLED, drua_pull(context, result, pixels), "stopped");
    ck_assert_int_eq(w.calls, 3);
    drua_set_progress_callback(context, NULL, NULL);
    REQUIRE(drua_pull(context, result, pixels));
}
END_TEST

/* The flag that a watch reads may be set while no call is running. */
START_TEST(watch_stops_the_next_call)
{
    watched w = {.left = 0, .last = -1};
    drua_image result;
    drua_set_progress_callback(context, watch, &w);
    REFUSED(DRUA_E_CANCELLED, median(source, &result), "stopped");
    ck_assert_int_eq(w.calls, 1);
    drua_set_progress_callback(context, NULL, NULL);
    REQUIRE(median(source, &result));
}
END_TEST

START_TEST(stops_between_calls)
{
    drua_image result, other = 0;
    drua_image_info info;
    REQUIRE(median(source, &result));
    drua_stop_calls(context, 1);
    REFUSED(DRUA_E_CANCELLED, median(source, &other), "stopped");
    REFUSED(DRUA_E_CANCELLED, drua_pull(context, result, pixels), "stopped");
    REFUSED(DRUA_E_CANCELLED, drua_sync(context), "stopped");
    REFUSED(DRUA_E_CANCELLED, drua_push(context, reference_stack(1, 1, 1), DRUA_UINT8, pixels, &other), "stopped");
    REFUSED(DRUA_E_CANCELLED, COMMAND(context, "CLIJ2_copy", NAME("a"), NAME("b")), "stopped");
    REQUIRE(drua_get_info(context, result, &info));
    ck_assert_int_eq(info.shape.width, SIDE);
    drua_stop_calls(context, 0);
    REQUIRE(drua_pull(context, result, pixels));
    drua_stop_calls(context, 1);
    REQUIRE(drua_release(context, result));
    drua_stop_calls(context, 0);
}
END_TEST

/* A chain of pointwise steps, and a filter with fixed numbers. */
static void run_pipeline(int side)
{
    drua_image image;
    REQUIRE(drua_push(context, (drua_shape){side, side, 1, 2}, DRUA_UINT8, pixels, &image));
    drua_argument blurred[] = {IMAGE(image), NEW, NUMBER(2), NUMBER(2), NUMBER(0)};
    REQUIRE(drua_invoke(context, "gaussian_blur", blurred, 5, NULL));
    drua_argument brighter[] = {IMAGE(blurred[1].image), NEW, NUMBER(1.5)};
    REQUIRE(drua_invoke(context, "multiply_image_and_scalar", brighter, 3, NULL));
    drua_argument sum[] = {IMAGE(brighter[1].image), NEW, NUMBER(3)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", sum, 3, NULL));
    REQUIRE(drua_sync(context));
    float *result = reference_allocate((size_t)side * (size_t)side, sizeof *result);
    REQUIRE(drua_pull(context, sum[1].image, result));
    free(result);
}

static uint64_t programs(void)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s.programs_built + s.programs_loaded;
}

START_TEST(prepares_a_pipeline)
{
    REQUIRE(drua_prepare(context, 1));
    run_pipeline(SIDE);
    REQUIRE(drua_prepare(context, 0));
    const uint64_t before = programs();
    for (int i = 0; i < 12; i++)
        run_pipeline(SIDE);
    usleep(100000); /* enough time for a background thread to begin compiling */
    ck_assert_uint_eq(programs(), before);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("control");
    TCase *tests = tcase_create("control");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, watch_sees_the_work_of_a_pull, 0, 2);
    tcase_add_test(tests, watch_stops_a_pull);
    tcase_add_test(tests, watch_stops_the_next_call);
    tcase_add_test(tests, stops_between_calls);
    tcase_add_test(tests, prepares_a_pipeline);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
