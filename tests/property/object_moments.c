/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares moments and variances of objects that are larger than the blocks of partial sums with sums over pixels and
 * with closed forms.
 */
#include "harness.h"

#include <math.h>

enum { ORDERS = 3, ALL = ORDERS * ORDERS * ORDERS };

typedef enum object {
    NOTHING,
    EVERYTHING,
    LAST_PIXEL,
    CORNERS,
    COLUMN,
    LINE,
    SLICE,
    SPECKLES,
    NOT_NUMBERS,
    OBJECTS
} object;

static bool is_in(object which, drua_shape s, int64_t x, int64_t y, int64_t z, harness_random *chance)
{
    const bool ends[] = {x == 0 || x == s.width - 1, y == 0 || y == s.height - 1, z == 0 || z == s.depth - 1};
    switch (which) {
    case NOTHING: return false;
    case EVERYTHING: return true;
    case LAST_PIXEL: return x == s.width - 1 && y == s.height - 1 && z == s.depth - 1;
    case CORNERS: return ends[0] && ends[1] && ends[2];
    case COLUMN: return x == s.width / 3 && z == s.depth / 2;
    case LINE: return y == s.height / 3 && z == s.depth / 2;
    case SLICE: return z == s.depth / 2;
    default: return harness_below(chance, 5) == 0;
    }
}

static reference_image draw_object(object which, drua_shape s, drua_type type, harness_random *chance)
{
    reference_image image = reference_make(type, s);
    REFERENCE_EACH_PIXEL(s, x, y, z)
        if (is_in(which, s, x, y, z, chance))
            image.pixels[(z * s.height + y) * s.width + x] =
                which == NOT_NUMBERS && type == DRUA_FLOAT32 ? NAN : 1 + harness_below(chance, 100);
    return image;
}

/* Computes each moment, and the sum of the absolute values of its terms. */
static void sum_up(const reference_image *image, long double moments[ALL], long double sizes[ALL])
{
    long double number = 0, sum[3] = {0};
    REFERENCE_EACH_PIXEL(image->shape, x, y, z)
        if (reference_at(image, x, y, z) != 0)
            number += 1, sum[0] += x, sum[1] += y, sum[2] += z;
    for (int axis = 0; axis < 3; axis++)
        sum[axis] /= number > 0 ? number : 1;
    REFERENCE_EACH_PIXEL(image->shape, x, y, z) {
        if (reference_at(image, x, y, z) == 0)
            continue;
        const long double dx = x - sum[0], dy = y - sum[1], dz = z - sum[2];
        const long double of[3][ORDERS] = {{1, dx, dx * dx}, {1, dy, dy * dy}, {1, dz, dz * dz}};
        for (int n = 0; n < ALL; n++) {
            const long double product = of[0][n % 3] * of[1][n / 3 % 3] * of[2][n / 9];
            moments[n] += product;
            sizes[n] += product < 0 ? -product : product;
        }
    }
}

static void check_moments(drua_context *context, object which, drua_image mask, const reference_image *image)
{
    long double moments[ALL] = {0}, sizes[ALL] = {0};
    sum_up(image, moments, sizes);
    drua_argument arguments[] = {IMAGE(mask), NEW};
    REQUIRE(drua_invoke(context, "binary_image_moments", arguments, 2, NULL));
    reference_image got = harness_pull(context, arguments[1].image);
    for (int n = 0; n < ALL; n++) {
        const double expected = (double)moments[n], tolerance = 1e-7 * fabs(expected) + 1e-13 * (double)sizes[n];
        ck_assert_msg(fabs(got.pixels[n] - expected) <= tolerance,
                      "object %d in %d x %d x %d, type %d, moment %d %d %d: expected %.9g, got %.9g", (int)which,
                      (int)image->shape.width, (int)image->shape.height, (int)image->shape.depth, (int)image->type,
                      n % 3, n / 3 % 3, n / 9, expected, got.pixels[n]);
    }
    reference_free(&got);
}

/* Tests images with several blocks along each axis, narrow last blocks, and aligned or unaligned rows. */
START_TEST(many_blocks)
{
    enum { TYPES = 7 };
    static const drua_shape shapes[] = {{1, 1, 1, 2},    {131, 2100, 1, 2}, {16389, 5, 2, 3}, {3, 2500, 2, 3},
                                        {68, 261, 5, 3}, {33000, 1, 1, 2},  {300, 33, 7, 3}};
    drua_context *context = harness_open();
    harness_random chance = {3};
    int number = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int which = 0; which < OBJECTS; which++, number++) {
            const drua_shape s = shapes[i];
            reference_image image = draw_object((object)which, s, harness_types[number % TYPES], &chance),
                            part = draw_object((object)which, s, DRUA_FLOAT32, &chance);
            check_moments(context, (object)which, harness_push(context, &image), &image);
            check_moments(context, (object)which, harness_push(context, &part), &part);
            drua_argument crop[] = {IMAGE(harness_push(context, &image)),
                                    NEW,
                                    NUMBER(1),
                                    NUMBER(0),
                                    NUMBER(0),
                                    NUMBER((double)(s.width - 1)),
                                    NUMBER((double)s.height),
                                    NUMBER((double)s.depth)};
            reference_free(&part);
            if (s.width > 1) {
                REQUIRE(drua_invoke(context, "crop", crop, 8, NULL));
                part = harness_pull(context, crop[1].image);
                check_moments(context, (object)which, crop[1].image, &part);
                reference_free(&part);
            }
            reference_free(&image);
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

static double variance_of_line(int64_t extent)
{
    return ((double)extent * (double)extent - 1) / 12;
}

/*
 * Boxes that fill their images, with extents in ascending order. In rows of five million pixels, sums of squared
 * positions exceed 64 bits.
 */
START_TEST(full_boxes)
{
    static const struct box {
        drua_shape shape;
        int64_t extents[3];
    } boxes[] = {{{5000000, 1, 1, 2}, {1, 1, 5000000}}, {{70000, 40, 1, 2}, {1, 40, 70000}},
                 {{1, 300000, 1, 2}, {1, 1, 300000}},   {{2, 3, 40000, 3}, {2, 3, 40000}},
                 {{512, 500, 3, 3}, {3, 500, 512}},     {{1021, 1200, 2, 3}, {2, 1021, 1200}}};
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        reference_image full = draw_object(EVERYTHING, boxes[i].shape, DRUA_UINT8, &(harness_random){1});
        drua_argument values[] = {IMAGE(harness_push(context, &full)), NEW, NEW, NEW};
        REQUIRE(drua_invoke(context, "binary_image_eigenvalues", values, 4, NULL));
        for (int n = 0; n < 3; n++) {
            const double expected = variance_of_line(boxes[i].extents[n]);
            ck_assert_msg(fabs(values[n + 1].number - expected) <= 1e-13 * expected,
                          "box %d, value %d: expected %.17g, got %.17g", (int)i, n, expected, values[n + 1].number);
        }
        const double ratio = variance_of_line(boxes[i].extents[2]) / variance_of_line(boxes[i].extents[0]);
        REQUIRE(drua_invoke(context, "binary_image_aspect_ratio", values, 2, NULL));
        ck_assert_msg(values[1].number == ratio || fabs(values[1].number - ratio) <= 1e-13 * ratio,
                      "box %d: expected %.17g, got %.17g", (int)i, ratio, values[1].number);
        reference_free(&full);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("object_moments");
    TCase *tests = tcase_create("moments");
    tcase_add_test(tests, many_blocks);
    tcase_add_test(tests, full_boxes);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
