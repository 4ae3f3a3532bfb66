/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests deconvolution of images in which some pixels have no information: masked and saturated pixels. */
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

static volume masked(volume g, volume psf, volume mask, const char *options)
{
    drua_argument arguments[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)),
                                 IMAGE(volume_push(context, mask)), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "deconvolve_masked", arguments, 5, NULL));
    return volume_pull(context, arguments[3].image);
}

/* The values of bad pixels do not change the result. */
START_TEST(bad_pixels)
{
    static const struct {
        const char *options;
        reference_recipe r;
    } ways[] = {
        {"iterations=10", {.edges = NONCIRCULANT}},
        {"iterations=10 start=40", {.start = 40}},
        {"iterations=10 edges=mirror background=3", {.edges = MIRROR, .background = 3}},
        {"iterations=3 method=wiener_butterworth edges=circulant", {.edges = CIRCULANT, .method = WIENER_BUTTERWORTH}}};
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        reference_recipe r = ways[n].r;
        volume psf = lopsided_psf(&chance, 7, 6, 5, r.method != WIENER_BUTTERWORTH),
               g = blurred_scene(&chance, 16, 14, 8, psf, r.background);
        volume mask = volume_make(16, 14, 8), spoilt = volume_copy(g);
        double max = 0;
        for (int i = 0; i < volume_count(g); i++)
            max = fmax(max, g.v[i]);
        const double holds[] = {(float)(100 * max), 0, -3, NAN, INFINITY};
        r.bad = mask;
        for (int i = 0; i < volume_count(g); i += 37)
            mask.v[i] = 1;
        volume expected = reference_deconvolve(g, psf, r, n == 3 ? 3 : 10), first = {0};
        for (size_t k = 0; k < sizeof holds / sizeof *holds; k++) {
            for (int i = 0; i < volume_count(g); i += 37)
                spoilt.v[i] = holds[k];
            volume got = masked(spoilt, psf, mask, ways[n].options);
            ck_assert_msg(volume_distance(got, expected) < 1e-5, "%s, bad pixels hold %g: off by %g", ways[n].options,
                          holds[k], volume_distance(got, expected));
            if (k == 0)
                first = volume_copy(got);
            ck_assert_msg(volume_distance(got, first) == 0, "%s: bad pixels of %g count: %g", ways[n].options, holds[k],
                          volume_distance(got, first));
            if (holds[k] > max) {
                char text[128];
                snprintf(text, sizeof text, "%s saturated=%.9g", ways[n].options,
                         holds[0]); /* a pixel at the level counts as saturated */
                volume saturated = volume_deconvolve(context, spoilt, psf, text, NULL);
                ck_assert_msg(volume_distance(saturated, first) == 0, "%s: saturated pixels count: %g", text,
                              volume_distance(saturated, first));
                free(saturated.v);
            }
            free(got.v);
        }
        for (int i = 0; i < volume_count(g); i += 37)
            spoilt.v[i] = 1e5;
        volume above = volume_deconvolve(context, spoilt, psf, "iterations=10 saturated=1e6", NULL);
        ck_assert_msg(volume_distance(above, expected) > 0.1, "a level above all pixels excludes bright pixels");
        free(psf.v), free(g.v), free(mask.v), free(spoilt.v), free(expected.v), free(first.v), free(above.v);
    }
}
END_TEST

/* Even light stays even around bad pixels. */
START_TEST(even_light)
{
    volume psf = rough_psf(&chance, 5, 5, 3), g = volume_make(20, 18, 8), mask = volume_make(20, 18, 8);
    for (int i = 0; i < volume_count(g); i++) {
        mask.v[i] = i % 20 > 6 && i % 20 < 14 && i / 20 % 18 > 5 && i / 20 % 18 < 13;
        g.v[i] = mask.v[i] != 0 ? 65535 : 20;
    }
    volume hidden = masked(g, psf, mask, "iterations=20"),
           saturated = volume_deconvolve(context, g, psf, "iterations=20 accelerate saturated=65535", NULL);
    for (int i = 0; i < volume_count(g); i++)
        ck_assert_msg(fabs(hidden.v[i] - 20) < 1e-4 && fabs(saturated.v[i] - 20) < 1e-4,
                      "pixel %d: %g with a mask, %g with a level", i, hidden.v[i], saturated.v[i]);
    free(psf.v), free(g.v), free(mask.v), free(hidden.v), free(saturated.v);
}
END_TEST

/* Values under the mask are not checked; all others are. */
START_TEST(bad_input)
{
    volume ok = random_volume(&chance, 8, 8, 4, 1, 2), nan = volume_copy(ok), negative = volume_copy(ok),
           psf = rough_psf(&chance, 3, 3, 3), elsewhere = volume_make(8, 8, 4);
    nan.v[5] = NAN;
    negative.v[7] = -3;
    elsewhere.v[100] = 1;
#define SAYS_MASKED(source, mask, options, ...)                                                                        \
    REFUSED(DRUA_E_ARGUMENT,                                                                                           \
            INVOKE(context, "deconvolve_masked", IMAGE(volume_push(context, source)),                                  \
                   IMAGE(volume_push(context, psf)), IMAGE(volume_push(context, mask)), NEW, NAME(options)),           \
            __VA_ARGS__)
    SAYS_MASKED(nan, elsewhere, "", "source", "NaN");
    SAYS_MASKED(negative, elsewhere, "", "source", "negative", "-3");
    SAYS_MASKED(nan, elsewhere, "saturated=100", "source", "NaN");
    ok.v[100] = 1000; /* the mean of the known pixels is below 2 */
    SAYS_MASKED(ok, elsewhere, "background=2", "background of 2");
    SAYS_MASKED(ok, elsewhere, "saturated=1", "saturated is 1", "no pixel");
    ok.v[100] = 1;
    elsewhere.v[100] = 0;
    ok.v[7] = 0.5;
    elsewhere.v[7] = 1;
    SAYS_MASKED(ok, elsewhere, "saturated=1", "mask excludes all darker pixels", "no pixel");
    free(ok.v), free(nan.v), free(negative.v), free(psf.v), free(elsewhere.v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deconvolution_pixels");
    TCase *tests = tcase_create("deconvolution_pixels");
    chance.state = harness_new_seed("deconvolution_pixels");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, bad_pixels, 1);
    harness_add(tests, even_light, 1);
    tcase_add_test(tests, bad_input);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
