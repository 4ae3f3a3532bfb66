/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares every automatic threshold method with the reference on histograms of many shapes. */
#include "harness.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"Default",    "Huang",        "Intermodes", "IsoData",  "IJ_IsoData", "Li",
                                      "MaxEntropy", "Mean",         "MinError",   "Minimum",  "Moments",    "Otsu",
                                      "Percentile", "RenyiEntropy", "Shanbhag",   "Triangle", "Yen"};
enum { METHODS = sizeof methods / sizeof *methods, IMAGES = 60, WIDTH = 211, HEIGHT = 97 };

typedef enum form { ONE_PEAK, TWO_PEAKS, THREE_PEAKS, DECAY, GAPS, SATURATED, LONELY_BIN, NARROW, FORMS } form;

/* A nearly normal random number with mean 0 and deviation 1. */
static double normal(harness_random *chance)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += harness_below(chance, 1 << 20) / (double)(1 << 20);
    return sum - 6;
}

static double draw_pixel(harness_random *chance, form f, const int *numbers)
{
    const double near = numbers[0] + 5 + (30 + numbers[2]) / 8.0 * normal(chance),
                 far = 130 + numbers[1] + (30 + numbers[3]) / 8.0 * normal(chance);
    const int choice = harness_below(chance, 100);
    switch (f) {
    case ONE_PEAK: return near;
    case TWO_PEAKS: return choice < 10 + numbers[4] ? far : near;
    case THREE_PEAKS: return choice < 20 ? far : choice < 50 ? 100 + 8 * normal(chance) : near;
    case DECAY: return -(10 + numbers[0] / 4.0) * log((harness_below(chance, 1 << 20) + 1) / (double)(1 << 20));
    case GAPS: return choice < 30 ? far - fmod(far, 16) : near - fmod(near, 7);
    case SATURATED:
        if (choice < 20)
            return choice < 10 ? 255 : 0;
        return choice < 40 ? far : near;
    case LONELY_BIN: return choice < 60 ? numbers[0] : choice < 75 ? far : near;
    default: return 100 + fmod(fabs(near), 6);
    }
}

static reference_image draw_image(harness_random *chance, form f, drua_type type)
{
    reference_image image = reference_make(type, (drua_shape){WIDTH, HEIGHT, 1, 2});
    int numbers[5];
    for (int i = 0; i < 5; i++)
        numbers[i] = harness_below(chance, 80);
    REFERENCE_EACH_PIXEL(image.shape, x, y, z) {
        const double value = fmin(fmax(draw_pixel(chance, f, numbers), 0), 255);
        reference_put(&image, x, y, z,
                      type == DRUA_FLOAT32  ? value / 16
                      : type == DRUA_UINT16 ? 100 + 7 * floor(value)
                                            : floor(value));
    }
    return image;
}

/*
 * Whether rounding cannot decide the threshold. Empty bins between others have equal scores, and rarely two bins are
 * equally far from a triangle's line. With the fixed seed no triangle has two such bins.
 */
static bool is_decided(form f, const char *method, bool seed_is_new)
{
    static const char *const by_rounding[] = {"MaxEntropy", "RenyiEntropy", "Shanbhag", "Triangle", "Yen"};
    for (size_t i = 0; i < sizeof by_rounding / sizeof *by_rounding; i++)
        if ((f == GAPS || f == NARROW) && !strcmp(method, by_rounding[i]))
            return false;
    return !seed_is_new || strcmp(method, "Triangle");
}

static void compare_seed(uint64_t seed, bool seed_is_new)
{
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    drua_context *context = harness_open();
    harness_random chance = {seed};
    for (int i = 0; i < IMAGES; i++) {
        reference_image image = draw_image(&chance, (form)(i % FORMS), types[i % 3]);
        const drua_image pushed = harness_push(context, &image);
        for (int m = 0; m < METHODS; m++) {
            if (!is_decided((form)(i % FORMS), methods[m], seed_is_new))
                continue;
            drua_argument arguments[] = {IMAGE(pushed), NAME(methods[m]), NEW};
            REQUIRE(drua_invoke(context, "get_automatic_threshold", arguments, 3, NULL));
            const double expected = reference_threshold_value(&image, methods[m]);
            ck_assert_msg(arguments[2].number == expected, "%s of image %d, form %d: %.9g, not %.9g", methods[m], i,
                          i % FORMS, arguments[2].number, expected);
        }
        REQUIRE(drua_release(context, pushed));
        reference_free(&image);
    }
    drua_close(context);
}

START_TEST(fixed_seed)
{
    compare_seed(1, false);
}
END_TEST

START_TEST(new_seed)
{
    compare_seed(harness_new_seed("thresholds"), true);
}
END_TEST

static void require_zeros(drua_context *context, drua_image image, const char *what, double value)
{
    reference_image pixels = harness_pull(context, image);
    for (size_t i = 0; i < reference_count(&pixels); i++)
        if (pixels.pixels[i] != 0)
            ck_abort_msg("%s of %g everywhere: pixel %d is %g", what, value, (int)i, pixels.pixels[i]);
    reference_free(&pixels);
    REQUIRE(drua_release(context, image));
}

/* An image of one grey value has no foreground, for every method, type and value. */
START_TEST(nothing_in_one_grey_value)
{
    static const double values[] = {0, 1, 7, 255, 65535, 3e9, -3, 1e-30, 1e30};
    drua_context *context = harness_open();
    for (int t = 0; harness_types[t] != DRUA_NO_TYPE; t++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            reference_image image = reference_make(harness_types[t], (drua_shape){9, 7, 1, 2});
            REFERENCE_EACH_PIXEL(image.shape, x, y, z)
                reference_put(&image, x, y, z, values[v]);
            for (int m = 0; m < METHODS; m++) {
                drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NAME(methods[m])};
                REQUIRE(drua_invoke(context, "automatic_threshold", arguments, 3, NULL));
                require_zeros(context, arguments[1].image, methods[m], image.pixels[0]);
            }
            if (v < 3) {
                drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NUMBER(1), NUMBER(1)};
                REQUIRE(drua_invoke(context, "voronoi_otsu_labeling", arguments, 4, NULL));
                require_zeros(context, arguments[1].image, "voronoi_otsu_labeling", values[v]);
            }
            reference_free(&image);
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thresholds");
    TCase *tests = tcase_create("thresholds");
    tcase_add_test(tests, fixed_seed);
    tcase_add_test(tests, new_seed);
    tcase_add_test(tests, nothing_in_one_grey_value);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
