/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of float32 in integer images: truncated as exact arithmetic has them, but where an integer is so near that float32 cannot tell. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static reference_image blurred(drua_context *context, const reference_image *source, const double sigma[3])
{
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), NEW, NUMBER(sigma[0]), NUMBER(sigma[1]), NUMBER(sigma[2])};
    REQUIRE(drua_invoke(context, "gaussian_blur", arguments, 5, NULL));
    const reference_image got = harness_pull(context, arguments[1].image);
    REQUIRE(drua_clear(context));
    return got;
}

/* One grey value stays what it is: a weighted mean of equal numbers is that number. Each row of a slice has its own. */
START_TEST(flat_images_stay)
{
    static const double sigmas[][3] = {{0.3, 0, 0}, {0.5, 0, 0},  {1, 0, 0},   {1.5, 0, 1.5}, {2, 0, 2},     {3, 0, 3},     {5, 0, 5},
                                       {8, 0, 8},   {13, 0, 2},   {20, 0, 20}, {30, 0, 30},   {75, 0, 3},    {130, 0, 130}, {250, 0, 0},
                                       {500, 0, 0}, {707, 0, 12}, {850, 0, 0}, {999, 0, 999}, {1000, 0, 1000}};
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_INT16};
    const int s = _i / 3;
    const drua_type type = types[_i % 3];
    const int64_t levels = type == DRUA_UINT8 ? 256 : 1024;
    drua_context *context = harness_open();
    reference_image source = reference_make(type, reference_stack(4, levels, 2));
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        reference_put(&source, x, y, z, type == DRUA_UINT8 ? (double)y : type == DRUA_UINT16 ? (double)(64 * y + 31) : (double)(32 * y - 16384));
    reference_image got = blurred(context, &source, sigmas[s]);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        ck_assert_msg(reference_at(&got, x, y, z) == reference_at(&source, x, y, z), "sigma %g, 0, %g makes %g of %g", sigmas[s][0], sigmas[s][2],
                      reference_at(&got, x, y, z), reference_at(&source, x, y, z));
    reference_free(&got);
    reference_free(&source);
    drua_close(context);
}
END_TEST

/* What a sum of all weights that were rounded one after the other can be off by, as a share. */
static double proven_error(const double sigma[3])
{
    double roundings = 0;
    for (int axis = 0; axis < 3; axis++)
        roundings += sigma[axis] > 0 ? 8 * sigma[axis] + 4 : 0;
    return roundings * pow(2, -24);
}

START_TEST(others_are_truncated)
{
    static const double sigmas[][3] = {{1.5, 1.5, 0}, {1, 1, 1}, {0.7, 3, 0}, {6, 0, 0}, {0, 2.5, 0}, {2, 2, 4}};
    const double *sigma = sigmas[_i];
    harness_random chance = {harness_new_seed("rounding")};
    drua_context *context = harness_open();
    reference_image source = reference_make(DRUA_UINT8, reference_stack(96, 80, 5)), exact = reference_make(DRUA_NO_TYPE, source.shape);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        reference_put(&source, x, y, z, x < 40 ? 2 * (double)x : 40 + harness_below(&chance, 216));      /* the slope has whole means */
    reference_gaussian_blur(&source, sigma[0], sigma[1], sigma[2], &exact);
    reference_image got = blurred(context, &source, sigma);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z) {
        const double value = reference_at(&exact, x, y, z), whole = round(value), result = reference_at(&got, x, y, z);
        const double due = fabs(value - whole) < 1e-9 ? whole : floor(value);
        const bool unsure = fabs(value - whole) >= 1e-9 && fabs(value - whole) <= 2 * proven_error(sigma) * value;
        ck_assert_msg(result == due || (unsure && fabs(result - whole) <= 1), "sigma %g, %g, %g: %g at %d, %d, %d, where the exact value is %.9g",
                      sigma[0], sigma[1], sigma[2], result, (int)x, (int)y, (int)z, value);
    }
    reference_free(&got);
    reference_free(&exact);
    reference_free(&source);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounding");
    TCase *tests = tcase_create("rounding");
    harness_add(tests, flat_images_stay, 3 * 19);
    harness_add(tests, others_are_truncated, 6);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
