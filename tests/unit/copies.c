/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that copies equal the source to the last bit, and that neighbouring pixels stay unchanged. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

static drua_image push_counted(drua_type type, drua_shape shape, double first)
{
    reference_image pixels = reference_make(type, shape);
    for (size_t i = 0; i < reference_count(&pixels); i++)
        pixels.pixels[i] = first + (double)i;
    const drua_image image = harness_push(context, &pixels);
    reference_free(&pixels);
    return image;
}

/* Copies planes whose size is not a multiple of a vector to the start of a stack. */
START_TEST(neighbours_stay)
{
    enum { WIDTH = 5, HEIGHT = 3, DEPTH = 2 };
    const struct {
        const char *operation;
        drua_shape plane;
        int pixels;
    } copies[] = {{"copy_slice", {WIDTH, HEIGHT, 1, 2}, WIDTH * HEIGHT},
                  {"copy_horizontal_slice", {WIDTH, 1, 1, 2}, WIDTH}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        const drua_shape shape = {WIDTH, HEIGHT, i ? 1 : DEPTH, 3};
        const drua_image stack = push_counted(DRUA_UINT8, shape, 1);
        REQUIRE(INVOKE(context, copies[i].operation, IMAGE(push_counted(DRUA_UINT8, copies[i].plane, 200)),
                       IMAGE(stack), NUMBER(0)));
        reference_image got = harness_pull(context, stack);
        for (int k = 0; k < (int)reference_count(&got); k++)
            ck_assert_msg(got.pixels[k] == k + (k < copies[i].pixels ? 200 : 1), "%s: pixel %d is %g",
                          copies[i].operation, k, got.pixels[k]);
        reference_free(&got);
    }
}
END_TEST

/* ---- integers that float32 cannot represent */

static const drua_type wide[] = {DRUA_UINT32, DRUA_INT32};

static double first_of(drua_type type)
{
    return type == DRUA_UINT32 ? 4294967295.0 - 200 : -16777217.0 - 200;
}

/* Compares the image with that of `push_counted`, whose borders are repeated outside. */
static void expect_counted(drua_image image, drua_shape source, double first)
{
    reference_image got = harness_pull(context, image);
    int64_t i = 0;
    REFERENCE_EACH_PIXEL(got.shape, x, y, z)
    {
        const int64_t a = x < source.width ? x : source.width - 1, b = y < source.height ? y : source.height - 1;
        const double expected = first + (double)(b * source.width + a);
        ck_assert_msg(got.pixels[i] == expected, "%lld, %lld, %lld: %.0f, not %.0f", (long long)x, (long long)y,
                      (long long)z, got.pixels[i], expected);
        i++;
    }
    reference_free(&got);
}

START_TEST(integers_keep_their_bits)
{
    const drua_shape source = {14, 10, 1, 2}, others[] = {{14, 10, 1, 2}, {17, 10, 1, 2}, {14, 13, 2, 3}, {9, 4, 1, 2}};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            const double first = first_of(wide[t]);
            const drua_image image = push_counted(wide[t], source, first);
            drua_image to;
            REQUIRE(drua_create(context, others[i], wide[t], &to));
            REQUIRE(INVOKE(context, "copy", IMAGE(image), IMAGE(to)));
            expect_counted(to, source, first);
        }
}
END_TEST

/* A call's result goes into an image of another size through a copy. */
START_TEST(returned_integers_keep_their_bits)
{
    const drua_shape shape = {6, 5, 1, 2}, larger = {9, 7, 1, 2};
    for (int t = 0; t < 2; t++) {
        const double first = first_of(wide[t]);
        drua_image to;
        REQUIRE(drua_create(context, larger, wide[t], &to));
        REQUIRE(INVOKE(context, "crop_border", IMAGE(push_counted(wide[t], shape, first)), IMAGE(to), NUMBER(0)));
        expect_counted(to, shape, first);
    }
}
END_TEST

/* The copy is called before the filter has run. */
START_TEST(filtered_integers_keep_their_bits)
{
    close_context();
    harness_as_gpu();
    setenv("DRUA_CHAINS", "compile", 1);
    open_context();
    for (int t = 0; t < 2; t++) {
        drua_argument filter[] = {IMAGE(push_counted(wide[t], (drua_shape){64, 1, 1, 2}, first_of(wide[t]))), NEW,
                                  NUMBER(1), NUMBER(0), NUMBER(0)};
        REQUIRE(drua_invoke(context, "median_box", filter, 5, NULL));
        drua_argument copy[] = {filter[1], NEW};
        REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
        reference_image got = harness_pull(context, copy[1].image), expected = harness_pull(context, filter[1].image);
        char message[256];
        ck_assert_msg(reference_agrees(&expected, &got, 0, false, message, sizeof message), "%s", message);
        reference_free(&got);
        reference_free(&expected);
    }
}
END_TEST

/* Images that do not fit are copied in parts. */
START_TEST(parts_keep_their_bits)
{
    const drua_shape shape = {700, 600, 1, 2}, larger = {710, 607, 1, 2};
    drua_statistics statistics;
    drua_image to;
    REQUIRE(drua_set_memory(context, "1MB"));
    const drua_image image = push_counted(DRUA_INT32, shape, 1 << 24);
    REQUIRE(drua_create(context, larger, DRUA_INT32, &to));
    REQUIRE(INVOKE(context, "copy", IMAGE(image), IMAGE(to)));
    expect_counted(to, shape, 1 << 24);
    drua_get_statistics(context, &statistics);
    ck_assert_uint_gt(statistics.tiles, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("copies");
    TCase *copies = tcase_create("copies");
    tcase_add_checked_fixture(copies, open_context, close_context);
    tcase_add_test(copies, neighbours_stay);
    tcase_add_test(copies, integers_keep_their_bits);
    tcase_add_test(copies, returned_integers_keep_their_bits);
    tcase_add_test(copies, filtered_integers_keep_their_bits);
    tcase_add_test(copies, parts_keep_their_bits);
    suite_add_tcase(suite, copies);
    return harness_run(suite);
}
