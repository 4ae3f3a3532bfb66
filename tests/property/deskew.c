/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests stacks of tilted planes: arrays that were worked out by hand, a linear ramp and beads of a known object, and
 * results made in parts.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_deskew");
}

static void close_context(void)
{
    drua_close(context);
}

static const double degree = 3.14159265358979323846 / 180;

typedef struct geometry {
    double angle, pixel, step;
    bool backward, rotate;
} geometry;

static drua_image deskew(drua_image source, const geometry *g)
{
    drua_argument arguments[] = {IMAGE(source),    NEW,
                                 NUMBER(g->angle), NUMBER(g->pixel),
                                 NUMBER(g->step),  NAME(g->backward ? "backward" : "forward"),
                                 NUMBER(g->rotate)};
    REQUIRE(drua_invoke(context, "deskew", arguments, 7, NULL));
    return arguments[1].image;
}

static void expect_pixels(const reference_image *got, int64_t width, int64_t height, int64_t depth,
                          const double *expected)
{
    ck_assert_int_eq(got->shape.width, width);
    ck_assert_int_eq(got->shape.height, height);
    ck_assert_int_eq(got->shape.depth, depth);
    for (size_t i = 0; i < reference_count(got); i++)
        ck_assert_msg(fabs(got->pixels[i] - expected[i]) < 1e-3, "pixel %zu is %g, not %g", i, got->pixels[i],
                      expected[i]);
}

/* At 60 degrees and a step of one pixel, planes shift by half a row. */
START_TEST(small_arrays)
{
    const float planes[] = {10, 20, 30, 40, 50, 60, 70, 80, 90}; /* three planes of one column with three rows */
    drua_image source;
    REQUIRE(drua_push(context, (drua_shape){1, 3, 3, 3}, DRUA_FLOAT32, planes, &source));
    const double forward[] = {10, 20, 30, 0, 0, 45, 55, 0, 0, 70, 80, 90},
                 backward[] = {0, 10, 20, 30, 0, 45, 55, 0, 70, 80, 90, 0};
    reference_image got = harness_pull(context, deskew(source, &(geometry){60, 1, 1, false, false}));
    expect_pixels(&got, 1, 4, 3, forward);
    reference_free(&got);
    got = harness_pull(context, deskew(source, &(geometry){60, 0.25, 0.25, true, false}));
    expect_pixels(&got, 1, 4, 3, backward);
    reference_free(&got);
    /*
     * In the coverslip's frame the voxel at height 0 and y = 1 is row 0 of plane 1. At height 1, a row lies 1 / sin(60)
     * up its plane, which is 0.5774 to the right.
     */
    const double rise = 1 / sin(60 * degree), right = 1 / tan(60 * degree), share = 1 - right;
    const double first = 10 + 10 * (rise + 0.5 * share), second = 40 + 10 * (rise - 0.5 * (1 - share)),
                 third = 70 + 10 * (rise - 0.5 * (1 - share)), before = 40 + 10 * (rise + 0.5 * share);
    const double rotated[] = {
        10, 40, 70, 0, 0, (1 - share) * first + share * second, (1 - share) * before + share * third, 0};
    got = harness_pull(context, deskew(source, &(geometry){60, 1, 1, false, true}));
    expect_pixels(&got, 1, 4, 2, rotated);
    reference_free(&got);
}
END_TEST

/* A plane in space stays a plane: linear interpolation of a linear function is exact, in both frames. */
START_TEST(ramps_stay_ramps)
{
    const geometry cases[] = {{31.5, 0.115, 0.4, false, false}, {31.5, 0.115, 0.4, true, false},
                              {45, 1, 1.7, false, true},        {30, 0.1, 0.05, true, true},
                              {60, 0.2, 0.55, false, true},     {89, 1, 2, false, true}};
    const geometry *g = &cases[_i];
    enum { WIDTH = 5, ROWS = 40, PLANES = 30 };
    const double s = g->step / g->pixel, sine = sin(g->angle * degree), cosine = cos(g->angle * degree);
    const double by_x = 1.5, along = 0.7, up = -0.4; /* slopes along x, along the coverslip, and upwards */
    reference_image source = reference_make(DRUA_FLOAT32, reference_stack(WIDTH, ROWS, PLANES));
    REFERENCE_EACH_PIXEL (source.shape, x, y, z) {
        const double number = (double)(g->backward ? PLANES - 1 - z : z);
        reference_put(&source, x, y, z,
                      100 + by_x * (double)x + along * (number * s + (double)y * cosine) + up * (double)y * sine);
    }
    reference_image got = harness_pull(context, deskew(harness_push(context, &source), g));
    const double height = g->rotate ? (PLANES - 1) * s + (ROWS - 1) * cosine : ROWS - 1 + (PLANES - 1) * s * cosine;
    ck_assert_int_eq(got.shape.height, (int64_t)floor(height) + 1);
    ck_assert_int_eq(got.shape.depth, g->rotate ? (int64_t)floor((ROWS - 1) * sine) + 1 : PLANES);
    int inside = 0;
    REFERENCE_EACH_PIXEL (got.shape, x, y, z) {
        const double value = reference_at(&got, x, y, z), number = (double)(g->backward ? PLANES - 1 - z : z);
        double expected, row, plane;
        if (g->rotate) {
            expected = along * (double)y + up * (double)z;
            row = (double)z / sine;
            plane = ((double)y - (double)z * cosine / sine) / s;
        } else { /* y in the plane, z across the planes */
            row = (double)y - number * s * cosine;
            plane = number;
            expected = along * (number * s + row * cosine) + up * row * sine;
        }
        expected += 100 + by_x * (double)x;
        const double margin = g->rotate ? s * cosine + 0.01 : 0.01; /* the feet of the perpendiculars lie inside */
        if (row > margin && row < ROWS - 1 - margin && plane > 0.01 && plane < PLANES - 1.01) {
            ck_assert_double_eq_tol(value, expected, 0.02);
            inside++;
        } else if (row < -0.01 || row > ROWS - 0.99 || plane < -0.01 || plane > PLANES - 0.99) {
            ck_assert_double_eq(value, 0);
        }
    }
    ck_assert_int_gt(inside, 1000);
    reference_free(&got);
    reference_free(&source);
}
END_TEST

/* Beads in a skewed grid appear where they are in space. */
START_TEST(beads_are_found_in_place)
{
    enum { WIDTH = 24, ROWS = 60, PLANES = 70 };
    const geometry g = {31.5, 0.115, 0.13, false, true};
    const double s = g.step / g.pixel, sine = sin(g.angle * degree), cosine = cos(g.angle * degree);
    const double bead[3] = {11.3, 55.4, 14.2}, width = 2.2;
    reference_image source = reference_make(DRUA_FLOAT32, reference_stack(WIDTH, ROWS, PLANES));
    REFERENCE_EACH_PIXEL (source.shape, x, y, z) {
        const double dx = (double)x - bead[0], dy = (double)z * s + (double)y * cosine - bead[1],
                     dz = (double)y * sine - bead[2];
        reference_put(&source, x, y, z, 1000 * exp(-(dx * dx + dy * dy + dz * dz) / (2 * width * width)));
    }
    reference_image got = harness_pull(context, deskew(harness_push(context, &source), &g));
    double sum = 0, at[3] = {0}, max = 0;
    REFERENCE_EACH_PIXEL (got.shape, x, y, z) {
        const double value = reference_at(&got, x, y, z), position[3] = {(double)x, (double)y, (double)z};
        double square = 0;
        sum += value;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] += value * position[axis];
            square += (position[axis] - bead[axis]) * (position[axis] - bead[axis]);
        }
        max = fmax(max, fabs(value - 1000 * exp(-square / (2 * width * width))));
    }
    printf("bead off by %.3f, %.3f, %.3f pixels; grey values by at most %.1f of 1000\n", at[0] / sum - bead[0],
           at[1] / sum - bead[1], at[2] / sum - bead[2], max);
    for (int axis = 0; axis < 3; axis++)
        ck_assert_double_eq_tol(at[axis] / sum, bead[axis], 0.02);
    ck_assert_double_lt(max, 60);
    reference_free(&got);
    reference_free(&source);
}
END_TEST

/* A part of the result is that part of the whole result. */
START_TEST(parts_are_those_of_the_whole)
{
    reference_image source = harness_image(&chance, DRUA_UINT16, reference_stack(9, 50, 40), HARNESS_GREY);
    drua_image image = harness_push(context, &source);
    for (int k = 0; k < 4; k++) {
        const geometry g = {35, 1, 0.9, k % 2, k / 2};
        reference_image whole = harness_pull(context, deskew(image, &g));
        drua_argument arguments[] = {IMAGE(image),    NEW,
                                     NUMBER(g.angle), NUMBER(g.pixel),
                                     NUMBER(g.step),  NAME(g.backward ? "backward" : "forward"),
                                     NUMBER(g.rotate)};
        drua_part part = {.first = {2, 13, 5}, .end = {7, 41, 17}};
        REQUIRE(drua_invoke_part(context, "deskew", arguments, 7, &part));
        reference_image got = harness_pull(context, arguments[1].image);
        ck_assert_int_eq(part.whole.height, whole.shape.height);
        REFERENCE_EACH_PIXEL (got.shape, x, y, z) {
            const double due = reference_at(&whole, x + 2, y + 13, z + 5);
            ck_assert_double_le(fabs(reference_at(&got, x, y, z) - due), 1);
        }
        reference_free(&got);
        reference_free(&whole);
    }
    reference_free(&source);
}
END_TEST

START_TEST(wrong_geometries)
{
    const float planes[16] = {1};
    drua_image source;
    REQUIRE(drua_push(context, (drua_shape){2, 2, 4, 3}, DRUA_FLOAT32, planes, &source));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "deskew", IMAGE(source), NEW, NUMBER(0)), "angle", "0");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "deskew", IMAGE(source), NEW, NUMBER(30), NUMBER(1e-4), NUMBER(1e6)),
            "pixel_size", "same unit");
    reference_image one = harness_pull(context, deskew(source, &(geometry){45, 1, 1, false, true}));
    ck_assert_int_eq(one.shape.depth, 1);
    reference_free(&one);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deskew");
    TCase *tests = tcase_create("deskew");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, small_arrays);
    tcase_add_loop_test(tests, ramps_stay_ramps, 0, 6);
    tcase_add_test(tests, beads_are_found_in_place);
    tcase_add_test(tests, parts_are_those_of_the_whole);
    tcase_add_test(tests, wrong_geometries);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
