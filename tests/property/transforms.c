/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that the vector kernels of GPUs, which move images by fractions of pixels, give results bit-identical to those
 * of kernels that compute pixel by pixel. Also tests that `scale` refuses a size of 0.
 */
#include "harness.h"

#include <stdlib.h>

static const drua_shape shapes[] = {{37, 21, 7, 3}, {40, 50, 3, 3}, {70, 19, 1, 2}, {12, 5, 6, 3}};
static const drua_type types[] = {DRUA_FLOAT32, DRUA_UINT8, DRUA_INT16, DRUA_UINT32};
static const double shifts[][3] = {{1.5, 2.25, 0.3}, {-0.7, -3.4, -1.6}, {0, 0, 0.5},      {2, -0.9, 0},
                                   {3.1, 4, 2},      {-30.6, 0.2, 0},    {41.2, 1.5, 0.1}, {0.4, -22.5, 5.5}};

static reference_image move_image(drua_context *context, const reference_image *image, const double shift[3])
{
    drua_argument arguments[] = {IMAGE(harness_push(context, image)), NEW, NUMBER(shift[0]), NUMBER(shift[1]),
                                 NUMBER(shift[2])};
    REQUIRE(drua_invoke(context, "translate", arguments, sizeof arguments / sizeof *arguments, NULL));
    return harness_pull(context, arguments[1].image);
}

START_TEST(moved_alike)
{
    const drua_type type = types[_i];
    harness_random chance = {(uint64_t)_i + 1};
    unsetenv("DRUA_AS_GPU");
    unsetenv("DRUA_ROWS");
    drua_context *by_pixels = harness_open();
    harness_as_gpu();
    setenv("DRUA_ROWS", "9", 1);
    drua_context *by_vectors = harness_open();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t m = 0; m < sizeof shifts / sizeof *shifts; m++) {
            reference_image image = harness_image(&chance, type, shapes[s], HARNESS_GREY);
            reference_image expected = move_image(by_pixels, &image, shifts[m]),
                            got = move_image(by_vectors, &image, shifts[m]);
            bool any = false;
            for (size_t i = 0; i < reference_count(&expected); i++) {
                any |= got.pixels[i] != 0;
                ck_assert_msg(got.pixels[i] == expected.pixels[i],
                              "shape %d, shift %d: pixel %d is %.9g by vectors, %.9g by pixels", (int)s, (int)m, (int)i,
                              got.pixels[i], expected.pixels[i]);
            }
            ck_assert(any || m >= 5); /* the last three shifts may move everything out of the image */
            reference_free(&image);
            reference_free(&expected);
            reference_free(&got);
        }
    drua_close(by_pixels);
    drua_close(by_vectors);
}
END_TEST

START_TEST(without_a_size)
{
    drua_context *context = harness_open();
    const drua_image line = harness_line(context, (float[]){1, 2, 3}, 3);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "scale", IMAGE(line), NEW, NUMBER(0), NUMBER(1), NUMBER(1)),
            "no finite size");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "scale", IMAGE(line), NEW, NUMBER(1), NUMBER(0), NUMBER(1)),
            "no finite size");
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transforms");
    TCase *tests = tcase_create("transforms");
    tcase_add_loop_test(tests, moved_alike, 0, (int)(sizeof types / sizeof *types));
    tcase_add_test(tests, without_a_size);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
