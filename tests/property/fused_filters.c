/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests pointwise operations before and after filters: GPU kernels that fuse all of them must give the same bits as
 * general kernels that run one by one, in fewer launches. */
#include "fused_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct trial {
    step before[MAX_STEPS];
    const char *operation;
    double numbers[MAX_NUMBERS];
    int count;
    step after[MAX_STEPS];
    drua_shape shape;
    drua_type type, made;       /* the types of both sources and of the filter's result; DRUA_NO_TYPE: a new image */
    bool keeps;                 /* the filter's result is read, too */
    int launches;
} trial;

#define NONE {{NULL, false, 0, DRUA_NO_TYPE}}

static const trial trials[] = {
    {{{"subtract_images", true, 0, 0}, {"add_image_and_scalar", false, 7, 0}},
     "gaussian_blur",
     {0.3, 0.4, 0.3},
     3,
     {{"greater_constant", false, 9, DRUA_UINT8}},
     {68, 9, 5, 3},
     DRUA_FLOAT32,
     0,
     false,
     1},
    {{{"multiply_image_and_scalar", false, 1.7, DRUA_FLOAT32}},
     "mean_box",
     {2, 1, 0},
     3,
     {{"multiply_images", true, 0, DRUA_INT16}, {"add_image_and_scalar", false, -3.5, 0}},
     {67, 25, 3, 3},
     DRUA_UINT16,
     0,
     true,
     2},
    {{{"add_image_and_scalar", false, 0.7, DRUA_FLOAT32}},
     "maximum_box",
     {17, 0, 0},
     3,
     {{"subtract_images", true, 0, 0}},
     {70, 5, 2, 3},
     DRUA_INT8,
     0,
     false,
     1},
    {{{"power", false, 0.5, DRUA_FLOAT32}},
     "gaussian_blur",
     {1.7, 0, 0},
     3,
     {{"subtract_image_from_scalar", false, 99, 0}},
     {518, 5, 2, 3},
     DRUA_UINT16,
     0,
     true,
     1},
    {NONE,
     "gaussian_blur",
     {0, 3, 0},
     3,
     {{"power", false, 1.5, DRUA_UINT32}},
     {24, 31, 3, 3},
     DRUA_INT32,
     DRUA_FLOAT32,
     false,
     1},
    {NONE,
     "gaussian_blur",
     {0, 0, 0.6},
     3,
     {{"greater_constant", false, 100, 0}},
     {36, 5, 20, 3},
     DRUA_UINT16,
     0,
     false,
     1},
    {NONE,
     "subtract_gaussian_background",
     {0, 0, 0.3},
     3,
     {{"maximum_image_and_scalar", false, 2.5, 0}},
     {33, 4, 9, 3},
     DRUA_UINT16,
     DRUA_FLOAT32,
     false,
     1},
    {{{"add_images", true, 0, DRUA_FLOAT32}},
     "difference_of_gaussian",
     {0.5, 0.3, 0, 0.3, 0.4, 0},
     6,
     {{"greater_constant", false, 0, DRUA_UINT8}},
     {36, 9, 2, 3},
     DRUA_UINT16,
     0,
     false,
     1},
    /* a compiled kernel does the narrow blur with the chain before it; the wide blur reads the chain's result */
    {{{"add_images", true, 0, DRUA_FLOAT32}},
     "difference_of_gaussian",
     {0.5, 0.3, 0, 20, 0.3, 0},
     6,
     {{"greater_constant", false, 0, DRUA_UINT8}},
     {36, 9, 2, 3},
     DRUA_UINT16,
     0,
     false,
     4},
    {NONE,
     "difference_of_gaussian",
     {0.3, 0.3, 0.3, 0.5, 0.4, 0.5},
     6,
     {{"multiply_images", true, 0, 0}},
     {36, 31, 18, 3},
     DRUA_FLOAT32,
     0,
     true,
     2},
    {NONE,
     "top_hat_box",
     {1, 1, 1},
     3,
     {{"multiply_image_and_scalar", false, 3, 0}},
     {36, 20, 4, 3},
     DRUA_INT16,
     0,
     false,
     2},
    {{{"subtract_images", true, 0, DRUA_UINT8}},
     "median_box",
     {1, 1, 0},
     3,
     {{"add_images", true, 0, DRUA_INT8}},
     {36, 35, 2, 3},
     DRUA_UINT8,
     0,
     false,
     1},
    {NONE, "median_box", {1, 1, 1}, 3, {{"greater_constant", false, 90, 0}}, {35, 5, 35, 3}, DRUA_FLOAT32, 0, true, 1},
    {NONE,
     "median_box",
     {2, 2, 0},
     3,
     {{"multiply_image_and_scalar", false, 0.4, 0}},
     {70, 27, 2, 3},
     DRUA_INT16,
     0,
     false,
     1},
    {NONE,
     "median_sphere",
     {2, 1, 2},
     3,
     {{"subtract_image_from_scalar", false, 70, 0}},
     {37, 7, 6, 3},
     DRUA_FLOAT32,
     0,
     true,
     1},
    {NONE, "median_sphere", {3, 3, 0}, 3, {{"greater_constant", false, 40, 0}}, {36, 9, 2, 3}, DRUA_UINT8, 0, false, 1},
    {NONE,
     "maximum_sphere",
     {3, 3, 1},
     3,
     {{"subtract_images", true, 0, 0}},
     {68, 15, 8, 3},
     DRUA_INT8,
     DRUA_FLOAT32,
     false,
     2},
    {NONE, "minimum_sphere", {2, 2, 0}, 3, {{"subtract_images", true, 0, 0}}, {35, 15, 2, 3}, DRUA_UINT16, 0, true, 2},
    {NONE,
     "mean_sphere",
     {1, 2, 1},
     3,
     {{"subtract_images", true, 0, 0}},
     {67, 13, 4, 3},
     DRUA_FLOAT32,
     DRUA_UINT16,
     false,
     1},
    {NONE, "mean_sphere", {1, 0, 0}, 3, {{"add_images", true, 0, 0}}, {67, 3, 2, 3}, DRUA_UINT16, 0, false, 2},
    {NONE,
     "variance_sphere",
     {1, 1, 0},
     3,
     {{"power", false, 0.5, DRUA_UINT16}},
     {37, 35, 2, 3},
     DRUA_UINT8,
     0,
     false,
     1},
    {{{"convert_float", false, 0, 0}, {"multiply_image_and_scalar", false, 0.3, 0}},
     "sobel",
     {0},
     1,
     {{"greater_constant", false, 30, DRUA_UINT8}},
     {132, 9, 34, 3},
     DRUA_UINT32,
     0,
     false,
     1},
    {{{"multiply_images", true, 0, DRUA_UINT8}},
     "tenengrad",
     {1},
     1,
     {{"smaller_constant", false, 400, 0}},
     {33, 5, 3, 3},
     DRUA_UINT8,
     0,
     true,
     1},
    /* chains with rounding join only some kernels; no chain joins a kernel that reads each pixel many times */
    {{{"add_image_and_scalar", false, 0.7, 0}},
     "maximum_box",
     {1, 1, 1},
     3,
     {{"subtract_images", true, 0, 0}},
     {36, 5, 4, 3},
     DRUA_INT8,
     0,
     false,
     2},
    {{{"add_image_and_scalar", false, 3, 0}},
     "minimum_sphere",
     {2, 1, 0},
     3,
     {{"add_image_and_scalar", false, 3, 0}},
     {36, 7, 2, 3},
     DRUA_UINT8,
     0,
     false,
     2},
};

static drua_image filter(drua_context *context, const trial *t, drua_image image)
{
    drua_argument arguments[2 + MAX_NUMBERS] = {IMAGE(image), destination(context, t->shape, t->made)};
    for (int i = 0; i < t->count; i++)
        arguments[2 + i] = NUMBER(t->numbers[i]);
    REQUIRE(drua_invoke(context, t->operation, arguments, (size_t)(2 + t->count), NULL));
    REQUIRE(drua_release(context, image));
    return arguments[1].image;
}

START_TEST(same_bits)
{
    const trial *t = &trials[_i];
    harness_random chance = {(uint64_t)_i};
    reference_image pixels[2] = {harness_image(&chance, t->type, t->shape, HARNESS_GREY),
                                 harness_image(&chance, t->type, t->shape, HARNESS_GREY)};
    drua_image middle[SIDES], last[SIDES];
    uint64_t launches[SIDES];
    open_step_sides();
    for (int s = 0; s < SIDES; s++) {
        use(s);
        drua_image image = harness_push(sides[s], &pixels[0]);
        const drua_image second = harness_push(sides[s], &pixels[1]);
        launches[s] = launches_of(sides[s]);
        for (int k = 0; k < MAX_STEPS && t->before[k].operation; k++)
            image = apply(sides[s], &t->before[k], image, second, t->shape);
        image = filter(sides[s], t, image);
        middle[s] = image;
        for (int k = 0; k < MAX_STEPS && t->after[k].operation; k++) {
            drua_argument copy[] = {IMAGE(image), NEW};
            if (k == 0 && t->keeps) {       /* keep the handle of the filter's result */
                drua_argument arguments[3] = {
                    IMAGE(image), t->after[0].joins ? IMAGE(second) : destination(sides[s], t->shape, t->after[0].made),
                    t->after[0].joins ? destination(sides[s], t->shape, t->after[0].made) : NUMBER(t->after[0].number)};
                REQUIRE(drua_invoke(sides[s], t->after[0].operation, arguments, 3, NULL));
                copy[1] = arguments[t->after[0].joins ? 2 : 1];
                image = copy[1].image;
            } else {
                image = apply(sides[s], &t->after[k], image, second, t->shape);
            }
        }
        last[s] = image;
        REQUIRE(drua_sync(sides[s]));
        launches[s] = launches_of(sides[s]) - launches[s];
    }
    printf("%s: %d launches one by one, %d\n%s", t->operation, (int)launches[0], (int)launches[1],
           drua_explain_launches(sides[1]));
    check_same(last[0], last[1], t->operation, (size_t)_i);
    if (t->keeps)
        check_same(middle[0], middle[1], t->operation, (size_t)_i);
    ck_assert_int_eq((int)launches[1], t->launches);
    for (int i = 0; i < 2; i++)
        reference_free(&pixels[i]);
    close_sides();
}
END_TEST

static drua_image blurred(drua_context *context, drua_image image)
{
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(0.4), NUMBER(0.3), NUMBER(0.3)};
    REQUIRE(drua_invoke(context, "gaussian_blur", arguments, 5, NULL));
    return arguments[1].image;
}

/*
 * Programs whose result depends on the order of their steps; `launches`: the number of launches when all run at once.
 */
typedef struct program {
    drua_image (*run)(drua_context *context, drua_image image);
    int launches;
} program;

/* The chain reads the filter's source as well as its result. */
static drua_image high_pass(drua_context *context, drua_image image)
{
    const drua_image doubled = with_number(context, "multiply_image_and_scalar", image, 2),
                     low = blurred(context, doubled);
    const drua_image high = of_two(context, "subtract_images", doubled, low);
    REQUIRE(drua_release(context, doubled));
    REQUIRE(drua_release(context, low));
    return high;
}

/* Sends all work at once, and then reads an image that the chain after the filter stores. */
static drua_image all_sent(drua_context *context, drua_image image)
{
    const drua_image doubled = with_number(context, "multiply_image_and_scalar", image, 2);
    const drua_image low = blurred(context, with_number(context, "add_image_and_scalar", doubled, 1));
    const drua_image sum = of_two(context, "add_images", low, image);
    REQUIRE(drua_sync(context));
    return of_two(context, "add_images", sum, of_two(context, "add_images", doubled, low));
}

/* The filter's source changes before the filter is sent. */
static drua_image changed_source(drua_context *context, drua_image image)
{
    const drua_image low = blurred(context, image);
    REQUIRE(INVOKE(context, "set", IMAGE(image), NUMBER(3)));
    REQUIRE(INVOKE(context, "set_row", IMAGE(image), NUMBER(2), NUMBER(50)));
    REQUIRE(INVOKE(context, "set_row", IMAGE(low), NUMBER(1), NUMBER(20)));
    return of_two(context, "subtract_images", low, image);
}

/* Two filters in a row. */
static drua_image two_filters(drua_context *context, drua_image image)
{
    const drua_image first = blurred(context, image), between = with_number(context, "add_image_and_scalar", first, 1);
    REQUIRE(drua_release(context, first));
    const drua_image second = blurred(context, between);
    REQUIRE(drua_release(context, between));
    const drua_image last = with_number(context, "greater_constant", second, 80);
    REQUIRE(drua_release(context, second));
    return last;
}

/* One chain reads two filters of the same image. */
static drua_image difference(drua_context *context, drua_image image)
{
    const drua_image low = blurred(context, image), lower = blurred(context, low);
    const drua_image result = of_two(context, "subtract_images", low, lower);
    REQUIRE(drua_release(context, low));
    REQUIRE(drua_release(context, lower));
    return result;
}

/* Releases images before they are computed, so no later call can read them. */
static drua_image released(drua_context *context, drua_image image)
{
    REQUIRE(drua_release(context, blurred(context, with_number(context, "add_image_and_scalar", image, 1))));
    REQUIRE(drua_release(context, with_number(context, "add_image_and_scalar", blurred(context, image), 1)));
    return with_number(context, "add_image_and_scalar", image, 5);
}

/* One filter overwrites an existing image, another one its own source. */
static drua_image in_place(drua_context *context, drua_image image)
{
    REQUIRE(INVOKE(context, "gaussian_blur", IMAGE(image), IMAGE(image), NUMBER(0.3), NUMBER(0.3), NUMBER(0.3)));
    REQUIRE(INVOKE(context, "multiply_image_and_scalar", IMAGE(image), IMAGE(image), NUMBER(2)));
    REQUIRE(INVOKE(context, "gaussian_blur", IMAGE(image), IMAGE(image), NUMBER(0.3), NUMBER(0.3), NUMBER(0.3)));
    return with_number(context, "add_image_and_scalar", image, 1);
}

/* Applies the same filter twice, then with another number, and again after it was sent. */
static drua_image filtered_twice(drua_context *context, drua_image image)
{
    const drua_image first = blurred(context, image),
                     doubled = with_number(context, "multiply_image_and_scalar", first, 2);
    const drua_image sum = of_two(context, "add_images", doubled, blurred(context, image));
    drua_argument other[] = {IMAGE(image), NEW, NUMBER(0.4), NUMBER(0.3), NUMBER(0.4)};
    REQUIRE(drua_invoke(context, "gaussian_blur", other, 5, NULL));
    return of_two(context, "subtract_images", of_two(context, "subtract_images", sum, other[1].image),
                  blurred(context, image));
}

static const program programs[] = {{filtered_twice, 3}, {high_pass, 2},  {all_sent, 3}, {changed_source, 5},
                                   {two_filters, 2},    {difference, 2}, {released, 1}, {in_place, 2}};

START_TEST(same_programs)
{
    const program *p = &programs[_i];
    const drua_shape shape = {36, 9, 4, 3};
    harness_random chance = {7};
    reference_image pixels = harness_image(&chance, DRUA_UINT8, shape, HARNESS_GREY);
    drua_image made[SIDES];
    open_step_sides();
    for (int s = 0; s < SIDES; s++) {
        use(s);
        const drua_image image = harness_push(sides[s], &pixels);
        made[s] = p->run(sides[s], image);
    }
    check_same(made[0], made[1], "program", (size_t)_i);
    printf("program %d: %d launches one by one, %d\n%s", _i, (int)launches_of(sides[0]), (int)launches_of(sides[1]),
           drua_explain_launches(sides[1]));
    ck_assert_int_eq((int)launches_of(sides[1]), p->launches);
    reference_free(&pixels);
    close_sides();
}
END_TEST

/* A budget too small for a program makes it run in parts, with the same result. */
static void compare_under(const char *budget, uint64_t seed, drua_image (*run)(drua_context *, drua_image))
{
    const drua_shape shape = {64, 64, 160, 3};
    harness_random chance = {seed};
    reference_image pixels = harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY);
    drua_image made[SIDES];
    drua_statistics statistics;
    open_step_sides();
    for (int s = 0; s < SIDES; s++) {
        use(s);
        if (s == 1)
            REQUIRE(drua_set_memory(sides[s], budget));
        made[s] = run(sides[s], harness_push(sides[s], &pixels));
    }
    check_same(made[0], made[1], "parts", 0);
    drua_get_statistics(sides[1], &statistics);
    ck_assert_uint_gt(statistics.tiles, 0);
    reference_free(&pixels);
    close_sides();
}

static drua_image less_blurred(drua_context *context, drua_image image)
{
    const drua_image low = blurred(context, with_number(context, "add_image_and_scalar", image, 1));
    ck_assert_int_eq(INVOKE(context, "gaussian_blur", IMAGE(image), NEW, NUMBER(-1)), DRUA_E_ARGUMENT);
    const drua_image made = of_two(context, "subtract_images", image, low);
    REQUIRE(drua_release(context, low));
    return made;
}

/* A call reports invalid arguments at once; if memory is too small, the work runs in parts. */
START_TEST(memory_may_be_too_small)
{
    compare_under("4 MB", 8, less_blurred);
}
END_TEST

static drua_image wide_difference(drua_context *context, drua_image image)
{
    drua_argument arguments[] = {IMAGE(image), NEW,        NUMBER(1),  NUMBER(1),
                                 NUMBER(1),    NUMBER(10), NUMBER(10), NUMBER(20)};
    REQUIRE(drua_invoke(context, "difference_of_gaussian", arguments, 8, NULL));
    return arguments[1].image;
}

/* A difference of Gaussians with large windows needs two intermediate images, which do not fit at once. */
START_TEST(parts_may_be_recipes)
{
    compare_under("2 MB", 10, wide_difference);
}
END_TEST

static drua_image with_a_larger_one(drua_context *context, drua_image image)
{
    const drua_image sum = with_number(context, "add_image_and_scalar", blurred(context, image), 1);
    drua_argument bytes[] = {IMAGE(sum), NEW};
    with_number(context, "multiply_image_and_scalar", sum, 2);
    REQUIRE(drua_invoke(context, "convert_uint8", bytes, 2, NULL));
    return bytes[1].image;
}

/* One chain after a filter makes two images. The second does not fit; the first fits, but has no pixels yet. */
START_TEST(one_of_two_may_be_too_large)
{
    compare_under("2 MB", 11, with_a_larger_one);
}
END_TEST

/*
 * A mean minus another image runs in a separate pass until kernels are compiled, then in both ways during timing, then
 * in the faster way. The bits are always the same.
 */
START_TEST(measured)
{
    enum { MAX_SECONDS = 60, ENOUGH = 24, ALONG = 1 };
    const drua_shape shape = {1024, 1024, 1, 2};
    harness_random chance = {9};
    reference_image pixels[2] = {harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY),
                                 harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY)};
    unsetenv("DRUA_CHAINS");
    setenv("DRUA_TUNE", "on", 1);
    drua_context *context = harness_open();
    const drua_image image = harness_push(context, &pixels[0]), other = harness_push(context, &pixels[1]);
    const size_t bytes = (size_t)(shape.width * shape.height) * sizeof(float);
    float *first = reference_allocate(1, bytes), *now = reference_allocate(1, bytes);
    bool along = false;
    const time_t start = time(NULL);
    for (int call = 0, since = 0; time(NULL) - start < MAX_SECONDS && since < ENOUGH; call++, since += along) {
        drua_argument filter[] = {IMAGE(image), NEW, NUMBER(2), NUMBER(2), NUMBER(0)};
        const uint64_t before = launches_of(context);
        REQUIRE(drua_invoke(context, "mean_box", filter, 5, NULL));
        const drua_image made = of_two(context, "subtract_images", filter[1].image, other);
        REQUIRE(drua_release(context, filter[1].image));
        REQUIRE(drua_sync(context));
        along = along || launches_of(context) - before == ALONG;
        REQUIRE(drua_pull(context, made, call ? now : first));
        ck_assert_msg(!call || !memcmp(first, now, bytes), "call %d", call);
        REQUIRE(drua_release(context, made));
    }
    ck_assert(along);
    setenv("DRUA_TUNE", "off", 1);
    free(first);
    free(now);
    for (int i = 0; i < 2; i++)
        reference_free(&pixels[i]);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fused_filters");
    TCase *tests = tcase_create("fused_filters");
    harness_as_gpu();
    tcase_set_timeout(tests, 600);
    harness_add(tests, same_bits, sizeof trials / sizeof *trials);
    suite_add_tcase(suite, tests);
    TCase *orders = tcase_create("programs");
    tcase_set_timeout(orders, 600);
    harness_add(orders, same_programs, sizeof programs / sizeof *programs);
    harness_add(orders, memory_may_be_too_small, 1);
    harness_add(orders, parts_may_be_recipes, 1);
    harness_add(orders, one_of_two_may_be_too_large, 1);
    harness_add(orders, measured, 1);
    suite_add_tcase(suite, orders);
    return harness_run(suite);
}
