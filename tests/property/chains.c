/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which operations share a launch, which results are computed only once, and which kernel runs. */
#include "sides.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A straight chain is one launch, and its intermediate image can still be read. */
START_TEST(chain_is_one_launch)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3};
    drua_image at = harness_line(context, numbers, 3), middle = 0;
    const uint64_t before = statistics_of(context).launches;
    for (int i = 0; i < 20; i++) {
        drua_argument add[] = {IMAGE(at), NEW, NUMBER(1)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        at = add[1].image;
        if (i == 9)
            middle = at;
    }
    ck_assert_double_eq(harness_first(context, at), 21);
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_double_eq(harness_first(context, middle), 11);
    close_sides();
}
END_TEST

/* Each image is the previous one added to itself; as a tree this would have 2^30 leaves. */
START_TEST(shared_work_is_done_once)
{
    open_sides();
    for (int s = 0; s < SIDES; s++) {
        const float number = 1;
        drua_image at = harness_line(sides[s], &number, 1);
        for (int i = 0; i < 30; i++) {
            drua_argument add[] = {IMAGE(at), IMAGE(at), NEW};
            REQUIRE(drua_invoke(sides[s], "add_images", add, 3, NULL));
            REQUIRE(drua_release(sides[s], at));
            at = add[2].image;
        }
        ck_assert_double_eq(harness_first(sides[s], at), ldexp(1, 30));
    }
    close_sides();
}
END_TEST

/* -0.3 stored in an integer image is 0, not -0, even if the image stays in a register. */
START_TEST(integers_have_no_negative_zero)
{
    open_sides();
    for (int s = 0; s < SIDES; s++) {
        const float number = -0.3f;
        const drua_image source = harness_line(sides[s], &number, 1);
        drua_image whole = 0;
        REQUIRE(drua_create(sides[s], reference_plane(1, 1), DRUA_INT16, &whole));
        REQUIRE(INVOKE(sides[s], "add_image_and_scalar", IMAGE(source), IMAGE(whole), NUMBER(0)));
        drua_argument divide[] = {IMAGE(whole), NEW, NUMBER(1)};
        REQUIRE(drua_invoke(sides[s], "divide_scalar_by_image", divide, 3, NULL));
        ck_assert_double_eq(harness_first(sides[s], divide[1].image), INFINITY);
    }
    close_sides();
}
END_TEST

/* The pending work of a long program whose images are never read does not grow, and is not computed at the end. */
START_TEST(window_is_bounded)
{
    open_sides();
    drua_context *context = sides[0];
    const float number = 1;
    drua_image source = harness_line(context, &number, 1);
    for (int i = 0; i < 1000; i++) {
        drua_argument add[] = {IMAGE(source), NEW, NUMBER(i)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        REQUIRE(drua_release(context, add[1].image));
    }
    ck_assert_uint_eq(statistics_of(context).launches, 0);
    drua_image kept[300];
    for (int i = 0; i < 300; i++) {
        drua_argument add[] = {IMAGE(source), NEW, NUMBER(i)};
        REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
        kept[i] = add[1].image;
    }
    ck_assert_uint_gt(statistics_of(context).launches, 200);
    for (int i = 299; i >= 0; i--)
        ck_assert_double_eq(harness_first(context, kept[i]), i + 1);
    close_sides();
}
END_TEST

static drua_image applied(drua_context *context, const char *operation, drua_image source, double number)
{
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(number)};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[1].image;
}

/* The same call on the same image is computed only once, also if the calls use two views of the image. */
START_TEST(equal_work_is_done_once)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4};
    const drua_image source = harness_line(context, numbers, 4);
    const uint64_t before = statistics_of(context).launches;
    const drua_image one = applied(context, "add_image_and_scalar", source, 1),
                     two = applied(context, "add_image_and_scalar", source, 1);
    REQUIRE(INVOKE(context, "set", IMAGE(two), NUMBER(9)));
    REQUIRE(drua_sync(context));
    ck_assert_double_eq(harness_first(context, one), 2);
    ck_assert_double_eq(harness_first(context, two), 9);
    const drua_image again = applied(context, "maximum_image_and_scalar", one, 0),
                     twice = applied(context, "maximum_image_and_scalar", one, 0);
    const uint64_t steps = statistics_of(context).chained_steps;
    REQUIRE(INVOKE(context, "add_images", IMAGE(again), IMAGE(twice), IMAGE(again)));
    ck_assert_double_eq(harness_first(context, again), 4);
    ck_assert_uint_eq(statistics_of(context).chained_steps, steps + 2);
    ck_assert_uint_le(statistics_of(context).launches, before + 3);
    close_sides();
}
END_TEST

/* Results of the same image, and the intermediate images, come from one launch when all work is sent. */
START_TEST(results_share_a_launch)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4};
    const drua_image source = harness_line(context, numbers, 4);
    const uint64_t before = statistics_of(context).launches;
    const drua_image sum = applied(context, "add_image_and_scalar", source, 1);
    const drua_image product = applied(context, "multiply_image_and_scalar", source, 10);
    const drua_image both = applied(context, "multiply_image_and_scalar", sum, 3);
    REQUIRE(drua_sync(context));
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_double_eq(harness_first(context, sum), 2);
    ck_assert_double_eq(harness_first(context, product), 10);
    ck_assert_double_eq(harness_first(context, both), 6);
    ck_assert_uint_eq(statistics_of(context).launches, before + 1);
    ck_assert_ptr_nonnull(strstr(drua_explain_launches(context),
                                 "3 steps in 1 launch as one line, 1 read, 3 written, interpreted (first time)"));
    close_sides();
}
END_TEST

static drua_image joined(drua_context *context, const char *operation, drua_image a, drua_image b)
{
    drua_argument arguments[] = {IMAGE(a), IMAGE(b), NEW};
    REQUIRE(drua_invoke(context, operation, arguments, 3, NULL));
    return arguments[2].image;
}

/*
 * A weighted mean reads more images than one launch can. Sending the launch of one of its inputs also sends the mean.
 */
START_TEST(large_chain_goes_out_with_its_inputs)
{
    enum { IMAGES = 4 };
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4, 5};
    const drua_image source = harness_line(context, numbers, 5);
    drua_image sum = 0, weights = 0;
    for (int i = 0; i < IMAGES; i++) {
        const float weight[] = {(float)i + 1, 2, 3, 4, 5};
        const drua_image w = harness_line(context, weight, 5), product = joined(context, "multiply_images", source, w);
        sum = sum ? joined(context, "add_images", sum, product) : product;
        weights = weights ? joined(context, "add_images", weights, w) : w;
    }
    const drua_image mean = joined(context, "divide_images", sum, applied(context, "add_image_and_scalar", weights, 0));
    const drua_image result = applied(context, "power", mean, 1);
    REQUIRE(drua_sync(context));
    ck_assert_double_eq(harness_first(context, result), 1);
    ck_assert_double_eq(harness_first(context, sum), 10);
    close_sides();
}
END_TEST

/* A background thread compiles a chain that occurs again while the interpreter runs it; both give the same bits. */
START_TEST(chain_is_compiled_in_the_background)
{
    enum { TRIES = 3000 };
    const struct timespec pause = {0, 20000000};
    drua_context *context = open_with("DRUA_TUNE", "off");
    drua_image source;
    REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT8, &source));
    int i = 0;
    for (; i < TRIES && statistics_of(context).compiled_chains == 0; i++) {
        const drua_image first = applied(context, "add_image_and_scalar", source, i % 200),
                         last = applied(context, "multiply_image_and_scalar", first, 1);
        ck_assert_double_eq(harness_first(context, last), i % 200);
        if (i == 0)
            ck_assert_ptr_nonnull(strstr(drua_explain_launches(context), "interpreted (first time)"));
        REQUIRE(drua_release(context, first));
        REQUIRE(drua_release(context, last));
        nanosleep(&pause, NULL);
    }
    printf("compiled after %d runs\n", i);
    ck_assert_int_gt(i, 2);
    ck_assert_int_lt(i, TRIES);
    ck_assert_ptr_nonnull(strstr(drua_explain_launches(context), "compiled"));
    drua_close(context);
}
END_TEST

static const char *last_line(const char *text)
{
    for (const char *line = strstr(text, "\n"); line && line[1]; line = strstr(line + 1, "\n"))
        text = line + 1;
    return text;
}

/* Timing launches does not change how operations are fused. */
START_TEST(launches_are_timed)
{
    open_sides();
    drua_context *context = sides[0];
    const float numbers[] = {1, 2, 3, 4};
    for (int on = 1; on >= 0; on--) {
        REQUIRE(drua_time_launches(context, on));
        const uint64_t before = statistics_of(context).launches;
        const drua_image sum = applied(context, "add_image_and_scalar", harness_line(context, numbers, 4), 1);
        ck_assert_double_eq(harness_first(context, applied(context, "multiply_image_and_scalar", sum, 3)), 6);
        ck_assert_uint_eq(statistics_of(context).launches, before + 1);
        const char *told = last_line(drua_explain_launches(context));
        ck_assert_msg(strstr(told, "2 steps in 1 launch") && !strstr(told, " ms, ") == !on &&
                          !strstr(told, " of the memory bandwidth") == !on,
                      "%s", told);
    }
    close_sides();
}
END_TEST

static int run_until_chosen(drua_context *context, drua_image source)
{
    enum { TRIES = 3000 };
    const struct timespec pause = {0, 20000000};
    int i = 0;
    for (bool chosen = false; i < TRIES && !chosen; i++) {
        const drua_image made = applied(context, "multiply_image_and_scalar", source, i % 20);
        ck_assert_double_eq(harness_first(context, made), i % 20);
        REQUIRE(drua_release(context, made));
        const char *last = last_line(drua_explain_launches(context));
        chosen = strstr(last, "compiled, ") || strstr(last, "timed as faster");
        nanosleep(&pause, NULL);
    }
    return i;
}

/* Each variant is timed five times. The choice is stored, and the next context starts with it. */
START_TEST(variants_are_timed)
{
    enum { TIMED = 10 };
    char folder[] = "/tmp/drua_tuning_XXXXXX", command[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("DRUA_TUNE", "on", 1);
    for (int round = 0; round < 2; round++) {
        drua_context *context = open_with("DRUA_CACHE", folder);
        drua_image source;
        REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT16, &source));
        REQUIRE(INVOKE(context, "set", IMAGE(source), NUMBER(1)));
        REQUIRE(drua_sync(context));
        const int runs = run_until_chosen(context, source);
        printf("chosen after %d runs\n", runs);
        if (round == 0)
            ck_assert_int_gt(runs, TIMED);
        else
            ck_assert_ptr_null(strstr(drua_explain_launches(context), "while variants are timed"));
        drua_close(context);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Whether a launch report says that the call used the preset variant, because GPUs build the others meanwhile. */
static bool awaits_variants(const char *told)
{
    return strstr(told, "preset until all variants are compiled") != NULL;
}

/* A filter with several kernels gives the same bits with each, and reports which one ran and why. */
START_TEST(filters_are_timed)
{
    enum { WIDTH = 200, HEIGHT = 160, DEPTH = 40, TIMED = 10, CALLS = 12 };
    static float first[WIDTH * HEIGHT], again[WIDTH * HEIGHT];
    ck_assert_int_eq(setenv("DRUA_TUNE", "on", 1), 0);
    ck_assert_int_eq(setenv("DRUA_CACHE", "off", 1), 0);
    drua_context *context = harness_open();
    harness_random chance = {7};
    reference_image stack = harness_image(&chance, DRUA_FLOAT32, (drua_shape){WIDTH, HEIGHT, DEPTH, 3}, HARNESS_GREY);
    const drua_image source = harness_push(context, &stack);
    for (int calls = 0, timed = 0; timed < CALLS; calls++) {
        drua_argument arguments[] = {IMAGE(source), NEW};
        REQUIRE(drua_invoke(context, "median_z_projection", arguments, 2, NULL));
        REQUIRE(drua_pull(context, arguments[1].image, calls ? again : first));
        const char *told = last_line(drua_explain_launches(context));
        ck_assert(!calls || !memcmp(first, again, sizeof first));
        REQUIRE(drua_release(context, arguments[1].image));
        if (awaits_variants(told))
            continue;
        ck_assert_msg(strstr(told, "(median_of_slices ") &&
                          strstr(told, timed < TIMED ? " of 2, while variants are timed)" : " of 2, timed as fastest)"),
                      "%s", told);
        timed++;
    }
    reference_free(&stack);
    drua_close(context);
}
END_TEST

/* Returns the launch report of the first call for which all variants are compiled. */
static const char *projected(drua_context *context, drua_image source)
{
    const char *told;
    do {
        drua_argument arguments[] = {IMAGE(source), NEW};
        REQUIRE(drua_invoke(context, "median_z_projection", arguments, 2, NULL));
        REQUIRE(drua_sync(context));
        REQUIRE(drua_release(context, arguments[1].image));
        told = last_line(drua_explain_launches(context));
    } while (awaits_variants(told));
    return told;
}

/* Stored choices take effect at once. Choices of unknown variants and malformed lines are ignored. */
START_TEST(choices_on_disk_may_be_wrong)
{
    static const struct {
        const char *line, *told;
    } files[] = {{"", "1 of 2, while variants are timed"},
                 {"median_of_slices 20 1\n", "2 of 2, timed as fastest"},
                 {"median_of_slices 20 3\n", "1 of 2, while variants are timed"},
                 {"median_of_slices 20 -1\n", "1 of 2, while variants are timed"},
                 {"median_of_slices 20", "1 of 2, while variants are timed"},
                 {"\001\377 no line\n\nmedian_of_slices 20 1", "2 of 2, timed as fastest"}};
    enum { TIMED = 10 };
    char folder[] = "/tmp/drua_choices_XXXXXX", command[64], path[256];
    const drua_shape shape = {200, 160, 40, 3};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("DRUA_TUNE", "on", 1);
    /*
     * PoCL compiles all kernels of a program that it caches; without optimization, it compiles each of them only once
     */
    setenv("DRUA_OPTIMIZE", "never", 1);
    for (size_t i = 0; i <= sizeof files / sizeof *files; i++) {
        drua_context *context = open_with("DRUA_CACHE", folder);
        drua_image source;
        REQUIRE(drua_create(context, shape, DRUA_UINT8, &source));
        for (int k = 0; i == 0 && k < TIMED; k++)
            projected(context, source);
        if (i > 0) {
            const char *told = projected(context, source);
            ck_assert_msg(strstr(told, files[i - 1].told) != NULL, "%s: %s", files[i - 1].line, told);
        }
        drua_close(context);
        if (i == sizeof files / sizeof *files)
            break;
        glob_t found;
        snprintf(path, sizeof path, "%s/*.tuning", folder);
        ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
        ck_assert_uint_eq(found.gl_pathc, 1);
        FILE *file = fopen(found.gl_pathv[0], "w");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_ge(fputs(files[i].line, file), 0);
        ck_assert_int_eq(fclose(file), 0);
        globfree(&found);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(context_closes_while_it_compiles)
{
    drua_context *context = harness_open();
    drua_image source;
    REQUIRE(drua_create(context, reference_plane(1024, 1024), DRUA_UINT16, &source));
    for (int i = 0; i < 3; i++) {
        const drua_image made = applied(context, "subtract_image_from_scalar", source, i);
        ck_assert_double_eq(harness_first(context, made), i);
        REQUIRE(drua_release(context, made));
    }
    drua_close(context);
}
END_TEST

/*
 * A vector library may compute all lanes with the method that the largest lane needs. A pixel's bits must not depend on
 * its neighbours.
 */
START_TEST(neighbours_do_not_matter)
{
    enum { COUNT = 64 };
    if (getenv("DRUA_AS_GPU")) /* a CPU that runs GPU kernels, which use no vector library */
        return;
    static const char *const functions[] = {"sine", "cosine", "exponential", "logarithm"};
    open_sides();
    float alone[COUNT], beside[COUNT];
    for (int i = 0; i < COUNT; i++) {
        alone[i] = ldexpf(1 + (float)i / COUNT, i % 25);
        beside[i] = i % 4 == 3 ? 3e7f : alone[i];
    }
    for (int f = 0; f < 4; f++) {
        drua_argument one[] = {IMAGE(harness_line(sides[0], alone, COUNT)), NEW},
                      other[] = {IMAGE(harness_line(sides[0], beside, COUNT)), NEW};
        REQUIRE(drua_invoke(sides[0], functions[f], one, 2, NULL));
        REQUIRE(drua_invoke(sides[0], functions[f], other, 2, NULL));
        float a[COUNT], b[COUNT];
        REQUIRE(drua_pull(sides[0], one[1].image, a));
        REQUIRE(drua_pull(sides[0], other[1].image, b));
        for (int i = 0; i < COUNT; i++)
            ck_assert_msg(i % 4 == 3 || !memcmp(&a[i], &b[i], sizeof *a), "%s of %a", functions[f], (double)alone[i]);
    }
    close_sides();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chains");
    TCase *tests = tcase_create("chains");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, chain_is_one_launch);
    tcase_add_test(tests, shared_work_is_done_once);
    tcase_add_test(tests, integers_have_no_negative_zero);
    tcase_add_test(tests, window_is_bounded);
    tcase_add_test(tests, equal_work_is_done_once);
    tcase_add_test(tests, results_share_a_launch);
    tcase_add_test(tests, launches_are_timed);
    tcase_add_test(tests, large_chain_goes_out_with_its_inputs);
    tcase_add_test(tests, chain_is_compiled_in_the_background);
    tcase_add_test(tests, variants_are_timed);
    tcase_add_test(tests, filters_are_timed);
    harness_add(tests, choices_on_disk_may_be_wrong, 1);
    tcase_add_test(tests, context_closes_while_it_compiles);
    tcase_add_test(tests, neighbours_do_not_matter);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
