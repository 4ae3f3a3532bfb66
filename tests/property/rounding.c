/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests integer images. Their sums are truncated like exact sums, except where a float32 sum is too close to an integer
 * to decide.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static reference_image blur_reference(drua_context *context, const reference_image *source, const double sigma[3])
{
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), NEW, NUMBER(sigma[0]), NUMBER(sigma[1]),
                                 NUMBER(sigma[2])};
    REQUIRE(drua_invoke(context, "gaussian_blur", arguments, 5, NULL));
    const reference_image got = harness_pull(context, arguments[1].image);
    REQUIRE(drua_clear(context));
    return got;
}

/*
 * A weighted mean of equal numbers is that number, so one grey value stays unchanged. Each row of a slice has its own.
 */
START_TEST(flat_images_stay)
{
    static const double sigmas[][3] = {{0.3, 0, 0},  {0.5, 0, 0}, {1, 0, 0},     {1.5, 0, 1.5},  {2, 0, 2},
                                       {3, 0, 3},    {5, 0, 5},   {8, 0, 8},     {13, 0, 2},     {20, 0, 20},
                                       {30, 0, 30},  {75, 0, 3},  {130, 0, 130}, {250, 0, 0},    {500, 0, 0},
                                       {707, 0, 12}, {850, 0, 0}, {999, 0, 999}, {1000, 0, 1000}};
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_INT16};
    const int s = _i / 3;
    const drua_type type = types[_i % 3];
    const int64_t levels = type == DRUA_UINT8 ? 256 : 1024;
    drua_context *context = harness_open();
    reference_image source = reference_make(type, reference_stack(4, levels, 2));
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        reference_put(&source, x, y, z,
                      type == DRUA_UINT8    ? (double)y
                      : type == DRUA_UINT16 ? (double)(64 * y + 31)
                                            : (double)(32 * y - 16384));
    reference_image got = blur_reference(context, &source, sigmas[s]);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        ck_assert_msg(reference_at(&got, x, y, z) == reference_at(&source, x, y, z), "sigma %g, 0, %g makes %g of %g",
                      sigmas[s][0], sigmas[s][2], reference_at(&got, x, y, z), reference_at(&source, x, y, z));
    reference_free(&got);
    reference_free(&source);
    drua_close(context);
}
END_TEST

/* The largest relative error of a sum of all weights, rounded one after the other. */
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
    reference_image source = reference_make(DRUA_UINT8, reference_stack(96, 80, 5)),
                    exact = reference_make(DRUA_NO_TYPE, source.shape);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z)
        reference_put(&source, x, y, z,
                      x < 40 ? 2 * (double)x : 40 + harness_below(&chance, 216)); /* the ramp has integer means */
    reference_gaussian_blur(&source, sigma[0], sigma[1], sigma[2], &exact);
    reference_image got = blur_reference(context, &source, sigma);
    REFERENCE_EACH_PIXEL(source.shape, x, y, z) {
        const double value = reference_at(&exact, x, y, z), whole = round(value), result = reference_at(&got, x, y, z);
        const double expected = fabs(value - whole) < 1e-9 ? whole : floor(value);
        const bool unsure = fabs(value - whole) >= 1e-9 && fabs(value - whole) <= 2 * proven_error(sigma) * value;
        ck_assert_msg(result == expected || (unsure && fabs(result - whole) <= 1),
                      "sigma %g, %g, %g: %g at %d, %d, %d, where the exact value is %.9g", sigma[0], sigma[1], sigma[2],
                      result, (int)x, (int)y, (int)z, value);
    }
    reference_free(&got);
    reference_free(&exact);
    reference_free(&source);
    drua_close(context);
}
END_TEST

/* ---- box means with sums beyond float32, or more pixels than it counts */

typedef struct box {
    double radius[3];
    drua_shape shape;
    drua_type type, made;
    double flat; /* the only value; 0: any values */
} box;

static const box boxes[] = {
    {{128, 128, 0}, {3, 2, 1, 2}, DRUA_UINT16, DRUA_UINT16, 60000},
    {{128, 128, 0}, {5, 9, 2, 3}, DRUA_UINT16, DRUA_FLOAT32, 4321},
    {{128, 128, 0}, {5, 9, 2, 3}, DRUA_UINT16, DRUA_FLOAT32, 0},
    {{9, 9, 9}, {37, 20, 12, 3}, DRUA_UINT16, DRUA_UINT16, 0},
    {{20, 20, 20}, {8, 9, 5, 3}, DRUA_UINT16, DRUA_UINT16, 60000},
    {{20, 20, 20}, {35, 9, 21, 3}, DRUA_UINT16, DRUA_UINT16, 0},
    {{60, 62, 11}, {37, 10, 21, 3}, DRUA_INT16, DRUA_INT16, 0},
    {{60, 0, 600}, {6, 5, 4, 3}, DRUA_INT16, DRUA_FLOAT32, -31},
    {{0, 1000, 61}, {6, 5, 4, 3}, DRUA_UINT16, DRUA_FLOAT32, 0},
    {{300, 130, 12}, {8, 11, 9, 3}, DRUA_UINT16, DRUA_UINT16, 0},
    {{900, 200, 63}, {7, 3, 11, 3}, DRUA_INT16, DRUA_INT16, -32768},
    {{2048, 2049, 0}, {2, 2, 1, 2}, DRUA_UINT8, DRUA_UINT8, 100},
    {{2048, 2049, 0}, {4, 3, 2, 3}, DRUA_UINT8, DRUA_FLOAT32, 255},
    {{5000, 5000, 3}, {5, 7, 9, 3}, DRUA_INT8, DRUA_INT8, 0},
    {{10000, 10000, 10000}, {3, 2, 4, 3}, DRUA_UINT16, DRUA_UINT16, 65535},
};

/* How often a window along an axis contains position `other` when borders are repeated. */
static int64_t times(int64_t at, int64_t other, int64_t radius, int64_t extent)
{
    const int64_t first = at - radius, last = at + radius;
    if (radius == 0 || extent == 1)
        return at == other;
    return (other >= first && other <= last) + (other == 0 && first < 0 ? -first : 0) +
           (other == extent - 1 && last >= extent ? last - extent + 1 : 0);
}

static double mean_of(const reference_image *source, const box *b, int64_t x, int64_t y, int64_t z)
{
    const drua_shape s = source->shape;
    int64_t sum = 0, pixels = 0;
    REFERENCE_EACH_PIXEL(s, i, j, k)
    {
        const int64_t count = times(x, i, (int64_t)b->radius[0], s.width) *
                              times(y, j, (int64_t)b->radius[1], s.height) *
                              times(z, k, (int64_t)b->radius[2], s.depth);
        pixels += count;
        sum += count * (int64_t)reference_at(source, i, j, k);
    }
    return b->made == DRUA_FLOAT32 ? (double)sum / (double)pixels : (double)(sum / pixels);
}

static void compare_mean(drua_context *context, int trial, const box *b, const reference_image *source,
                         const double *expected)
{
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), NEW, NUMBER(b->radius[0]), NUMBER(b->radius[1]),
                                 NUMBER(b->radius[2])};
    arguments[1].kind = DRUA_ARG_IMAGE;
    REQUIRE(drua_create(context, b->shape, b->made, &arguments[1].image));
    REQUIRE(drua_invoke(context, "mean_box", arguments, 5, NULL));
    reference_image got = harness_pull(context, arguments[1].image);
    const double unsure = b->made == DRUA_FLOAT32 && b->flat == 0 ? 0x1p-23 : 0;
    for (size_t i = 0; i < reference_count(&got); i++)
        ck_assert_msg(fabs(got.pixels[i] - expected[i]) <= unsure * fabs(expected[i]),
                      "box %d: %.9g at %zu, where the mean is %.9g", trial, got.pixels[i], i, expected[i]);
    reference_free(&got);
    drua_close(context);
}

/* Tests a CPU and, as on a GPU, the general kernels and those compiled for the window. */
START_TEST(means_are_exact)
{
    const box *b = &boxes[_i];
    harness_random chance = {harness_new_seed("means")};
    reference_image source = reference_make(b->type, b->shape);
    double *expected = reference_allocate(reference_count(&source), sizeof *expected), *next = expected;
    const int min = b->type == DRUA_INT16  ? -32768
                    : b->type == DRUA_INT8 ? -128
                                           : 0,
              levels = b->type == DRUA_INT8 ? 256 : 65536;
    REFERENCE_EACH_PIXEL(b->shape, x, y, z)
        reference_put(&source, x, y, z, b->flat != 0 ? b->flat : min + harness_below(&chance, levels));
    REFERENCE_EACH_PIXEL(b->shape, x, y, z)
    *next++ = mean_of(&source, b, x, y, z);
    unsetenv("DRUA_CHAINS");
    compare_mean(harness_open(), _i, b, &source, expected);
    harness_as_gpu();
    setenv("DRUA_CHAINS", "interpret", 1);
    compare_mean(harness_open(), _i, b, &source, expected);
    setenv("DRUA_CHAINS", "compile", 1);
    compare_mean(harness_open(), _i, b, &source, expected);
    reference_free(&source);
    free(expected);
}
END_TEST

/* ---- 32-bit integers, which exceed float32's precision */

typedef struct move {
    const char *operation;
    int images;
    double numbers[6];
    int count;
} move;

static const move moves[] = {
    {"copy", 1, {0}, 0},
    {"crop", 1, {1, 1, 0, 3, 2, 2}, 6},
    {"crop_border", 1, {1}, 1},
    {"paste", 1, {1, 0, 1}, 3},
    {"flip", 1, {1, 0, 1}, 3},
    {"transpose_xy", 1, {0}, 0},
    {"transpose_xz", 1, {0}, 0},
    {"transpose_yz", 1, {0}, 0},
    {"reslice_top", 1, {0}, 0},
    {"reslice_left", 1, {0}, 0},
    {"circular_shift", 1, {1, 1, 0}, 3},
    {"combine_horizontally", 2, {0}, 0},
    {"copy_slice", 1, {1}, 1},
    {"sub_stack", 1, {0, 1}, 2},
    {"reduce_stack", 1, {2, 0}, 2},
    {"stack_to_tiles", 1, {3, 1}, 2},
    {"translate", 1, {1, 0, -1}, 3},
    {"resample", 1, {2, 2, 1, 0}, 4},
    {"downsample", 1, {0.5, 0.5, 1}, 3},
    {"median_box", 1, {1, 1, 1}, 3},
    {"median_sphere", 1, {2, 2, 0}, 3},
    {"median_z_projection", 1, {0}, 0},
    {"bin_mode", 1, {2, 2, 1}, 3},
};

/* The operations that docs/differences.md lists, on a CPU and as on a GPU. */
START_TEST(moved_pixels_keep_their_bits)
{
    const drua_shape shape = {5, 4, 3, 3};
    reference_image source = reference_make(_i % 2 ? DRUA_INT32 : DRUA_UINT32, shape);
    int number = 0;
    REFERENCE_EACH_PIXEL(shape, x, y, z)
    reference_put(&source, x, y, z, 0x1p30 + 2 * (7 * number++ % 60) + 1);
    if (_i >= 2)
        harness_as_gpu();
    drua_context *context = harness_open();
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        drua_argument arguments[9] = {IMAGE(harness_push(context, &source)), IMAGE(harness_push(context, &source))};
        const size_t result = (size_t)moves[i].images;
        size_t count = result;
        arguments[count++] = NEW;
        for (int k = 0; k < moves[i].count; k++)
            arguments[count++] = NUMBER(moves[i].numbers[k]);
        REQUIRE(drua_invoke(context, moves[i].operation, arguments, count, NULL));
        reference_image got = harness_pull(context, arguments[result].image);
        for (size_t k = 0; k < reference_count(&got); k++)
            ck_assert_msg(got.pixels[k] == 0 || fmod(got.pixels[k], 2) == 1, "%s makes %.0f", moves[i].operation,
                          got.pixels[k]);
        reference_free(&got);
    }
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
    harness_add(tests, means_are_exact, (int)(sizeof boxes / sizeof *boxes));
    harness_add(tests, moved_pixels_keep_their_bits, 4);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
