/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests spectra, shifts and template matching. */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

START_TEST(spectra)
{
    enum { W = 15, H = 8 };
    float wave[W * H];
    drua_image image;
    drua_shape s;
    for (int i = 0; i < W * H; i++)
        wave[i] = (float)(3 + 2 * cos(2 * M_PI * (2.0 * (i % W) / W + 3.0 * (i / W) / H)));
    REQUIRE(drua_push(context, (drua_shape){W, H, 1, 2}, DRUA_FLOAT32, wave, &image));
    float *power = pull(RESULT(1, "power_spectrum", IMAGE(image), NEW, NUMBER(0)), &s);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int kx = x - W / 2, ky = y - H / 2;
            const bool one = (kx == 2 && ky == 3) || (kx == -2 && ky == -3);
            const double expected = kx == 0 && ky == 0 ? pow(3.0 * W * H, 2) : one ? pow(1.0 * W * H, 2) : 0;
            ck_assert_msg(fabs(power[y * W + x] - expected) < 0.5, "frequency %d, %d: %g instead of %g", kx, ky,
                          power[y * W + x], expected);
        }
    free(power);

    static const double bands[][2] = {{0, 0}, {5, 0}, {0, 5}, {3, 9}};
    for (int k = 0; k < 4; k++) {
        const double f = pow(2.0 / W, 2) + pow(3.0 / H, 2), small = bands[k][0], large = bands[k][1];
        const double left = exp2(-f * small * small) * (large > 0 ? 1 - exp2(-f * large * large) : 1),
                     mean = large > 0 ? 0 : 3;
        float *kept =
            pull(RESULT(1, "band_pass", IMAGE(image), NEW, NUMBER(small), NUMBER(large), NAME("periodic")), &s);
        for (int i = 0; i < W * H; i++)
            ck_assert_msg(fabs(kept[i] - (mean + left * (wave[i] - 3))) < 1e-5, "%g to %g, pixel %d: %g", small, large,
                          i, kept[i]);
        free(kept);
    }
    float *even = pull(RESULT(1, "band_pass", IMAGE(image), NEW, NUMBER(0), NUMBER(0)), &s);
    for (int i = 0; i < W * H; i++)
        ck_assert_msg(fabsf(even[i] - wave[i]) < 1e-5f, "pixel %d: %g instead of %g", i, even[i], wave[i]);
    free(even);

    drua_image spectrum = RESULT(1, "forward_fft", IMAGE(image), NEW);
    drua_argument split[] = {IMAGE(spectrum), NEW, NEW};
    REQUIRE(drua_invoke(context, "split_complex_image", split, 3, NULL));
    drua_image again = RESULT(2, "combine_complex_image", IMAGE(split[1].image), IMAGE(split[2].image), NEW);
    ck_assert_double_eq(difference(again, spectrum), 0);
    drua_image back;
    REQUIRE(drua_create(context, (drua_shape){W, H, 1, 2}, DRUA_FLOAT32, &back));
    drua_argument inverse[] = {IMAGE(again), IMAGE(back)};
    REQUIRE(drua_invoke(context, "inverse_fft", inverse, 2, NULL));
    ck_assert_double_lt(difference(inverse[1].image, image), 1e-5);

    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, -7, 8}, expected[] = {-7, 16, -53, -4};
    drua_image product = RESULT(2, "multiply_complex_images", IMAGE(harness_line(context, a, 4)),
                                IMAGE(harness_line(context, b, 4)), NEW);
    float *v = pull(product, &s);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(v[i], expected[i]);
    free(v);
}
END_TEST

START_TEST(shifts)
{
    static const char *const methods[] = {"phase", "normalized"};
    drua_image scene = phantom("beads", 70, 60, 24),
               soft = RESULT(1, "gaussian_blur", IMAGE(scene), NEW, NUMBER(1), NUMBER(1), NUMBER(1));
    drua_image first = crop(soft, 10, 10, 6, 48, 40, 12), second = crop(soft, 7, 14, 4, 48, 40, 12);
    for (int k = 0; k < 2; k++) {
        drua_argument arguments[] = {IMAGE(first), IMAGE(second), NEW, NAME(methods[k]), NEW, NEW, NEW, NEW};
        REQUIRE(drua_invoke(context, "correlate_images", arguments, 8, NULL));
        printf("%s: shift %g, %g, %g, peak %g\n", methods[k], arguments[4].number, arguments[5].number,
               arguments[6].number, arguments[7].number);
        ck_assert_msg(fabs(arguments[4].number - 3) < 0.3 && fabs(arguments[5].number + 4) < 0.3 &&
                          fabs(arguments[6].number - 2) < 0.8,
                      "%s: shift %g, %g, %g", methods[k], arguments[4].number, arguments[5].number,
                      arguments[6].number);
    }
    drua_argument same[] = {IMAGE(first), IMAGE(first), NEW, NAME("normalized"), NEW, NEW, NEW, NEW};
    REQUIRE(drua_invoke(context, "correlate_images", same, 8, NULL));
    ck_assert_msg(fabs(same[7].number - 1) < 1e-5 && fabs(same[4].number) < 1e-3, "peak %g", same[7].number);
    drua_image even;
    const float holed[] = {1, 2, NAN, 4};
    REQUIRE(drua_create(context, (drua_shape){48, 40, 12, 3}, DRUA_FLOAT32, &even));
    for (int k = 0; k < 2; k++) {
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "correlate_images", IMAGE(first), IMAGE(even), NEW, NAME(methods[k])),
                "moved", "different values");
        REFUSED(DRUA_E_ARGUMENT,
                INVOKE(context, "correlate_images", IMAGE(harness_line(context, holed, 4)),
                       IMAGE(harness_line(context, holed, 4)), NEW, NAME(methods[k])),
                "reference", "numbers");
    }
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "band_pass", IMAGE(harness_line(context, holed, 4)), NEW), "source",
            "NaN");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "power_spectrum", IMAGE(harness_line(context, holed, 4)), NEW), "source",
            "NaN");
}
END_TEST

/* Compares template matching with sums in double precision. A template must be found where it was cut out. */
START_TEST(templates)
{
    static const int sizes[][6] = {{40, 36, 1, 9, 7, 1}, {24, 20, 10, 5, 6, 4}};
    for (int n = 0; n < 2; n++) {
        const int *e = sizes[n], at[] = {11, 8, n * 3};
        drua_shape s;
        drua_image scene = RESULT(0, "phantom", NEW, NAME("beads"), NUMBER(e[0]), NUMBER(e[1]), NUMBER(e[2]),
                                  NUMBER(100), NUMBER(2), NUMBER(9));
        drua_image noisy = RESULT(1, "camera_noise", IMAGE(scene), NEW, NUMBER(1), NUMBER(3)),
                   piece = crop(noisy, at[0], at[1], at[2], e[3], e[4], e[5]);
        drua_image brighter = RESULT(1, "add_image_and_scalar", IMAGE(piece), NEW, NUMBER(500));
        drua_argument arguments[] = {IMAGE(noisy), IMAGE(brighter), NEW, NEW, NEW, NEW, NEW};
        REQUIRE(drua_invoke(context, "match_template", arguments, 7, NULL));
        for (int k = 0; k < 3; k++)
            ck_assert_msg(arguments[3 + k].number == at[k] + e[3 + k] / 2, "axis %d: %g", k, arguments[3 + k].number);
        ck_assert_msg(fabs(arguments[6].number - 1) < 1e-4, "score %g", arguments[6].number);
        float *got = pull(arguments[2].image, &s), *v = pull(noisy, &s), *t = pull(brighter, &s);
        const int all = e[3] * e[4] * e[5];
        for (int z = 0; z < e[2]; z++)
            for (int y = 0; y < e[1]; y++)
                for (int x = 0; x < e[0]; x++) {
                    const int x0 = x - e[3] / 2, y0 = y - e[4] / 2, z0 = z - e[5] / 2;
                    double a = 0, b = 0, aa = 0, bb = 0, ab = 0, expected = 0;
                    if (x0 >= 0 && y0 >= 0 && z0 >= 0 && x0 + e[3] <= e[0] && y0 + e[4] <= e[1] && z0 + e[5] <= e[2]) {
                        for (int i = 0; i < all; i++) {
                            const double
                                p = v[((z0 + i / e[3] / e[4]) * e[1] + y0 + i / e[3] % e[4]) * e[0] + x0 + i % e[3]],
                                q = t[i];
                            a += p, b += q, aa += p * p, bb += q * q, ab += p * q;
                        }
                        expected = (ab - a * b / all) / sqrt((aa - a * a / all) * (bb - b * b / all));
                    }
                    const double is = got[(z * e[1] + y) * e[0] + x];
                    ck_assert_msg(fabs(is - expected) < 1e-4, "at %d, %d, %d: %g instead of %g", x, y, z, is, expected);
                }
        free(got), free(v), free(t);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "match_template", IMAGE(piece), IMAGE(noisy), NEW), "template", "fit");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spectra");
    TCase *tests = tcase_create("spectra");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, spectra, 1);
    harness_add(tests, shifts, 1);
    harness_add(tests, templates, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
