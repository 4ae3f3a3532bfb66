/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls every operation on uint32 and int32 images whose numbers float32 cannot hold. If each result of the reference
 * is 0 or a number of an input, the operation only selects numbers, and its results must equal those of the reference.
 * Pointwise operations compute in float32 (docs/differences.md); `rounded` lists the others that do.
 */
#include "calls.h"

#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 8 /* small numbers, such as labels */ };

/*
 * These compute in float32, as pointwise operations do: means and interpolations, which can hit a number of the input,
 * composites with pointwise steps, choices by a measure, and maps (_neighbors_map) that float32 vectors paint.
 */
static const char *const rounded[] = {"apply_vector_field_2d",
                                      "apply_vector_field_3d",
                                      "bilateral",
                                      "flood_fill_diamond",
                                      "local_extrema_box",
                                      "mean_box_of_likely",
                                      "mean_sphere",
                                      "mean_z_projection",
                                      "mean_z_projection_above_threshold",
                                      "mean_z_projection_below_threshold",
                                      "non_local_means",
                                      "remove_stripes",
                                      "replace_hot_pixels",
                                      "resample",
                                      "slice_of_largest_projection",
                                      "symmetric_maximum_matrix",
                                      "symmetric_minimum_matrix",
                                      "touch_matrix_to_adjacency_matrix",
                                      "unsharp_mask",
                                      "visualize_outlines_on_original",
                                      NULL};

static drua_context *context;
static harness_random chance;
static int flawed, selections;

static bool is_listed(const char *name)
{
    for (const char *const *at = rounded; *at; at++)
        if (!strcmp(*at, name))
            return true;
    return strstr(name, "_neighbors_map") != NULL;
}

/* Replaces each number of an image with an odd one beyond 2^24. Zeros and the order of small numbers do not change. */
static void enlarge_numbers(reference_image *image)
{
    /* not the largest numbers of the types: results that saturate would equal them */
    static const double large[] = {16777217, 1073741825, 1073741827, 2147483645, 2147483649, 4294967291, 4294967293},
                        negative[] = {-16777219, -16777217, -2147483645};
    enum { LARGE = sizeof large / sizeof *large, NEGATIVE = sizeof negative / sizeof *negative };
    const bool is_signed = image->type == DRUA_INT32;
    bool small = true;
    for (size_t i = 0; i < reference_count(image); i++)
        small = small && image->pixels[i] >= 0 && image->pixels[i] < FEW;
    for (size_t i = 0; i < reference_count(image); i++) {
        const double number = image->pixels[i];
        if (number == 0)
            continue;
        if (small)
            image->pixels[i] = 16777215 + 2 * number;
        else if (number < 0)
            image->pixels[i] = negative[harness_below(&chance, NEGATIVE)];
        else
            image->pixels[i] = large[harness_below(&chance, is_signed ? LARGE - 3 : LARGE)];
    }
}

/* An image of the other 32-bit type gets `type`, because a conversion passes through float32. */
static void prepare(reference_image *image, drua_type type)
{
    if (image->type != DRUA_UINT32 && image->type != DRUA_INT32)
        return;
    image->type = type;
    for (size_t i = 0; i < reference_count(image); i++)
        image->pixels[i] = reference_store(type, image->pixels[i]);
    enlarge_numbers(image);
}

/* Whether a number is a pixel of an input. */
static bool is_of_input(const call *c, double number)
{
    for (int k = 0; k < c->input_count; k++) {
        const reference_image *input = &c->before[c->inputs[k]];
        for (size_t i = 0; i < reference_count(input); i++)
            if (input->pixels[i] == number)
                return true;
    }
    return false;
}

/* Whether all numbers are 0 or pixels of an input, and float32 cannot hold one of them. */
static bool selects(const call *c, const double *numbers, size_t count)
{
    bool beyond = false;
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] != 0 && !is_of_input(c, numbers[i]))
            return false;
        beyond = beyond || (float)numbers[i] != numbers[i];
    }
    return beyond;
}

/*
 * Whether the operation takes each pixel from the slice of the largest variance or gradient. Rounding decides between
 * slices of nearly equal measures, and differs between devices.
 */
static bool chooses_slice(const drua_op *op)
{
    return strstr(op->name, "extended_depth_of_focus") != NULL;
}

/* Whether pixel `at` of a plane is a pixel of the same column of the stack. */
static bool is_of_column(const reference_image *stack, size_t at, double number)
{
    const int64_t x = (int64_t)at % stack->shape.width, y = (int64_t)at / stack->shape.width;
    for (int64_t z = 0; z < stack->shape.depth; z++)
        if (reference_at(stack, x, y, z) == number)
            return true;
    return false;
}

/* Compares the numbers of an output with the reference if they are selected from the inputs. */
static void compare_output(const call *c, const char *output, const double *wanted, const double *got, size_t count)
{
    if (!selects(c, wanted, count) || (c->op->expression && !c->op->launch) || is_listed(c->op->name))
        return;
    selections++;
    for (size_t i = 0; i < count; i++)
        if (chooses_slice(c->op) ? !is_of_column(&c->before[c->inputs[0]], i, got[i]) : wanted[i] != got[i]) {
            printf("%s, output %s, number %d: expected %.17g, got %.17g\n", call_text(c), output, (int)i, wanted[i],
                   got[i]);
            flawed++;
            return;
        }
}

/* Compares the cells of columns that hold a pixel: the extremes. Means and sums are rounded to float32. */
static void compare_table(const call *c, const drua_table *table)
{
    if (!c->table || !table)
        return;
    ck_assert_uint_eq(table->rows, c->rows);
    for (size_t k = 0; k < table->columns; k++)
        for (size_t row = 0; row < c->rows && strstr(table->headings[k], "IMUM_INTENSITY"); row++)
            compare_output(c, table->headings[k], &c->table[row * c->columns + k],
                           &table->cells[row * table->columns + k], 1);
}

static void compare_all(call *c, const drua_argument *arguments, const drua_table *table)
{
    reference_image pulled[CALL_PARAMS];
    int value = 0;
    size_t at[CALL_PARAMS] = {0}, next = 0;
    for (size_t i = 0; i < c->op->param_count; i++) {
        at[i] = next;
        next += c->op->params[i].kind != DRUA_KIND_TABLE_OUT;
    }
    for (int k = 0; k < c->output_count; k++) {
        pulled[k] = harness_pull(context, arguments[at[c->outputs[k]]].image);
        reference_image *before = &c->before[c->outputs[k]];
        c->expected[c->outputs[k]] =
            before->pixels ? reference_duplicate(before) : reference_make(pulled[k].type, pulled[k].shape);
    }
    call_reference(c);
    for (int k = 0; k < c->output_count; k++) {
        compare_output(c, c->op->params[c->outputs[k]].name, c->expected[c->outputs[k]].pixels, pulled[k].pixels,
                       reference_count(&pulled[k]));
        reference_free(&pulled[k]);
    }
    for (size_t i = 0; i < c->op->param_count; i++)
        if (c->op->params[i].kind == DRUA_KIND_NUMBER_OUT && value < c->value_count)
            compare_output(c, c->op->params[i].name, &c->values[value++], &arguments[at[i]].number, 1);
    compare_table(c, table);
}

/* Whether an input is a label map with a table row for each label, of which 2^24 would fill the memory. */
static bool is_tabulated(const call *c, int input)
{
    bool table = false;
    for (size_t i = 0; i < c->op->param_count; i++)
        table = table || c->op->params[i].kind == DRUA_KIND_TABLE_OUT;
    return table && !strcmp(c->op->params[c->inputs[input]].name, "labels");
}

static void try_operation(const drua_op *op, drua_shape shape, drua_type type)
{
    call c = call_make(&chance, op, shape, type);
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS];
    for (int k = 0; k < c.input_count; k++) {
        reference_image *input = &c.before[c.inputs[k]];
        if (!is_tabulated(&c, k))
            prepare(input, type);
        handles[c.inputs[k]] = harness_push(context, input);
    }
    drua_table *table = NULL;
    const size_t count = call_arguments(&c, handles, arguments);
    /* a list of so many labels is refused */
    if (c.input_count > 0 && drua_invoke(context, op->name, arguments, count, &table) == DRUA_OK)
        compare_all(&c, arguments, table);
    drua_table_free(table);
    call_free(&c);
    REQUIRE(drua_clear(context));
}

START_TEST(numbers_keep_their_last_bits)
{
    static const drua_shape shapes[] = {{11, 9, 1, 2}, {9, 7, 5, 3}, {64, 40, 1, 2}};
    int number = 0;
    const char *note;
    context = harness_open();
    REQUIRE(drua_set_memory(context, "64MB"));
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        if ((*op)->traits & DRUA_HOST || !call_is_known(*op, &note) ||
            !harness_is_wanted((*op)->name, (*op)->category) || !harness_takes(number++, _i))
            continue;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            try_operation(*op, shapes[s], DRUA_UINT32);
            try_operation(*op, shapes[s], DRUA_INT32);
        }
    }
    printf("%d results are selected\n", selections);
    ck_assert_int_gt(selections, 0);
    ck_assert_int_eq(flawed, 0);
    drua_close(context);
}
END_TEST

/* Windows of three pixels around each of five; borders are repeated. */
START_TEST(known_numbers)
{
    static const uint32_t line[] = {16777217, UINT32_MAX, UINT32_MAX, INT32_MAX, 16777219};
    static const struct {
        const char *operation;
        uint32_t result[5];
    } calls[] = {{"mode_box", {16777217, UINT32_MAX, UINT32_MAX, 16777219, 16777219}},
                 {"mode_sphere", {16777217, UINT32_MAX, UINT32_MAX, 16777219, 16777219}},
                 {"median_box", {16777217, UINT32_MAX, UINT32_MAX, INT32_MAX, 16777219}},
                 {"minimum_box", {16777217, 16777217, INT32_MAX, 16777219, 16777219}},
                 {"minimum_sphere", {16777217, 16777217, INT32_MAX, 16777219, 16777219}},
                 {"maximum_box", {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, INT32_MAX}},
                 {"maximum_sphere", {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, INT32_MAX}}};
    context = harness_open();
    drua_image source;
    REQUIRE(drua_push(context, (drua_shape){5, 1, 1, 2}, DRUA_UINT32, line, &source));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        uint32_t result[5];
        drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(1), NUMBER(0), NUMBER(0)};
        REQUIRE(drua_invoke(context, calls[i].operation, arguments, 5, NULL));
        REQUIRE(drua_pull(context, arguments[1].image, result));
        for (int x = 0; x < 5; x++)
            ck_assert_msg(result[x] == calls[i].result[x], "%s, pixel %d: %u, not %u", calls[i].operation, x, result[x],
                          calls[i].result[x]);
    }
    drua_argument min[] = {IMAGE(source), NEW}, max[] = {IMAGE(source), NEW};
    REQUIRE(drua_invoke(context, "minimum_of_all_pixels", min, 2, NULL));
    REQUIRE(drua_invoke(context, "maximum_of_all_pixels", max, 2, NULL));
    ck_assert_double_eq(min[1].number, 16777217);
    ck_assert_double_eq(max[1].number, UINT32_MAX);
    drua_close(context);
}
END_TEST

/* Tests neighbouring numbers of each type that are one number in float32. The label to find is in the middle. */
START_TEST(one_label_of_many)
{
    static const double line[] = {16777216, 16777217, 16777218, 16777217, 0};
    static const drua_type types[] = {DRUA_UINT32, DRUA_INT32, DRUA_FLOAT32, DRUA_UINT8};
    context = harness_open();
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < 5; i++) {
            const bool wide = (types[t] == DRUA_UINT32 || types[t] == DRUA_INT32);
            reference_image map = reference_make(types[t], (drua_shape){5, 1, 1, 2}),
                            grey = reference_make(DRUA_UINT32, map.shape);
            for (int x = 0; x < 5; x++) {
                reference_put(&map, x, 0, 0, wide || line[x] != 16777217 ? line[x] : 3);
                reference_put(&grey, x, 0, 0, 4294967291u - (unsigned)x);
            }
            const drua_image labels = harness_push(context, &map), source = harness_push(context, &grey);
            drua_argument mask[] = {IMAGE(labels), NEW, NUMBER(line[i])},
                          masked[] = {IMAGE(source), IMAGE(labels), NEW, NUMBER(line[i])};
            REQUIRE(drua_invoke(context, "label_to_mask", mask, 3, NULL));
            REQUIRE(drua_invoke(context, "mask_label", masked, 4, NULL));
            reference_image marks = harness_pull(context, mask[1].image), kept = harness_pull(context, masked[2].image);
            for (int x = 0; x < 5; x++) {
                const bool is_label = map.pixels[x] == line[i];
                ck_assert_msg(marks.pixels[x] == is_label, "label %.0f in type %d, pixel %d", line[i], (int)types[t],
                              x);
                ck_assert_double_eq(kept.pixels[x], is_label ? grey.pixels[x] : 0);
            }
            reference_free(&map);
            reference_free(&grey);
            reference_free(&marks);
            reference_free(&kept);
        }
    drua_close(context);
}
END_TEST

/* An image larger than the device's memory, whose smallest and largest pixels lie in different tiles. */
START_TEST(extremes_in_tiles)
{
    static const drua_shape shape = {64, 50, 200, 3};
    static const int32_t lowest[] = {16777217, -16777217}, highest = 2147483645;
    context = harness_open();
    REQUIRE(drua_set_memory(context, "1MB"));
    reference_image image = reference_make(DRUA_INT32, shape), mask = reference_make(DRUA_UINT8, shape);
    REFERENCE_EACH_PIXEL (shape, x, y, z) {
        reference_put(&image, x, y, z, 1073741825);
        reference_put(&mask, x, y, z, 1);
    }
    reference_put(&image, 3, 49, 0, lowest[_i]);
    reference_put(&image, 63, 7, 199, highest);
    reference_put(&image, 9, 9, 100, -2147483647);
    reference_put(&mask, 9, 9, 100, 0);
    const drua_image source = harness_push(context, &image), inside = harness_push(context, &mask);
    drua_argument low[] = {IMAGE(source), IMAGE(inside), NEW}, high[] = {IMAGE(source), NEW},
                  min[] = {IMAGE(source), NEW};
    REQUIRE(drua_invoke(context, "minimum_of_masked_pixels", low, 3, NULL));
    REQUIRE(drua_invoke(context, "maximum_of_all_pixels", high, 2, NULL));
    REQUIRE(drua_invoke(context, "minimum_of_all_pixels", min, 2, NULL));
    ck_assert_double_eq(low[2].number, lowest[_i]);
    ck_assert_double_eq(high[1].number, highest);
    ck_assert_double_eq(min[1].number, -2147483647);
    reference_free(&image);
    reference_free(&mask);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("large_integers");
    TCase *tests = tcase_create("large_integers");
    chance = (harness_random){harness_new_seed("large_integers")};
    tcase_set_timeout(tests, 1000);
    tcase_add_loop_test(tests, numbers_keep_their_last_bits, 0, harness_shares());
    tcase_add_loop_test(tests, extremes_in_tiles, 0, 2);
    suite_add_tcase(suite, tests);
    TCase *known = tcase_create("known numbers");
    tcase_add_test(known, known_numbers);
    tcase_add_test(known, one_label_of_many);
    suite_add_tcase(suite, known);
    return harness_run(suite);
}
