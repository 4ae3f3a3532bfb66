/* SPDX-License-Identifier: BSD-3-Clause */
/* General properties of point spread functions: warnings, other voxel sizes, and samples with matching index. */
#include "pictures.h"

#include "width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- check_psf on light around the peak, and with missing arguments */

static const char *check_psf(drua_image image, drua_image psf, double pixel, double slice, double wavelength,
                             double aperture, double index)
{
    static char kept[4096];
    drua_argument arguments[] = {IMAGE(image),  IMAGE(psf),         NUMBER(pixel),    NUMBER(slice), NUMBER(pixel),
                                 NUMBER(slice), NUMBER(wavelength), NUMBER(aperture), NUMBER(index), NEW};
    REQUIRE(drua_invoke(context, "check_psf", arguments, 10, NULL));
    snprintf(kept, sizeof kept, "%s", arguments[9].text);
    return kept;
}

/* A spot with light added or removed a few columns from its middle. */
static drua_image spot_with(double square, int away, double light)
{
    enum { W = 21 };
    float v[W * W];
    drua_image image;
    for (int i = 0; i < W * W; i++) {
        const double x = i % W - W / 2, y = i / W - W / 2;
        v[i] = (float)exp(-(x * x + y * y) / square);
    }
    v[W / 2 * W + W / 2 + away] += (float)light;
    REQUIRE(drua_push(context, (drua_shape){W, W, 1, 3}, DRUA_FLOAT32, v, &image));
    return image;
}

/*
 * The spot has 2.2 of light. Adding 0.9 two columns aside moves its centre by 0.58; three columns aside is too far to
 * count, and negative light is ignored.
 */
START_TEST(light_around_the_peak)
{
    const drua_image plane = phantom("beads", 32, 32, 1);
    ck_assert_str_eq(check_psf(plane, spot_with(3, 0, 0), 0.1, 0.3, 0, 0, 0), "");
    for (int side = -1; side <= 1; side += 2) {
        ck_assert_ptr_nonnull(
            strstr(check_psf(plane, spot_with(0.7, 2 * side, 0.9), 0.1, 0.3, 0, 0, 0), "is centred at"));
        ck_assert_ptr_null(strstr(check_psf(plane, spot_with(0.7, 3 * side, 0.9), 0.1, 0.3, 0, 0, 0), "is centred at"));
        ck_assert_ptr_null(
            strstr(check_psf(plane, spot_with(0.7, 2 * side, -1.5), 0.1, 0.3, 0, 0, 0), "is centred at"));
    }
}
END_TEST

/* Incomplete data about an objective causes no warning. Without the refractive index, no warning mentions slices. */
START_TEST(unknown_objective)
{
    const drua_image image = phantom("beads", 32, 32, 8), psf = gaussian(17, 17, 1.6, 2.5);
    ck_assert_str_eq(check_psf(image, psf, 5, 9, 0, 0, 0), "");
    ck_assert_str_eq(check_psf(image, psf, 5, 9, 520, 0, 1.33), "");
    ck_assert_str_eq(check_psf(image, psf, 5, 9, 0, 1.1, 1.33), "");
    ck_assert_str_eq(check_psf(image, psf, 5, 9, 520, 1.1, 0),
                     "Pixels of 5 um lose detail: with this objective they should be 0.118 um or less.\n");
    ck_assert_ptr_nonnull(strstr(check_psf(image, psf, 5, 9, 520, 1.1, 1.33), "Slices 9 um apart lose detail"));
    ck_assert_str_eq(check_psf(image, psf, 0, 0, 520, 1.1, 1.33), "");
}
END_TEST

/* ---- to other voxels */

/* The peak is searched on both sides of the middle, whatever its shape. */
START_TEST(width_of_a_peak_aside)
{
    enum { W = 31 };
    float line[W];
    double first = 0;
    for (int aside = -5; aside <= 5; aside++) {
        for (int i = 0; i < W; i++)
            line[i] = (float)(1 / (1 + pow(i - W / 2 - aside, 2) / 4));
        const double width = psf_width(line, (drua_shape){W, 1, 1, 3}, 0);
        first = aside == -5 ? width : first;
        ck_assert_msg(fabs(width / first - 1) < 1e-5 && fabs(width / 4 - 1) < 0.1,
                      "%d pixels aside: %g wide, elsewhere %g", aside, width, first);
    }
}
END_TEST

static drua_image fit_psf(drua_image image, drua_image psf, double psf_pixel, double psf_slice)
{
    return RESULT(2, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(0.1), NUMBER(0.3), NAME("um"), NUMBER(psf_pixel),
                  NUMBER(psf_slice), NAME("um"), NUMBER(0), NUMBER(0), NUMBER(0), NEW);
}

static drua_image resampled(drua_image psf, double pixel, double slice, double to_pixel, double to_slice)
{
    return RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(pixel), NUMBER(slice), NUMBER(to_pixel), NUMBER(to_slice),
                  NUMBER(1));
}

/* A difference of 0.5 % along one axis counts as equal. */
START_TEST(one_axis_differs)
{
    const drua_image image = phantom("beads", 32, 32, 8), psf = gaussian(33, 21, 3.6, 5);
    ck_assert_double_eq(difference(fit_psf(image, psf, 0.1005, 0.15), resampled(psf, 0.1, 0.15, 0.1, 0.3)), 0);
    ck_assert_double_eq(difference(fit_psf(image, psf, 0.05, 0.3015), resampled(psf, 0.05, 0.3, 0.1, 0.3)), 0);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(0.0139), NUMBER(1), NAME("inch"),
                   NUMBER(0.1), NUMBER(0.3), NAME("um")),
            "single pixel", "same unit");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(0.1), NUMBER(300), NAME("um"), NUMBER(0.1),
                   NUMBER(0.3), NAME("um")),
            "21 slices", "single slice", "same unit");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(1e-20), NUMBER(0.3), NAME("um"), NUMBER(1),
                   NUMBER(0.3), NAME("um")),
            "e+21 pixels long", "4096");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "fit_psf", IMAGE(image), IMAGE(psf), NEW, NUMBER(0.1), NUMBER(1e-300), NAME("um"),
                   NUMBER(0.1), NUMBER(1e12), NAME("um")),
            "inf pixels long");
}
END_TEST

/* A bright pixel resampled to finer pixels is a sinc whose negative parts are clipped; the limit is 4096 pixels. */
START_TEST(nowhere_below_zero)
{
    drua_shape s;
    drua_image point = RESULT(0, "gaussian_psf", NEW, NUMBER(9), NUMBER(9), NUMBER(9), NUMBER(0), NUMBER(0), NUMBER(0)),
               fine = resampled(point, 0.3, 0.3, 0.1, 0.1);
    float *v = pull(fine, &s);
    double sum = 0, min = 1;
    for (size_t i = 0; i < count_of(s); i++) {
        sum += v[i];
        min = fmin(min, v[i]);
    }
    ck_assert_msg(min == 0 && fabs(sum - 1) < 1e-6, "least %g, sum %g", min, sum);
    free(v);
    drua_image line = RESULT(0, "gaussian_psf", NEW, NUMBER(33), NUMBER(1), NUMBER(1), NUMBER(3), NUMBER(0), NUMBER(0));
    free(pull(resampled(line, 12.79, 0.1, 0.1, 0.1), &s));
    ck_assert(s.width == 4093 && s.height == 1 && s.depth == 1);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "resample_psf", IMAGE(line), NEW, NUMBER(12.8), NUMBER(0.1), NUMBER(0.1), NUMBER(0.1)),
            "4097 pixels", "4096");
}
END_TEST

/* ---- properties of the optics */

static drua_image microscope(const char *kind, const char *model, double aperture, double immersion, double sample,
                             double depth, double glass, double pinhole)
{
    return RESULT(0, "microscope_psf", NEW, NUMBER(24), NUMBER(19), NUMBER(8), NAME(kind), NAME(model), NUMBER(0.1),
                  NUMBER(0.3), NUMBER(520), NUMBER(aperture), NUMBER(immersion), NUMBER(sample), NUMBER(depth),
                  NUMBER(glass), NUMBER(488), NUMBER(pinhole), NUMBER(2));
}

static double difference_of_psfs(drua_image a, drua_image b)
{
    drua_shape s;
    float *v = pull(b, &s);
    double peak = 0;
    for (size_t i = 0; i < count_of(s); i++)
        peak = fmax(peak, v[i]);
    free(v);
    return difference(a, b) / peak;
}

/*
 * A sample with the refractive index of the immersion only moves the light by the depth and leaves the psf unchanged.
 * The cover glass for which the objective is designed leaves it unchanged too. The Born and Wolf model ignores the
 * sample.
 */
START_TEST(like_samples)
{
    static const char *const kinds[] = {"widefield", "confocal"};
    for (int k = 0; k < 2; k++) {
        const drua_image perfect = microscope(kinds[k], "born_wolf", 1.2, 1.33, 1.33, 0, 1.515, 1);
        ck_assert_double_lt(
            difference_of_psfs(microscope(kinds[k], "gibson_lanni", 1.2, 1.33, 1.33, 0, 1.515, 1), perfect), 1e-7);
        ck_assert_double_lt(
            difference_of_psfs(microscope(kinds[k], "gibson_lanni", 1.2, 1.33, 1.33, 7.3, 1.515, 1), perfect), 1e-6);
        ck_assert_double_eq(difference(microscope(kinds[k], "born_wolf", 1.2, 1.33, 1.4, 9, 1.6, 1), perfect), 0);
        ck_assert_double_gt(
            difference_of_psfs(microscope(kinds[k], "gibson_lanni", 1.2, 1.33, 1.4, 9, 1.515, 1), perfect), 1e-3);
        ck_assert_double_gt(
            difference_of_psfs(microscope(kinds[k], "gibson_lanni", 1.2, 1.33, 1.33, 0, 1.6, 1), perfect), 1e-3);
    }
}
END_TEST

/*
 * Compares the psf in focus, also far from its centre, with Airy's pattern: (2 J1(v) / v)^2 with v = 2 pi NA r /
 * wavelength.
 */
START_TEST(airy)
{
    enum { W = 1001 };
    drua_shape s;
    const double pixel = 0.2, aperture = 1.2, k = 2 * M_PI / 0.52;
    float *v = pull(RESULT(0, "microscope_psf", NEW, NUMBER(W), NUMBER(3), NUMBER(1), NAME("widefield"),
                           NAME("born_wolf"), NUMBER(pixel), NUMBER(1), NUMBER(520), NUMBER(aperture), NUMBER(1.33)),
                    &s);
    double worst = 0;
    for (int i = 0; i < 3 * W; i++) {
        const double at = k * aperture * pixel * hypot(i % W - W / 2, i / W - 1),
                     expected = at > 0 ? pow(2 * j1(at) / at, 2) : 1;
        worst = fmax(worst, fabs(v[i] / v[W + W / 2] - expected));
    }
    ck_assert_msg(worst < 1e-7, "off by %g of the peak", worst);
    free(v);
}
END_TEST

/*
 * Compares the psf along the axis with its closed form: the integral of c exp(i k z c) over c, the cosine times the
 * index.
 */
START_TEST(along_the_axis)
{
    static const int depths[] = {700, 2, 3};
    const double slice[] = {0.7, 100, 100}, aperture = 1.2, index = 1.33, k = 2 * M_PI / 0.52,
                 min = sqrt(index * index - aperture * aperture);
    for (int n = 0; n < 3; n++) {
        const int d = depths[n];
        drua_shape s;
        double worst = 0;
        float *v =
            pull(RESULT(0, "microscope_psf", NEW, NUMBER(1), NUMBER(1), NUMBER(d), NAME("widefield"), NAME("born_wolf"),
                        NUMBER(0.1), NUMBER(slice[n]), NUMBER(520), NUMBER(aperture), NUMBER(index)),
                 &s);
        for (int i = 0; i < d; i++) {
            const double z = k * slice[n] * (i - d / 2), c[] = {min, index};
            double re = 0, im = 0;
            for (int end = 0; end < 2 && z != 0; end++) {       /* the antiderivative exp(i z c) (1 / z^2 - i c / z) */
                const double sign = end ? 1 : -1;
                re += sign * (cos(z * c[end]) / z / z + sin(z * c[end]) * c[end] / z);
                im += sign * (sin(z * c[end]) / z / z - cos(z * c[end]) * c[end] / z);
            }
            const double all = aperture * aperture / 2, expected = z != 0 ? (re * re + im * im) / all / all : 1;
            worst = fmax(worst, fabs(v[i] / v[d / 2] - expected));
        }
        ck_assert_msg(worst < 1e-7, "%d slices: off by %g of the peak", d, worst);
        free(v);
    }
}
END_TEST

/* The wide-field psf times the sheet's Gaussian about the middle slice. */
START_TEST(light_of_a_sheet)
{
    enum { W = 5, D = 8 };
    static const double slice = 0.4, sheet = 0.9;
    drua_shape s;
    float *v[2];
    for (int k = 0; k < 2; k++)
        v[k] = pull(RESULT(0, "microscope_psf", NEW, NUMBER(W), NUMBER(W), NUMBER(D),
                           NAME(k ? "light_sheet" : "widefield"), NAME("born_wolf"), NUMBER(0.1), NUMBER(slice),
                           NUMBER(520), NUMBER(0.8), NUMBER(1.33), NUMBER(1.33), NUMBER(0), NUMBER(1.515), NUMBER(488),
                           NUMBER(1), NUMBER(sheet)),
                    &s);
    const int middle = W * W * (D / 2) + W * (W / 2) + W / 2;
    for (int i = 0; i < W * W * D; i++) {
        const double z = slice * (i / W / W - D / 2),
                     expected = exp(-z * z / (2 * sheet * sheet)) * v[0][i] / v[0][middle];
        ck_assert_msg(fabs(v[1][i] / v[1][middle] - expected) < 1e-6, "pixel %d: %g of the peak, not %g", i,
                      v[1][i] / v[1][middle], expected);
    }
    free(v[0]), free(v[1]);
}
END_TEST

static double random_between(harness_random *chance, double low, double high)
{
    return low + (high - low) * harness_below(chance, 1 << 20) / (1 << 20);
}

/* No stage position is brighter than the middle slice, whatever the optics. */
START_TEST(brightest_in_the_middle)
{
    static const char *const kinds[] = {"widefield", "confocal"};
    enum { OPTICS = 40 };
    const uint64_t fixed = 72, fresh = harness_new_seed("property_psf_properties");
    harness_random chance = {fixed};
    for (int i = 0; i < 2 * OPTICS; i++) {
        const int n = i % OPTICS;
        if (i == OPTICS)
            chance.state = fresh;
        const int d = 900 + n % 2;
        const double immersion = n % 3 ? 1.515 : 1.33, sample = random_between(&chance, 1.3, 1.5),
                     aperture = random_between(&chance, 0.4, immersion - 0.05), depth = random_between(&chance, 0, 60);
        const double glass = n % 4 ? 1.515 : random_between(&chance, 1.4, 1.65),
                     slice = 0.02 + (depth + 500 * fabs(1 / glass - 1 / 1.515)) / 900;
        drua_shape s;
        float *v = pull(RESULT(0, "microscope_psf", NEW, NUMBER(1), NUMBER(1), NUMBER(d), NAME(kinds[n % 5 == 0]),
                               NAME("gibson_lanni"), NUMBER(0.1), NUMBER(slice), NUMBER(520), NUMBER(aperture),
                               NUMBER(immersion), NUMBER(sample), NUMBER(depth), NUMBER(glass), NUMBER(488), NUMBER(0)),
                        &s);
        for (int z = 0; z < d; z++)
            ck_assert_msg(
                v[z] <= v[d / 2] * 1.00001f,
                "NA %g, immersion %g, sample %g, %g um deep, glass %g: slice %d of %g um is %g, the middle %g",
                aperture, immersion, sample, depth, glass, z - d / 2, slice, v[z], v[d / 2]);
        free(v);
    }
}
END_TEST

START_TEST(too_much)
{
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "microscope_psf", NEW, NUMBER(1024), NUMBER(1024), NUMBER(9), NAME("widefield"),
                   NAME("born_wolf"), NUMBER(100), NUMBER(0.3)),
            "steps", "2e+10", "smaller extents");
}
END_TEST

static drua_status through_glass(double aperture, double sample, double glass)
{
    return INVOKE(context, "microscope_psf", NEW, NUMBER(9), NUMBER(9), NUMBER(5), NAME("widefield"),
                  NAME("gibson_lanni"), NUMBER(0.1), NUMBER(0.2), NUMBER(520), NUMBER(aperture), NUMBER(1.78),
                  NUMBER(sample), NUMBER(1), NUMBER(glass));
}

/* For an objective designed for a cover glass of index 1.515, that glass reflects no rays. */
START_TEST(no_such_objective)
{
    REFUSED(DRUA_E_ARGUMENT, through_glass(1.65, 1.6, 1.78), "glass_index is 1.78", "1.6 ", "1.515");
    REFUSED(DRUA_E_ARGUMENT, through_glass(1.52, 1.6, 1.6), "glass_index is 1.6", "1.52 ", "1.515");
    REQUIRE(through_glass(1.65, 1.38, 1.78));
    REQUIRE(through_glass(1.65, 1.6, 1.515));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("psf_properties");
    TCase *tests = tcase_create("psf_properties");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, light_around_the_peak);
    tcase_add_test(tests, unknown_objective);
    tcase_add_test(tests, width_of_a_peak_aside);
    tcase_add_test(tests, one_axis_differs);
    tcase_add_test(tests, nowhere_below_zero);
    tcase_add_test(tests, like_samples);
    tcase_add_test(tests, airy);
    tcase_add_test(tests, along_the_axis);
    tcase_add_test(tests, light_of_a_sheet);
    tcase_add_test(tests, brightest_in_the_middle);
    tcase_add_test(tests, too_much);
    tcase_add_test(tests, no_such_objective);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
