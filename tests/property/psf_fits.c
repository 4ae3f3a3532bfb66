/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the warnings about point spread functions that do not fit an image, and resampling to the image's voxels. */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *check_psf(drua_image image, drua_image psf, double image_pixel, double psf_pixel, double aperture)
{
    static char kept[4096];
    drua_argument arguments[] = {IMAGE(image), IMAGE(psf),  NUMBER(image_pixel), NUMBER(0.3),  NUMBER(psf_pixel),
                                 NUMBER(0.3),  NUMBER(520), NUMBER(aperture),    NUMBER(1.33), NEW};
    REQUIRE(drua_invoke(context, "check_psf", arguments, 10, NULL));
    snprintf(kept, sizeof kept, "%s", arguments[9].text);
    return kept;
}

#define ADVISES(text, ...)                                                                                             \
    ck_assert_msg(strstr(check_psf(__VA_ARGS__), text), "'%s' lacks '%s'", check_psf(__VA_ARGS__), text)

START_TEST(doubts)
{
    drua_image image = phantom("beads", 32, 32, 8), plane = phantom("beads", 32, 32, 1),
               psf = gaussian(17, 17, 1.6, 2.5), narrow = gaussian(9, 9, 0.5, 1.6);
    ck_assert_str_eq(check_psf(image, psf, 0.1, 0.1, 1.1), "");
    ADVISES("resample_psf", image, psf, 0.1, 0.08, 1.1);
    ADVISES("should be 0.118 um or less", image, psf, 0.2, 0.2, 1.1);
    ADVISES("gains little", image, narrow, 0.1, 0.1, 1.1);
    ADVISES("one slice", plane, psf, 0.1, 0.1, 1.1);
    drua_image beside = RESULT(1, "translate", IMAGE(psf), NEW, NUMBER(-2), NUMBER(0), NUMBER(0)),
               flat = RESULT(1, "minimum_image_and_scalar", IMAGE(psf), NEW, NUMBER(0.001));
    ADVISES("10.0, 8.0, 8.0 and not at 8, 8, 8", image, beside, 0.1, 0.1, 1.1);
    ADVISES("saturated", image, flat, 0.1, 0.1, 1.1);
    drua_image light = RESULT(1, "add_image_and_scalar", IMAGE(psf), NEW, NUMBER(0.001));
    ADVISES("background", image, light, 0.1, 0.1, 1.1);
}
END_TEST

/*
 * Tests both sides of each limit for a warning, with a bright spot of radius ten pixels and some pixels set
 * individually.
 */
enum { SPOT = 21 };

static drua_image spot(double beside, double rim, int equal)
{
    static float v[SPOT * SPOT];
    drua_image image;
    for (int i = 0; i < SPOT * SPOT; i++) {
        const double x = i % SPOT - SPOT / 2 - beside, y = i / SPOT - SPOT / 2;
        v[i] = (float)(exp(-(x * x + y * y) / 8) * 0.9);
    }
    for (int n = 0; n < equal; n++)
        v[(SPOT / 2 + n / 2) * SPOT + SPOT / 2 + n % 2] = 1;
    v[SPOT / 2] = (float)(rim * (equal ? 1 : 0.9));
    REQUIRE(drua_push(context, (drua_shape){SPOT, SPOT, 1, 3}, DRUA_FLOAT32, v, &image));
    return image;
}

/* The spot with one bright pixel added. */
static drua_image spot_bright_at(int x, int y)
{
    drua_shape s;
    drua_image image;
    float *v = pull(spot(0, 0, 0), &s);
    v[y * SPOT + x] = 0.021f * 0.9f;
    REQUIRE(drua_push(context, s, DRUA_FLOAT32, v, &image));
    free(v);
    return image;
}

/* A small Gaussian whose centre is `beside` pixels away from the middle along an axis. */
static drua_image small_beside(int axis, double beside)
{
    enum { W = 11 };
    float v[W * W * W];
    drua_image image;
    for (int i = 0; i < W * W * W; i++) {
        double at[] = {i % W - W / 2, i / W % W - W / 2, i / W / W - W / 2};
        at[axis] -= beside;
        v[i] = (float)exp(-(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) / (2 * 0.8 * 0.8));
    }
    REQUIRE(drua_push(context, (drua_shape){W, W, W, 3}, DRUA_FLOAT32, v, &image));
    return image;
}

static bool doubts_that(const char *text, double pixel, double slice, double psf_pixel, double psf_slice,
                        drua_image psf)
{
    drua_image image = phantom("beads", 32, 32, 8);
    drua_argument arguments[] = {IMAGE(image),      IMAGE(psf),  NUMBER(pixel), NUMBER(slice), NUMBER(psf_pixel),
                                 NUMBER(psf_slice), NUMBER(520), NUMBER(1.1),   NUMBER(1.33),  NEW};
    REQUIRE(drua_invoke(context, "check_psf", arguments, 10, NULL));
    return strstr(arguments[9].text, text);
}

START_TEST(limits_of_doubts)
{
    const drua_image good = spot(0, 0, 0);
    ck_assert(!doubts_that("resample_psf", 0.1, 0.3, 0.1009, 0.3, good) &&
              doubts_that("resample_psf", 0.1, 0.3, 0.1011, 0.3, good));
    ck_assert(!doubts_that("slice distance", 0.1, 0.3, 0.1, 0.3027, good) &&
              doubts_that("a slice distance of 0.3033 um and the image has 0.3 um", 0.1, 0.3, 0.1, 0.3033, good));
    const double finest = 0.52 / 4 / 1.1, deepest = 0.52 / 2 / (1.33 - sqrt(1.33 * 1.33 - 1.1 * 1.1));
    ck_assert(!doubts_that("lose detail", 0.999 * finest, 0.999 * deepest, 0, 0, good));
    ck_assert(doubts_that("should be 0.118 um or less", 1.001 * finest, 0.3, 0, 0, good) &&
              doubts_that("should be 0.446 um apart", 0.1, 1.001 * deepest, 0, 0, good));
    ck_assert(!doubts_that("saturated", 0, 0, 0, 0, spot(0, 0, 3)) &&
              doubts_that("4 pixels of the psf have its largest value, 1", 0, 0, 0, 0, spot(0, 0, 4)));
    ck_assert(!doubts_that("At its sides", 0, 0, 0, 0, spot(0, 0.019, 0)) &&
              doubts_that("still has 2 % of its peak", 0, 0, 0, 0, spot(0, 0.021, 0)));
    static const int sides[][2] = {{SPOT / 2, 0}, {SPOT / 2, SPOT - 1}, {0, SPOT / 2}, {SPOT - 1, SPOT / 2}};
    for (int n = 0; n < 4; n++)
        ck_assert_msg(doubts_that("still has 2 % of its peak", 0, 0, 0, 0, spot_bright_at(sides[n][0], sides[n][1])),
                      "side %d", n);
    for (int axis = 0; axis < 3; axis++) {
        ck_assert_msg(!doubts_that("and not at", 0, 0, 0, 0, small_beside(axis, 0.45)) &&
                          !doubts_that("and not at", 0, 0, 0, 0, small_beside(axis, -0.45)),
                      "axis %d", axis);
        ck_assert_msg(doubts_that("and not at 5, 5, 5", 0, 0, 0, 0, small_beside(axis, 0.55)) &&
                          doubts_that("and not at 5, 5, 5", 0, 0, 0, 0, small_beside(axis, -0.55)),
                      "axis %d", axis);
    }
    ck_assert(!doubts_that("not at 10, 10, 0", 0, 0, 0, 0, spot(0.4, 0, 0)) &&
              doubts_that("centred at 11.0, 10.0, 0.0 and not at 10, 10, 0", 0, 0, 0, 0, spot(1, 0, 0)));
    const drua_image fine = gaussian(9, 9, 2.1 / 2.3548, 2.1 / 2.3548),
                     coarse = gaussian(9, 9, 1.9 / 2.3548, 1.9 / 2.3548);
    ck_assert(!doubts_that("gains little", 0, 0, 0, 0, fine) &&
              doubts_that("1.9 pixels wide along z", 0, 0, 0, 0, coarse));
}
END_TEST

START_TEST(resampling)
{
    drua_image fine = gaussian(33, 33, 4, 4), coarse = gaussian(17, 17, 2, 2);
    drua_image same =
        RESULT(1, "resample_psf", IMAGE(fine), NEW, NUMBER(0.1), NUMBER(0.1), NUMBER(0.1), NUMBER(0.1), NUMBER(1));
    ck_assert_double_eq(difference(same, fine), 0);
    drua_image half =
        RESULT(1, "resample_psf", IMAGE(fine), NEW, NUMBER(0.1), NUMBER(0.1), NUMBER(0.2), NUMBER(0.2), NUMBER(1));
    drua_image twice =
        RESULT(1, "resample_psf", IMAGE(coarse), NEW, NUMBER(0.2), NUMBER(0.2), NUMBER(0.1), NUMBER(0.1), NUMBER(1));
    drua_shape s;
    float *expected = pull(coarse, &s), *got = pull(half, &s), *wide = pull(twice, &s);
    const float *narrow = expected;
    ck_assert_int_eq(s.width, 33);
    for (int i = 0; i < 17 * 17 * 17; i++)
        ck_assert_msg(fabs(got[i] - narrow[i]) < 0.01 * narrow[17 * 17 * 8 + 17 * 8 + 8], "pixel %d: %g instead of %g",
                      i, got[i], narrow[i]);
    ck_assert_double_lt(fabs(8 * wide[33 * 33 * 16 + 33 * 16 + 18] / narrow[17 * 17 * 8 + 17 * 8 + 9] - 1), 0.01);
    free(expected), free(got), free(wide);
    drua_image beside = RESULT(1, "translate", IMAGE(fine), NEW, NUMBER(3), NUMBER(-2), NUMBER(1));
    drua_image back =
        RESULT(1, "resample_psf", IMAGE(beside), NEW, NUMBER(0.1), NUMBER(0.1), NUMBER(0.1), NUMBER(0.1), NUMBER(1));
    ck_assert_double_lt(difference(back, fine), 1e-5);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "resample_psf", IMAGE(fine), NEW, NUMBER(100), NUMBER(100), NUMBER(0.1), NUMBER(0.1),
                   NUMBER(1)),
            "same unit");
}
END_TEST

/*
 * The voxel size that an image states. All entry points share one implementation: they accept sizes in any unit of
 * length, resample where sizes differ, and warn about the result.
 */
typedef struct told {
    double pixel, slice;
    const char *unit;
} told;

static const char *fit_psf(drua_image image, drua_image psf, told of_image, told of_psf, drua_image *out)
{
    static char kept[4096];
    drua_argument arguments[] = {IMAGE(image),
                                 IMAGE(psf),
                                 NEW,
                                 NUMBER(of_image.pixel),
                                 NUMBER(of_image.slice),
                                 NAME(of_image.unit),
                                 NUMBER(of_psf.pixel),
                                 NUMBER(of_psf.slice),
                                 NAME(of_psf.unit),
                                 NUMBER(520),
                                 NUMBER(1.1),
                                 NUMBER(1.33),
                                 NEW};
    REQUIRE(drua_invoke(context, "fit_psf", arguments, 13, NULL));
    snprintf(kept, sizeof kept, "%s", arguments[12].text);
    *out = arguments[2].image;
    return kept;
}

static void check_fit(drua_image image, drua_image psf, told of_image, told of_psf, drua_image expected,
                      const char *const *sentences)
{
    drua_image out;
    const char *said = fit_psf(image, psf, of_image, of_psf, &out);
    size_t lines = 0, wanted = 0;
    for (const char *c = said; *c; c++)
        lines += *c == '\n';
    for (; sentences[wanted]; wanted++)
        ck_assert_msg(strstr(said, sentences[wanted]), "'%s' lacks '%s'", said, sentences[wanted]);
    ck_assert_msg(lines == wanted, "'%s' are %zu sentences instead of %zu", said, lines, wanted);
    ck_assert_double_eq(difference(out, expected), 0);
}

#define FITS(image, psf, of_image, of_psf, expected, ...)                                                              \
    check_fit(image, psf, of_image, of_psf, expected, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(fitting)
{
    drua_image image = phantom("beads", 32, 32, 8), plane = phantom("beads", 32, 32, 1), psf = gaussian(33, 33, 3.6, 5),
               narrow = gaussian(9, 9, 0.5, 1.6);
    drua_image half =
        RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(0.05), NUMBER(0.15), NUMBER(0.1), NUMBER(0.3), NUMBER(1));
    drua_image wider =
        RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(0.05), NUMBER(0.3), NUMBER(0.1), NUMBER(0.3), NUMBER(1));
    const told um = {0.1, 0.3, "um"}, nm = {100, 300, "nm"}, micron = {0.1005, 0.301, "micron"},
               mu = {0.1, 0.3, "\xc2\xb5m"}, finer = {50, 150, "nm"}, none = {1, 1, "pixel"};
    const told beside = {0.1, 0.3, "parsec"}, flat = {0.05, 0.3, "um"}, far = {0.05, 99, "um"};
    FITS(image, psf, um, nm, psf, NULL);
    FITS(image, psf, um, micron, psf, NULL);
    FITS(image, psf, mu, um, psf, NULL);
    FITS(image, psf, beside, beside, psf, NULL);
    FITS(image, psf, um, finer, half, "The psf is resampled from voxels of 50 x 150 nm to the image's 0.1 x 0.3.");
    static const struct {
        const char *unit;
        double um;
    } units[] = {{"um", 1},
                 {"\xc2\xb5m", 1},
                 {"\xce\xbcm", 1},
                 {"micron", 1},
                 {"microns", 1},
                 {"micrometer", 1},
                 {"micrometre", 1},
                 {"micrometers", 1},
                 {"nm", 1000},
                 {"nanometer", 1000},
                 {"nanometre", 1000},
                 {"mm", 0.001},
                 {"millimeter", 0.001},
                 {"cm", 0.0001},
                 {"m", 1e-6},
                 {"inch", 1 / 25400.0}};
    for (size_t n = 0; n < sizeof units / sizeof *units; n++) {
        const told other = {0.05 * units[n].um, 0.15 * units[n].um, units[n].unit};
        FITS(image, psf, um, other, half, "to the image's 0.1 x 0.3.");
    }
    FITS(image, psf, um, flat, wider, "is resampled");
    FITS(plane, psf, um, far, wider, "is resampled", "The image has one slice and the psf has 33");
    FITS(image, psf, none, none, psf, "Neither the image nor the psf has a known voxel size");
    FITS(image, psf, um, none, psf, "The image has a known voxel size and the psf does not");
    FITS(image, psf, none, um, psf, "The psf has a known voxel size and the image does not");
    FITS(image, psf, beside, um, psf, "is in parsec and that of the psf in um");
    FITS(image, narrow, um, um, narrow, "wide along x at half", "wide along y at half");
    drua_image aside = RESULT(1, "translate", IMAGE(psf), NEW, NUMBER(-2), NUMBER(0), NUMBER(0)),
               cut = RESULT(1, "minimum_image_and_scalar", IMAGE(psf), NEW, NUMBER(0.0001));
    FITS(image, aside, um, um, aside, "The psf's light is centred at 18.0, 16.0, 16.0 and not at 16, 16, 16");
    FITS(image, cut, um, um, cut, "so it is saturated");
    drua_image cut_half =
        RESULT(1, "resample_psf", IMAGE(cut), NEW, NUMBER(0.05), NUMBER(0.15), NUMBER(0.1), NUMBER(0.3), NUMBER(1));
    FITS(image, cut, um, finer, cut_half, "is resampled", "so it is saturated");
    const told coarse = {0.2, 0.9, "um"};
    FITS(image, psf, coarse, coarse, psf, "should be 0.118 um or less", "um apart or less");
    const drua_image flat_psf = gaussian(33, 1, 3.6, 0);
    FITS(image, flat_psf, um, um, flat_psf, "The psf has one slice and the image has 8");
    drua_image empty;
    REQUIRE(drua_create(context, (drua_shape){5, 5, 5, 3}, DRUA_FLOAT32, &empty));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "fit_psf", IMAGE(image), IMAGE(empty), NEW), "fit_psf", "psf is empty");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(0.1), NUMBER(0.1), NAME("um"), NUMBER(99),
                   NUMBER(99), NAME("um")),
            "same unit");
    ck_assert_str_eq(check_psf(image, empty, 0.1, 0.1, 1.1),
                     "The psf has no pixel above 0: use an image of the microscope's point spread function.\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("psf_fits");
    TCase *tests = tcase_create("psf_fits");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, doubts);
    tcase_add_test(tests, limits_of_doubts);
    tcase_add_test(tests, resampling);
    tcase_add_test(tests, fitting);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
