/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the GPU kernels for large windows with the reference, also for tiles that extend beyond the image and for
 * images smaller than the window.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum content { GREY, CONSTANT, TWO_VALUES, DARK_BESIDE_BRIGHT, OFFSET } content;

typedef struct trial {
    const char *operation;
    reference_window_statistic statistic;
    bool ball;
    int64_t radius[3];
    drua_shape shape;
    drua_type type;
    content content;
    bool view;                  /* the source is a part of a larger image */
} trial;

#define MEDIAN(shape) "median_" #shape, REFERENCE_WINDOW_MEDIAN
#define VARIANCE(shape) "variance_" #shape, REFERENCE_WINDOW_VARIANCE
#define DEVIATION(shape) "standard_deviation_" #shape, REFERENCE_WINDOW_DEVIATION

static const trial trials[] = {
    {MEDIAN(sphere), true, {2, 2, 2}, {35, 9, 7, 3}, DRUA_FLOAT32, GREY, false},
    {MEDIAN(sphere), true, {2, 2, 2}, {37, 7, 6, 3}, DRUA_UINT16, GREY, true},
    {MEDIAN(sphere), true, {3, 3, 0}, {35, 9, 2, 3}, DRUA_FLOAT32, GREY, true},
    {MEDIAN(sphere), true, {0, 2, 3}, {35, 6, 7, 3}, DRUA_UINT32, GREY, true},
    {MEDIAN(sphere), true, {6, 1, 1}, {37, 6, 4, 3}, DRUA_FLOAT32, GREY, false},
    {MEDIAN(box), false, {0, 1, 1}, {33, 5, 4, 3}, DRUA_INT32, GREY, true},
    {MEDIAN(sphere), true, {3, 3, 0}, {37, 12, 1, 2}, DRUA_UINT8, GREY, false},
    {MEDIAN(sphere), true, {2, 2, 2}, {6, 3, 2, 3}, DRUA_INT8, GREY, false},
    {MEDIAN(sphere), true, {15, 15, 15}, {19, 10, 3, 3}, DRUA_FLOAT32, GREY, false},
    {MEDIAN(sphere), true, {6, 7, 5}, {33, 9, 10, 3}, DRUA_UINT8, GREY, true},
    {MEDIAN(sphere), true, {6, 6, 6}, {18, 17, 9, 3}, DRUA_INT16, CONSTANT, false},
    {MEDIAN(sphere), true, {7, 6, 5}, {18, 11, 9, 3}, DRUA_UINT16, TWO_VALUES, false},
    {MEDIAN(sphere), true, {6, 6, 6}, {21, 9, 9, 3}, DRUA_FLOAT32, DARK_BESIDE_BRIGHT, true},
    {MEDIAN(sphere), true, {14, 15, 0}, {35, 70, 2, 3}, DRUA_FLOAT32, GREY, false},
    {MEDIAN(box), false, {12, 14, 0}, {17, 66, 1, 2}, DRUA_UINT8, GREY, false},
    {MEDIAN(box), false, {4, 5, 3}, {20, 9, 9, 3}, DRUA_INT32, GREY, true},
    {VARIANCE(sphere), true, {4, 5, 2}, {37, 10, 5, 3}, DRUA_UINT8, GREY, false},
    {DEVIATION(sphere), true, {6, 4, 5}, {35, 9, 4, 3}, DRUA_INT16, GREY, true},
    {VARIANCE(sphere), true, {5, 5, 1}, {33, 9, 3, 3}, DRUA_UINT16, GREY, false},
    {DEVIATION(box), false, {4, 4, 4}, {33, 9, 3, 3}, DRUA_FLOAT32, GREY, true},
    {VARIANCE(sphere), true, {4, 4, 4}, {34, 9, 9, 3}, DRUA_FLOAT32, DARK_BESIDE_BRIGHT, false},
    {VARIANCE(sphere), true, {4, 4, 4}, {34, 9, 5, 3}, DRUA_FLOAT32, OFFSET, false},
    {DEVIATION(sphere), true, {4, 4, 4}, {34, 9, 5, 3}, DRUA_FLOAT32, CONSTANT, false},
    {VARIANCE(sphere), true, {15, 15, 15}, {33, 9, 2, 3}, DRUA_UINT16, GREY, false},
    {VARIANCE(sphere), true, {15, 15, 0}, {140, 70, 1, 2}, DRUA_UINT16, GREY, true},
    {DEVIATION(sphere), true, {4, 9, 0}, {35, 40, 2, 3}, DRUA_INT8, GREY, false},
    {DEVIATION(box), false, {15, 2, 0}, {131, 33, 1, 2}, DRUA_INT16, GREY, true},
};

static double pixel_of(harness_random *chance, const trial *t, double grey, int64_t x)
{
    const double fraction = harness_below(chance, 1000) / 1024.0;
    switch (t->content) {
    case CONSTANT: return 7.3;
    case TWO_VALUES: return 3 + 40000 * harness_below(chance, 2);
    case DARK_BESIDE_BRIGHT: return x % 16 == 0 ? 40000 + fraction : 1 + fraction;
    case OFFSET: return 4e6 + 4 * fraction;
    default: return t->type == DRUA_UINT16 ? 64000 + grey : grey;
    }
}

static drua_image make_source(drua_context *context, harness_random *chance, const trial *t, reference_image *source)
{
    drua_shape whole = t->shape;
    if (t->view) {
        whole.width += 5;
        whole.height += 3;
    }
    reference_image pixels = harness_image(chance, t->type, whole, HARNESS_GREY);
    REFERENCE_EACH_PIXEL(whole, x, y, z)
        reference_put(&pixels, x, y, z, pixel_of(chance, t, reference_at(&pixels, x, y, z), x));
    *source = reference_make(t->type, t->shape);
    reference_crop(&pixels, t->view ? 3 : 0, t->view ? 2 : 0, 0, source);
    drua_argument part[] = {IMAGE(harness_push(context, &pixels)),
                            NEW,
                            NUMBER(3),
                            NUMBER(2),
                            NUMBER(0),
                            NUMBER((double)t->shape.width),
                            NUMBER((double)t->shape.height),
                            NUMBER((double)t->shape.depth)};
    reference_free(&pixels);
    if (t->view)
        REQUIRE(drua_invoke(context, "crop", part, sizeof part / sizeof *part, NULL));
    return part[t->view].image;
}

/* Tests the general kernels and those compiled for the window. */
START_TEST(as_the_reference)
{
    const trial *t = &trials[_i];
    harness_random chance = {(uint64_t)_i + 1};
    reference_image source;
    drua_context *context = harness_open();
    const drua_image image = make_source(context, &chance, t, &source);
    const bool exact = t->statistic == REFERENCE_WINDOW_MEDIAN;
    reference_image expected = reference_make(exact ? t->type : DRUA_FLOAT32, t->shape);
    reference_window(&source, t->statistic, t->ball, t->radius, &expected);
    for (int compiled = 0; compiled < 2; compiled++) {
        drua_argument arguments[] = {IMAGE(image), NEW, NUMBER((double)t->radius[0]), NUMBER((double)t->radius[1]),
                                     NUMBER((double)t->radius[2])};
        setenv("DRUA_CHAINS", compiled ? "compile" : "interpret", 1);
        REQUIRE(drua_invoke(context, t->operation, arguments, 5, NULL));
        reference_image got = harness_pull(context, arguments[1].image);
        REFERENCE_EACH_PIXEL(t->shape, x, y, z) {
            const double value = reference_at(&got, x, y, z), wanted = reference_at(&expected, x, y, z);
            ck_assert_msg(fabs(value - wanted) <= (exact ? 0 : 1e-5 * fmax(fabs(wanted), 1)),
                          "%s, trial %d, compiled %d: %.9g at %d, %d, %d, not %.9g", t->operation, _i, compiled, value,
                          (int)x, (int)y, (int)z, wanted);
            ck_assert_msg(t->content != CONSTANT || exact || value == 0, "%s of one value: %g", t->operation, value);
        }
        reference_free(&got);
    }
    reference_free(&source);
    reference_free(&expected);
    drua_close(context);
}
END_TEST

/* Work-items of these kernels compute many pixels each; the decision to compile counts pixels. */
START_TEST(compiled_after_one_large_image)
{
    enum { MAX_TENTHS = 600 };
    const drua_shape small = {64, 64, 1, 2}, large = {1024, 1024, 1, 2};
    harness_random chance = {1};
    drua_statistics before, after;
    unsetenv("DRUA_CHAINS");
    drua_context *context = harness_open();
    for (int is_large = 0; is_large < 2; is_large++) {
        drua_argument arguments[] = {NEW, NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
        arguments[0].kind = DRUA_ARG_IMAGE;
        reference_image pixels = harness_image(&chance, DRUA_UINT8, is_large ? large : small, HARNESS_GREY);
        arguments[0].image = harness_push(context, &pixels);
        reference_free(&pixels);
        drua_get_statistics(context, &before);
        REQUIRE(drua_invoke(context, "maximum_sphere", arguments, 5, NULL));
        REQUIRE(drua_sync(context));
    }
    drua_get_statistics(context, &after);
    for (int i = 0; i < MAX_TENTHS && after.programs_built == before.programs_built; i++) {
        nanosleep(&(struct timespec){0, 100000000}, NULL);
        drua_get_statistics(context, &after);
    }
    ck_assert_uint_gt(after.programs_built, before.programs_built);
    drua_close(context);
}
END_TEST

/* Runs a large call; returns whether a kernel compiled for the radius ran. */
static bool is_compiled(drua_context *context, drua_image large, const char *name, double radius)
{
    drua_argument arguments[] = {IMAGE(large), NEW, NUMBER(radius), NUMBER(radius), NUMBER(0)};
    REQUIRE(drua_invoke(context, name, arguments, 5, NULL));
    REQUIRE(drua_sync(context));
    REQUIRE(drua_release(context, arguments[1].image));
    const char *line = NULL, *lines = drua_explain_launches(context);
    for (const char *at = strstr(lines, name); at; at = strstr(at + 1, name))
        line = at;
    ck_assert_ptr_nonnull(line);
    return strstr(line, "compiled") != NULL;
}

/*
 * The first radius is compiled in the first call, a second one in the background. A later process loads both in their
 * first calls.
 */
START_TEST(first_calls)
{
    char folder[] = "/tmp/drua-windows-XXXXXX", command[64];
    harness_random chance = {1};
    reference_image pixels = harness_image(&chance, DRUA_UINT8, (drua_shape){1024, 1024, 1, 2}, HARNESS_GREY);
    unsetenv("DRUA_CHAINS");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("DRUA_CACHE", folder, 1);
    for (int process = 0; process < 2; process++) {
        drua_context *context = harness_open();
        const drua_image large = harness_push(context, &pixels);
        ck_assert_msg(is_compiled(context, large, "maximum_sphere", 1), "process %d, first radius", process);
        ck_assert_msg(is_compiled(context, large, "maximum_sphere", 2) == (process == 1), "process %d, second radius",
                      process);
        ck_assert_msg(is_compiled(context, large, "gaussian_blur", 10) == (process == 1), "process %d, wide", process);
        while (drua_is_compiling(context))
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        ck_assert_msg(is_compiled(context, large, "maximum_sphere", 2), "process %d, second radius again", process);
        ck_assert_msg(is_compiled(context, large, "gaussian_blur", 10), "process %d, wide again", process);
        drua_close(context);
    }
    reference_free(&pixels);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("windows");
    TCase *tests = tcase_create("windows");
    harness_as_gpu();
    harness_add(tests, as_the_reference, (int)(sizeof trials / sizeof *trials));
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, compiled_after_one_large_image);
    suite_add_tcase(suite, tests);
    TCase *calls = tcase_create("first_calls");
    tcase_set_timeout(calls, 120);
    tcase_add_test(calls, first_calls);
    suite_add_tcase(suite, calls);
    return harness_run(suite);
}
