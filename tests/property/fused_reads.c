/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of pointwise operations that are read once are computed in the reading kernel, with the same bits and in
 * fewer launches.
 */
#include "fused_steps.h"

#include <stdio.h>
#include <string.h>

/* A reader of a chain's result, which returns a number or makes an image. */
typedef struct reading {
    step before[MAX_STEPS];
    const char *operation;
    double numbers[MAX_NUMBERS];
    int count;
    bool is_number;
    drua_shape shape;
    drua_type type;
    /* launches with a fused chain; `again`: launches of a second reading, which stores the chain's result */
    int launches, again;
} reading;

#define PLUS_7 {{"add_image_and_scalar", false, 7, 0}}
#define PRODUCT {{"multiply_images", true, 0, 0}, {"multiply_image_and_scalar", false, 0.3, 0}}
#define BYTES {{"subtract_images", true, 0, DRUA_UINT8}}
#define MASK {{"greater_constant", false, 90, DRUA_UINT8}}

static const reading readings[] = {
    {PRODUCT, "sum_of_all_pixels", {0}, 0, true, {132, 9, 7, 3}, DRUA_FLOAT32, 2, 3},
    {MASK, "sum_of_all_pixels", {0}, 0, true, {68, 51, 1, 2}, DRUA_UINT16, 2, 3},
    {PLUS_7, "mean_of_all_pixels", {0}, 0, true, {3, 3, 3, 3}, DRUA_INT16, 2, 3},
    {BYTES, "minimum_of_all_pixels", {0}, 0, true, {64, 64, 3, 3}, DRUA_UINT8, 2, 3},
    {PLUS_7, "maximum_of_all_pixels", {0}, 0, true, {8, 5, 3, 3}, DRUA_INT32, 2, 1},
    {MASK, "count_nonzero_pixels", {0}, 0, true, {36, 20, 3, 3}, DRUA_UINT16, 2, 3},
    {PRODUCT, "variance_of_all_pixels", {0}, 0, true, {40, 30, 3, 3}, DRUA_FLOAT32, 3, 4},
    {BYTES, "histogram", {256, 0, 255, 0}, 4, false, {68, 33, 2, 3}, DRUA_INT8, 2, 3},
    {PRODUCT, "histogram", {100, 0, 0, 1}, 4, false, {32, 33, 2, 3}, DRUA_FLOAT32, 3, 4},
    {PRODUCT, "maximum_z_projection", {0}, 0, false, {68, 9, 21, 3}, DRUA_FLOAT32, 1, 2},
    {MASK, "sum_z_projection", {1, 7}, 2, false, {36, 9, 9, 3}, DRUA_UINT16, 1, 2},
    {PLUS_7, "mean_y_projection", {0}, 0, false, {36, 40, 5, 3}, DRUA_UINT8, 1, 2},
    {PRODUCT, "minimum_x_projection", {0}, 0, false, {132, 9, 5, 3}, DRUA_FLOAT32, 1, 2},
    {PLUS_7, "sum_x_projection", {0}, 0, false, {260, 9, 5, 3}, DRUA_INT16, 1, 2},
    {PLUS_7, "standard_deviation_z_projection", {0}, 0, false, {64, 9, 20, 3}, DRUA_FLOAT32, 1, 2},
    {BYTES, "z_position_of_maximum_z_projection", {0}, 0, false, {36, 9, 20, 3}, DRUA_UINT8, 1, 2},
    {PRODUCT, "x_position_of_minimum_x_projection", {0}, 0, false, {36, 9, 20, 3}, DRUA_FLOAT32, 1, 2},
    {BYTES, "arg_maximum_z_projection", {0}, 0, false, {36, 9, 20, 3}, DRUA_UINT8, 2, 3},
    {MASK, "connected_components_box", {0}, 0, false, {68, 33, 20, 3}, DRUA_UINT16, 9, 10},
    {BYTES, "connected_components_box", {0}, 0, false, {64, 33, 1, 2}, DRUA_INT8, 6, 7},
    {PRODUCT, "connected_components_diamond", {0}, 0, false, {36, 33, 9, 3}, DRUA_FLOAT32, 7, 8},
    /* not fused: expensive pixels, chains that read more than they store, rows with gaps, unaligned rows */
    {{{"cosine", false, 0, 0}}, "sum_of_all_pixels", {0}, 0, true, {64, 9, 7, 3}, DRUA_FLOAT32, 3, 2},
    {MASK, "connected_components_box", {0}, 0, false, {68, 33, 20, 3}, DRUA_FLOAT32, 10, 9},
    {PLUS_7, "sum_of_all_pixels", {0}, 0, true, {67, 9, 7, 3}, DRUA_FLOAT32, 3, 2},
    {PLUS_7, "maximum_z_projection", {0}, 0, false, {7, 9, 20, 3}, DRUA_FLOAT32, 2, 1},
};

/* The reader's result is its second argument, followed by a further image. */
static drua_argument read_it(drua_context *context, const reading *r, drua_image image, uint64_t *launches)
{
    drua_argument arguments[3 + MAX_NUMBERS] = {IMAGE(image), NEW};
    const size_t first = strcmp(r->operation, "arg_maximum_z_projection") ? 2 : 3;
    for (int i = 0; i < r->count; i++)
        arguments[first + (size_t)i] = NUMBER(r->numbers[i]);
    const uint64_t before = launches_of(context);
    REQUIRE(drua_invoke(context, r->operation, arguments, first + (size_t)r->count, NULL));
    *launches = launches_of(context) - before;
    return arguments[1];
}

START_TEST(read_where_it_is_computed)
{
    const reading *r = &readings[_i];
    harness_random chance = {(uint64_t)_i};
    reference_image pixels[2] = {harness_image(&chance, r->type, r->shape, HARNESS_GREY),
                                 harness_image(&chance, r->type, r->shape, HARNESS_GREY)};
    drua_image images[SIDES];
    drua_argument once[SIDES], twice[SIDES];
    uint64_t launches[SIDES], again[SIDES];
    open_step_sides();
    for (int s = 0; s < SIDES; s++) {
        use(s);
        const drua_image source = harness_push(sides[s], &pixels[0]), second = harness_push(sides[s], &pixels[1]);
        images[s] = source;
        for (int k = 0; k < MAX_STEPS && r->before[k].operation; k++)
            images[s] = apply(sides[s], &r->before[k], images[s], second, r->shape);
        once[s] = read_it(sides[s], r, images[s], &launches[s]);
        twice[s] = read_it(sides[s], r, images[s], &again[s]);
    }
    printf("%s: %d launches one by one, %d, again %d\n%s", r->operation, (int)launches[0], (int)launches[1],
           (int)again[1], drua_explain_launches(sides[1]));
    for (int s = 0; s < SIDES && r->is_number; s++) {
        ck_assert_double_eq(once[0].number, once[s].number);
        ck_assert_double_eq(once[0].number, twice[s].number);
    }
    if (!r->is_number) {
        check_same(once[0].image, once[1].image, r->operation, (size_t)_i);
        check_same(twice[0].image, twice[1].image, r->operation, (size_t)_i);
    }
    check_same(images[0], images[1], r->operation, (size_t)_i);
    ck_assert_int_eq((int)launches[1], r->launches);
    ck_assert_int_eq((int)again[1], r->again);
    for (int i = 0; i < 2; i++)
        reference_free(&pixels[i]);
    close_sides();
}
END_TEST

/* Reads a chain's result under budgets that hold all of it, some of it and none of it. */
START_TEST(read_in_parts)
{
    static const char *const budgets[] = {"40 MB", "14 MB", "9 MB", "6 MB", "3 MB"};
    static const struct { const char *name; bool is_number;
    } operations[] = {{"sum_of_all_pixels", true},
                      {"variance_of_all_pixels", true},
                      {"histogram", false},
                      {"maximum_z_projection", false},
                      {"connected_components_box", false}};
    const drua_shape shape = {64, 64, 160, 3};
    harness_random chance = {11};
    reference_image pixels = harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY);
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
            drua_argument made[SIDES][2];
            open_step_sides();
            for (int s = 0; s < SIDES; s++) {
                use(s);
                if (s == 1)
                    REQUIRE(drua_set_memory(sides[s], budgets[b]));
                const drua_image source = harness_push(sides[s], &pixels);
                made[s][0] = IMAGE(with_number(sides[s], "subtract_image_from_scalar", source, 200));
                made[s][1] = NEW;
                REQUIRE(drua_invoke(sides[s], operations[k].name, made[s], 2, NULL));
            }
            if (operations[k].is_number)
                ck_assert_msg(made[0][1].number == made[1][1].number, "%s of %s: %.17g, not %.17g", operations[k].name,
                              budgets[b], made[1][1].number, made[0][1].number);
            else
                check_same(made[0][1].image, made[1][1].image, operations[k].name, b);
            check_same(made[0][0].image, made[1][0].image, operations[k].name, b);
            close_sides();
        }
    reference_free(&pixels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fused_reads");
    TCase *tests = tcase_create("reads");
    harness_as_gpu();
    tcase_set_timeout(tests, 600);
    harness_add(tests, read_where_it_is_computed, sizeof readings / sizeof *readings);
    harness_add(tests, read_in_parts, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
