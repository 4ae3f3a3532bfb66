/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the positions that the metadata of results give. Each pixel of the source holds its own position along an axis,
 * so the pixel in the middle of a result must hold the position that the metadata of the result give it.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 12, DEPTH = 8, MAX_NUMBERS = 7 };

static const double size[3] = {0.5, 0.25, 2}, origin[3] = {10, -5, 3};

/* An operation with the values of its parameters, and the axis of the source along each axis of the result. */
typedef struct known {
    const char *name;
    double numbers[MAX_NUMBERS];
    int count, axes[3];
} known;

#define STRAIGHT                                                                                                       \
    {                                                                                                                  \
        0, 1, 2                                                                                                        \
    }

static const known operations[] = {
    {"crop", {3, 2, 1, 9, 7, 5}, 6, STRAIGHT},    {"sub_stack", {2, 6}, 2, STRAIGHT},
    {"reduce_stack", {2, 1}, 2, STRAIGHT},        {"bin_mean", {2, 3, 2}, 3, STRAIGHT},
    {"resample", {2, 0.5, 1.5, 1}, 4, STRAIGHT},  {"make_isotropic", {0.5, 0.25, 2, 0.5}, 4, STRAIGHT},
    {"downsample", {0.5, 0.5, 0.5}, 3, STRAIGHT}, {"downsample_slice_by_slice_half_median", {0}, 0, STRAIGHT},
    {"transpose_xy", {0}, 0, {1, 0, 2}},          {"transpose_xz", {0}, 0, {2, 1, 0}},
    {"transpose_yz", {0}, 0, {0, 2, 1}}};

static drua_image push_ramp(drua_context *context, int axis)
{
    reference_image ramp = reference_make(DRUA_FLOAT32, reference_stack(WIDTH, HEIGHT, DEPTH));
    REFERENCE_EACH_PIXEL (ramp.shape, x, y, z) {
        const int64_t at[3] = {x, y, z};
        ramp.pixels[x + WIDTH * (y + HEIGHT * z)] = origin[axis] + size[axis] * (double)at[axis];
    }
    const drua_image image = harness_push(context, &ramp);
    REQUIRE(drua_set_metadata(context, image,
                              "pixelWidth=0.5\npixelHeight=0.25\npixelDepth=2\nunit=micron\nposition=10,-5,3\n"));
    reference_free(&ramp);
    return image;
}

static double number_of(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    ck_assert_msg(found, "no %s in %s", key, text);
    return strtod(found + strlen(key), NULL);
}

/* Compares the pixel in the middle of a result, whose values are positions along that axis of the source. */
static void check_middle(drua_context *context, const char *name, drua_image image, int along)
{
    static const char *const sizes[] = {"pixelWidth=", "pixelHeight=", "pixelDepth="};
    const char *text;
    double first[3];
    reference_image result = harness_pull(context, image);
    const int64_t middle[3] = {result.shape.width / 2, result.shape.height / 2, result.shape.depth / 2};
    REQUIRE(drua_get_metadata(context, image, &text));
    const char *position = strstr(text, "position=");
    ck_assert_msg(position && sscanf(position, "position=%lf,%lf,%lf", &first[0], &first[1], &first[2]) == 3,
                  "%s: no position in %s", name, text);
    const double expected = first[along] + number_of(text, sizes[along]) * (double)middle[along],
                 pixel = reference_at(&result, middle[0], middle[1], middle[2]);
    ck_assert_msg(fabs(pixel - expected) < 1e-4, "%s: the pixel lies at %g along axis %d, the metadata say %g", name,
                  pixel, along, expected);
    reference_free(&result);
}

START_TEST(pixels_lie_where_the_metadata_say)
{
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (int along = 0; along < 3; along++) {
            const known *k = &operations[i];
            drua_argument arguments[2 + MAX_NUMBERS] = {IMAGE(push_ramp(context, k->axes[along])), NEW};
            for (int n = 0; n < k->count; n++)
                arguments[2 + n] = NUMBER(k->numbers[n]);
            REQUIRE(drua_invoke(context, k->name, arguments, 2 + (size_t)k->count, NULL));
            check_middle(context, k->name, arguments[1].image, along);
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

/* A plane that is copied into a stack lies at its slice; planes that are copied to planes keep their position. */
START_TEST(slices_lie_where_the_metadata_say)
{
    drua_context *context = harness_open();
    for (int along = 0; along < 3; along++) {
        drua_argument slice[] = {IMAGE(push_ramp(context, along)), NEW, NUMBER(5)};
        REQUIRE(drua_invoke(context, "copy_slice", slice, 3, NULL));
        check_middle(context, "copy_slice from a stack", slice[1].image, along);
        drua_argument stack[] = {IMAGE(slice[1].image), NEW, NUMBER(5)};
        REQUIRE(drua_invoke(context, "copy_slice", stack, 3, NULL));
        drua_argument again[] = {IMAGE(stack[1].image), NEW, NUMBER(5)};
        REQUIRE(drua_invoke(context, "copy_slice", again, 3, NULL));
        check_middle(context, "copy_slice into a stack and back", again[1].image, along);
        drua_argument plane[] = {IMAGE(slice[1].image), IMAGE(again[1].image), NUMBER(3)};
        REQUIRE(drua_invoke(context, "copy_slice", plane, 3, NULL));
        check_middle(context, "copy_slice between planes", again[1].image, along);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("positions");
    TCase *tests = tcase_create("positions");
    tcase_add_test(tests, pixels_lie_where_the_metadata_say);
    tcase_add_test(tests, slices_lie_where_the_metadata_say);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
