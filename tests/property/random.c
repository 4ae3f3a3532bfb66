/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests random images that are so large that each work-item makes several numbers, in any memory layout, and the
 * quality of the numbers.
 */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* 2^24 times the first four numbers and the millionth number of java.util.Random, as printed by a Java program. */
START_TEST(as_java)
{
    static const struct {
        double seed;
        double numbers[5];
    } cases[] = {{0, {12263604, 13949265, 4035531, 10172784, 889891}},
                 {1, {12262101, 1685660, 6880014, 6835705, 8964978}},
                 {42, {12206493, 917130, 11462587, 804288, 5753333}},
                 {-3, {4509102, 16401850, 5894822, 2520337, 7549657}},
                 {281474976710655, {4512108, 7374626, 205856, 9194495, 8176697}},
                 {4294967296, {13939636, 13267025, 7921355, 3942512, 6066979}}};
    const drua_shape s = {1000, 500, 2, 3};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        drua_image image;
        drua_shape shape;
        REQUIRE(drua_create(context, s, DRUA_FLOAT32, &image));
        REQUIRE(INVOKE(context, "set_random", IMAGE(image), NUMBER(0), NUMBER(1 << 24), NUMBER(cases[n].seed)));
        float *v = pull(image, &shape);
        for (int i = 0; i < 5; i++)
            ck_assert_msg(v[i < 4 ? i : 999999] == cases[n].numbers[i], "seed %.0f, number %d is %.0f instead of %.0f",
                          cases[n].seed, i, v[i < 4 ? i : 999999], cases[n].numbers[i]);
        free(v);
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/*
 * A part of an image, mirrored or not. While the whole image exists, the engine fills a copy of the part; otherwise it
 * fills the part in place.
 */
typedef struct frame {
    int before, after, below, between;      /* columns, columns, rows and slices outside the part */
    bool mirrored;
} frame;

static drua_image part_of(drua_image whole, drua_shape s, const frame *f)
{
    drua_argument flip[] = {IMAGE(whole), NEW, NUMBER(1), NUMBER(0), NUMBER(0)};
    if (f->mirrored)
        REQUIRE(drua_invoke(context, "flip", flip, 5, NULL));
    const drua_image part =
        RESULT(1, "crop", f->mirrored ? flip[1] : IMAGE(whole), NEW, NUMBER(f->before), NUMBER(f->below),
               NUMBER(f->between), NUMBER((double)s.width), NUMBER((double)s.height), NUMBER((double)s.depth));
    if (f->mirrored)
        REQUIRE(drua_release(context, flip[1].image));
    return part;
}

typedef struct filling {
    drua_shape shape;
    drua_type type;
    double min, max, seed;
    bool is_part;
    frame frame;
} filling;

static void fill_expected(const filling *c, size_t n, bool kept)
{
    const drua_shape s = c->shape;
    const frame *f = &c->frame;
    const drua_shape around = {s.width + f->before + f->after, s.height + f->below + 2 * c->is_part,
                               s.depth + f->between, s.dimension};
    drua_image whole;
    char message[256];
    REQUIRE(drua_create(context, around, c->type, &whole));
    REQUIRE(INVOKE(context, "set", IMAGE(whole), NUMBER(77)));
    const drua_image image = c->is_part ? part_of(whole, s, f) : whole;
    if (c->is_part && !kept)
        REQUIRE(drua_release(context, whole));
    REQUIRE(INVOKE(context, "set_random", IMAGE(image), NUMBER(c->min), NUMBER(c->max), NUMBER(c->seed)));
    reference_image expected = reference_make(c->type, s), got = harness_pull(context, image);
    reference_random(c->min, c->max, (int64_t)c->seed, &expected);
    ck_assert_msg(reference_agrees(&expected, &got, 0, false, message, sizeof message), "case %zu, kept %d: %s", n,
                  kept, message);
    if (c->is_part && kept) {
        reference_image rest = harness_pull(context, whole);
        size_t touched = 0;
        for (size_t i = 0; i < reference_count(&rest); i++)
            touched += rest.pixels[i] != 77;
        ck_assert_msg(touched == 0, "case %zu: %zu pixels of the image that the part was taken from are changed", n,
                      touched);
        reference_free(&rest);
    }
    reference_free(&expected);
    reference_free(&got);
    REQUIRE(drua_clear(context));
}

START_TEST(large)
{
    static const filling cases[] = {{{701, 503, 1, 2}, DRUA_FLOAT32, 0, 1, 5, false, {0}},
                                    {{700, 800, 1, 2}, DRUA_UINT8, 0, 255, 7, false, {0}},
                                    {{263, 301, 11, 3}, DRUA_UINT16, 100, 70000, 11, false, {0}},
                                    {{257, 129, 19, 3}, DRUA_INT16, -40000, 1000, -4, false, {0}},
                                    {{3, 100003, 1, 2}, DRUA_FLOAT32, -2, 3, 1, false, {0}},
                                    {{300001, 2, 1, 2}, DRUA_FLOAT32, 1e-3, 1e6, 2, false, {0}},
                                    {{270000, 1, 1, 2}, DRUA_INT8, 5, -5, 3, true, {3, 2, 1, 0, false}},
                                    {{640, 603, 1, 2}, DRUA_FLOAT32, 0, 1, 9, true, {3, 2, 0, 0, false}},
                                    {{301, 503, 3, 3}, DRUA_UINT16, 0, 65536, 10, true, {400, 5, 7, 0, false}},
                                    {{333, 200, 9, 3}, DRUA_FLOAT32, 3, 3, 12, true, {0, 1, 0, 1, false}},
                                    {{333, 200, 9, 3}, DRUA_FLOAT32, -1, 1, 13, true, {0, 1, 0, 1, true}},
                                    {{555, 98, 7, 3}, DRUA_FLOAT32, -1, 1, 14, true, {2, 0, 3, 1, true}},
                                    {{100, 90, 41, 3}, DRUA_INT32, -1e9, 1e9, 15, true, {1, 0, 2, 1, false}}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (int kept = 0; kept < 1 + cases[n].is_part; kept++)
            fill_expected(&cases[n], n, kept);
}
END_TEST

static float *numbers_of(drua_shape s, double seed)
{
    drua_image image;
    drua_shape shape;
    REQUIRE(drua_create(context, s, DRUA_FLOAT32, &image));
    REQUIRE(INVOKE(context, "set_random", IMAGE(image), NUMBER(0), NUMBER(1), NUMBER(seed)));
    float *v = pull(image, &shape);
    REQUIRE(drua_release(context, image));
    return v;
}

/*
 * Moments, shares of equal ranges and correlations of neighbours along each axis are within six standard deviations.
 * Another seed gives another image.
 */
START_TEST(evenly_spread)
{
    enum { W = 401, H = 307, D = 5, COUNT = W * H * D, RANGES = 64 };
    const drua_shape s = {W, H, D, 3};
    const int apart[] = {1, W, W * H};
    const uint64_t seed = harness_new_seed("property_random");
    float *v = numbers_of(s, (double)seed), *again = numbers_of(s, (double)seed),
          *other = numbers_of(s, (double)seed + 1);
    double sum = 0, square = 0, alike[3] = {0}, with_other = 0, shares[RANGES] = {0};
    int equal = 0, odd = 0;
    for (int i = 0; i < COUNT; i++) {
        const double value = v[i] - 0.5;
        odd += !(v[i] >= 0 && v[i] < 1 && v[i] == again[i]);
        sum += value;
        square += value * value;
        shares[(int)(v[i] * RANGES)]++;
        with_other += value * (other[i] - 0.5);
        equal += v[i] == other[i];
        for (int axis = 0; axis < 3; axis++)
            alike[axis] += i + apart[axis] < COUNT ? value * (v[i + apart[axis]] - 0.5) : 0;
    }
    const double n = COUNT, product = 6 / 12.0 / sqrt(n);       /* six standard deviations of a mean of products */
    double uneven = 0;
    for (int k = 0; k < RANGES; k++)
        uneven += pow(shares[k] - n / RANGES, 2) / (n / RANGES);
    ck_assert_msg(odd == 0, "%d numbers are outside the range or differ the second time", odd);
    ck_assert_msg(fabs(sum / n) < 6 / sqrt(12 * n), "mean off by %g", sum / n);
    ck_assert_msg(fabs(square / n - 1 / 12.0) < 6 / sqrt(180 * n), "variance off by %g", square / n - 1 / 12.0);
    ck_assert_msg(fabs(uneven - (RANGES - 1)) < 6 * sqrt(2 * (RANGES - 1.0)), "chi square of %d ranges is %g", RANGES,
                  uneven);
    ck_assert_msg(fabs(with_other / n) < product && equal < 10, "images of two seeds are alike: %g, %d equal",
                  with_other / n, equal);
    for (int axis = 0; axis < 3; axis++)
        ck_assert_msg(fabs(alike[axis] / n) < product, "neighbours along axis %d are alike: %g", axis, alike[axis] / n);
    free(v), free(again), free(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, as_java);
    tcase_add_test(tests, large);
    tcase_add_test(tests, evenly_spread);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
