/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks for every operation that a part of a result has the same pixels as the whole result. Operations that declare
 * their reach must compute a part from no more input than needed. DRUA_SAMPLE=n tests every n-th operation.
 */
#include "calls.h"

#include "hash.h"
#include "registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static drua_context *context;
static harness_random chance;
static int flawed, compared, refused;

/* Images that the operation makes itself have no parts: their extents depend on the pixels. */
static bool makes_an_image(const drua_op *op)
{
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT)
            return !op->params[i].replaces;
    return false;
}

static int64_t extent_of(drua_shape shape, int axis)
{
    return axis == 0 ? shape.width : axis == 1 ? shape.height : shape.depth;
}

/* A slice, a box of several slices, or the whole extent along some axes. */
static drua_part random_part(drua_shape whole, int kind)
{
    drua_part part = {.first = {0}};
    for (int axis = kind == 0 ? 2 : 0; axis < 3; axis++) {
        const int extent = (int)extent_of(whole, axis);
        part.first[axis] = harness_below(&chance, extent);
        part.end[axis] = kind == 0 ? part.first[axis] + 1
                                   : part.first[axis] + harness_below(&chance, extent + 3 - (int)part.first[axis]);
    }
    return part;
}

static reference_image cut_part(const reference_image *whole, const drua_part *part)
{
    int64_t first[3], extent[3];
    for (int axis = 0; axis < 3; axis++) {
        const bool all = part->end[axis] <= part->first[axis];
        const int64_t max = extent_of(whole->shape, axis), end = all || part->end[axis] > max ? max : part->end[axis];
        first[axis] = all ? 0 : part->first[axis];
        extent[axis] = end - first[axis];
    }
    const int32_t dimension = extent[2] > 1 ? whole->shape.dimension : 2;
    reference_image box = reference_make(whole->type, (drua_shape){extent[0], extent[1], extent[2], dimension});
    for (int64_t z = 0, i = 0; z < extent[2]; z++)
        for (int64_t y = 0; y < extent[1]; y++)
            for (int64_t x = 0; x < extent[0]; x++)
                box.pixels[i++] = reference_at(whole, first[0] + x, first[1] + y, first[2] + z);
    return box;
}

static size_t first_image_made(const drua_op *op)
{
    size_t at = 0;
    for (size_t i = 0; op->params[i].kind != DRUA_KIND_IMAGE_OUT; i++)
        at += op->params[i].kind != DRUA_KIND_TABLE_OUT;
    return at;
}

static void compare_part(const call *c, const drua_argument *arguments, size_t count, const reference_image *whole,
                         int kind)
{
    const size_t first = first_image_made(c->op);
    drua_argument again[CALL_PARAMS];
    memcpy(again, arguments, sizeof again);
    drua_part part = random_part(whole->shape, kind);
    const drua_status status = drua_invoke_part(context, c->op->name, again, count, &part);
    if (status == DRUA_E_UNSUPPORTED) {
        refused++;
        return;
    }
    char message[256];
    REQUIRE(status);
    reference_image expected = cut_part(whole, &part), got = harness_pull(context, again[first].image);
    double max = 0;
    for (size_t i = 0; i < reference_count(&expected); i++)
        max = isfinite(expected.pixels[i]) ? fmax(max, fabs(expected.pixels[i])) : max;
    const double allowed = c->op->numeric == DRUA_APPROXIMATE ? 1e-5 * max : 0;
    bool alike = true;
    for (int axis = 0; axis < 3; axis++)
        alike = alike && extent_of(part.whole, axis) == extent_of(whole->shape, axis);
    if (!alike || !reference_agrees(&expected, &got, allowed, allowed > 0, message, sizeof message)) {
        printf("%s, x %lld to %lld, y %lld to %lld, z %lld to %lld: %s\n", call_text(c), (long long)part.first[0],
               (long long)part.end[0], (long long)part.first[1], (long long)part.end[1], (long long)part.first[2],
               (long long)part.end[2], alike ? message : "another extent of the whole");
        flawed++;
    }
    compared++;
    reference_free(&expected);
    reference_free(&got);
    REQUIRE(drua_release(context, again[first].image));
}

static void try_operation(const drua_op *op, drua_shape shape, drua_type type)
{
    call c = call_make(&chance, op, shape, type);
    drua_image handles[CALL_PARAMS] = {0};
    drua_argument arguments[CALL_PARAMS] = {{0}}, whole[CALL_PARAMS];
    for (int k = 0; k < c.input_count; k++)
        handles[c.inputs[k]] = harness_push(context, &c.before[c.inputs[k]]);
    const size_t count = call_arguments(&c, handles, arguments);
    memcpy(whole, arguments, sizeof whole);
    if (drua_invoke(context, op->name, whole, count, NULL) == DRUA_OK) {
        reference_image expected = harness_pull(context, whole[first_image_made(op)].image);
        for (int kind = 0; kind < 3; kind++)
            compare_part(&c, arguments, count, &expected, kind);
        reference_free(&expected);
    }
    call_free(&c);
    REQUIRE(drua_clear(context));
}

START_TEST(parts_are_as_in_the_whole)
{
    int number = 0;
    context = harness_open();
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        chance.state = drua_hash(5, (*op)->name, strlen((*op)->name));
        if ((*op)->traits & DRUA_HOST || !makes_an_image(*op) || !harness_is_wanted((*op)->name, (*op)->category) ||
            !harness_is_sampled(number++))
            continue;
        try_operation(*op, (drua_shape){17, 13, 12, 3}, DRUA_UINT16);
        try_operation(*op, (drua_shape){37, 29, 1, 2}, DRUA_FLOAT32);
    }
    printf("%d parts compared, %d refused\n", compared, refused);
    ck_assert_int_eq(flawed, 0);
    ck_assert_int_gt(compared, refused);
    drua_close(context);
}
END_TEST

/* Computes one slice of a stack of 60 slices, which was pushed or is not computed yet. */
START_TEST(a_slice_takes_its_neighbours_alone)
{
    static const struct {
        const char *operation;
        double numbers[3];
        int count, all;
    } cases[] = {
        {"gaussian_blur", {2, 2, 1}, 3, 0},      {"median_sphere", {2, 2, 2}, 3, 0}, {"maximum_box", {3, 3, 0}, 3, 0},
        {"add_image_and_scalar", {7}, 1, 0},     {"top_hat_box", {3, 3, 3}, 3, 0},   {"gaussian_blur", {2, 2, 9}, 3, 1},
        {"connected_components_box", {0}, 0, 1},
    };
    const drua_part slice = {.first = {0, 0, 30}, .end = {0, 0, 31}};
    harness_random pixels = {3};
    reference_image stack = harness_image(&pixels, DRUA_UINT16, (drua_shape){40, 30, 60, 3}, HARNESS_GREY);
    context = harness_open();
    const drua_image pushed = harness_push(context, &stack);
    drua_argument sum[] = {IMAGE(pushed), NEW, NUMBER(3)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", sum, 3, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int pending = 0; pending < 2; pending++) {
            drua_argument arguments[5] = {IMAGE(pending ? sum[1].image : pushed), NEW};
            for (int k = 0; k < cases[i].count; k++)
                arguments[2 + k] = NUMBER(cases[i].numbers[k]);
            drua_part part = slice;
            REQUIRE(drua_invoke_part(context, cases[i].operation, arguments, 2 + (size_t)cases[i].count, &part));
            ck_assert_msg(part.reads_all == cases[i].all, "%s reads %s", cases[i].operation,
                          part.reads_all ? "all" : "a part");
            ck_assert_int_eq(part.whole.depth, 60);
            drua_image_info info;
            REQUIRE(drua_get_info(context, arguments[1].image, &info));
            ck_assert(info.shape.width == 40 && info.shape.height == 30 && info.shape.depth == 1 &&
                      info.shape.dimension == 2);
        }
    reference_free(&stack);
    drua_close(context);
}
END_TEST

START_TEST(what_has_no_part_is_refused)
{
    context = harness_open();
    const float numbers[] = {1, 2, 3, 4};
    const drua_image image = harness_line(context, numbers, 4), other = harness_line(context, numbers, 4);
    drua_part part = {.first = {0}};
    drua_argument set[] = {IMAGE(image), NUMBER(7)}, copy[] = {IMAGE(image), IMAGE(other)}, sum[] = {IMAGE(image)};
    REFUSED(DRUA_E_UNSUPPORTED, drua_invoke_part(context, "set", set, 2, &part), "set", "makes no new image");
    REFUSED(DRUA_E_UNSUPPORTED, drua_invoke_part(context, "copy", copy, 2, &part), "copy", "makes no new image");
    REFUSED(DRUA_E_UNSUPPORTED, drua_invoke_part(context, "sum_of_all_pixels", sum, 1, &part), "makes no new image");
    REFUSED(DRUA_E_NAME, drua_invoke_part(context, "copi", copy, 2, &part), "no operation 'copi'");
    ck_assert(harness_first(context, image) == 1 && harness_first(context, other) == 1);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *parts = tcase_create("parts");
    tcase_set_timeout(parts, 2000);
    tcase_add_test(parts, parts_are_as_in_the_whole);
    tcase_add_test(parts, a_slice_takes_its_neighbours_alone);
    tcase_add_test(parts, what_has_no_part_is_refused);
    suite_add_tcase(suite, parts);
    return harness_run(suite);
}
