/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests images of a known object through a simulated microscope: phantoms, noise, restoration. */
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Restores a noisy view into a larger scene, which light enters from outside. Each result must be closer to the truth
 * than the blurred image.
 */
START_TEST(restoration)
{
    static const char *const kinds[] = {"bars", "beads"};
    static const char *const ways[] = {"iterations=30 background=10", "iterations=15 accelerate background=10",
                                       "iterations=60 tv=0.005 background=10",
                                       "iterations=12 accelerate=biggs_andrews background=10"};
    for (int kind = 0; kind < 2; kind++) {
        drua_image scene = phantom(kinds[kind], 64, 64, 32), psf = gaussian(13, 17, 1.6, 3);
        drua_image blurred =
            RESULT(2, "convolve_fft", IMAGE(scene), IMAGE(psf), NEW, NUMBER(0), NUMBER(1), NAME("repeat"));
        drua_image truth = crop(scene, 8, 8, 6, 48, 48, 20), seen = crop(blurred, 8, 8, 6, 48, 48, 20);
        drua_image lit = RESULT(1, "add_image_and_scalar", IMAGE(seen), NEW, NUMBER(10));
        drua_image noisy = RESULT(1, "camera_noise", IMAGE(lit), NEW, NUMBER(2), NUMBER(0.5), NUMBER(7));
        drua_image counts = RESULT(1, "maximum_image_and_scalar", IMAGE(noisy), NEW, NUMBER(0));
        const double blur = difference(seen, truth);
        for (int k = 0; k < 4; k++) {
            drua_image restored = RESULT(2, "deconvolve", IMAGE(counts), IMAGE(psf), NEW, NAME(ways[k]));
            const double left = difference(restored, truth);
            printf("%s, %s: error %.2f, blurred %.2f\n", kinds[kind], ways[k], left, blur);
            ck_assert_msg(left < 0.9 * blur, "%s, %s: error %g, blurred %g", kinds[kind], ways[k], left, blur);
        }
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/*
 * If light comes from outside the view, circulant edges make the restoration worse than the blurred image. Edges that
 * account for this light must not.
 */
START_TEST(edges)
{
    enum { W = 64, D = 32, MARGIN = 16 };
    static const struct {
        const char *options;
        double min, max; /* limits of the error, relative to the error of the blurred image */
    } ways[] = {{"iterations=200 edges=circulant background=10", 1.05, 1.4},
                {"iterations=200 edges=mirror background=10", 0.7, 0.9},
                {"iterations=200 background=10", 0, 0.7}};
    drua_image scene = RESULT(0, "phantom", NEW, NAME("beads"), NUMBER(W + 2 * MARGIN), NUMBER(W + 2 * MARGIN),
                              NUMBER(D + 2 * MARGIN), NUMBER(100), NUMBER(4), NUMBER(14), NUMBER(3));
    drua_image psf = gaussian(17, 25, 2, 4),
               blurred = RESULT(2, "convolve_fft", IMAGE(scene), IMAGE(psf), NEW, NUMBER(0), NUMBER(1), NAME("repeat"));
    drua_image truth = crop(scene, MARGIN, MARGIN, MARGIN, W, W, D),
               seen = crop(blurred, MARGIN, MARGIN, MARGIN, W, W, D);
    drua_image lit = RESULT(1, "add_image_and_scalar", IMAGE(seen), NEW, NUMBER(10));
    drua_image counts = RESULT(1, "camera_noise", IMAGE(lit), NEW, NUMBER(3), NUMBER(0), NUMBER(1));
    const double blur = difference(seen, truth);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const double left =
            difference(RESULT(2, "deconvolve", IMAGE(counts), IMAGE(psf), NEW, NAME(ways[k].options)), truth);
        printf("%s: error %.2f, blurred %.2f\n", ways[k].options, left, blur);
        ck_assert_msg(left > ways[k].min * blur && left < ways[k].max * blur, "%s: error %g, blurred %g",
                      ways[k].options, left, blur);
    }
    REQUIRE(drua_clear(context));
}
END_TEST

static bool read_foreign(const char *name, drua_image *image)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/../../../shared/images/bars_%s.tif", TEST_DATA, name);
    return drua_read_tiff(context, path, 0, 0, image) == DRUA_OK;
}

/* The norm of the difference to the truth as a share of the truth's norm, at the best brightness of the image. */
static double difference_from_truth(drua_image image, drua_image truth)
{
    drua_shape s;
    float *a = pull(image, &s), *b = pull(truth, &s);
    double aa = 0, ab = 0, bb = 0;
    for (size_t i = 0; i < count_of(s); i++) {
        aa += (double)a[i] * a[i];
        ab += (double)a[i] * b[i];
        bb += (double)b[i] * b[i];
    }
    free(a), free(b);
    return sqrt(1 - ab * ab / (aa * bb));
}

/* Bars from another program's phantom, if the files are beside the repository. */
START_TEST(foreign_bars)
{
    static const char *const ways[] = {"iterations=30", "iterations=12 accelerate", "iterations=30 edges=circulant",
                                       "iterations=30 tv=0.002"};
    drua_image data, psf, truth;
    if (!read_foreign("data", &data) || !read_foreign("psf", &psf) || !read_foreign("actual", &truth)) {
        harness_skip("there are no bars_data.tif, bars_psf.tif and bars_actual.tif in ../shared/images");
        return;
    }
    const double blur = difference_from_truth(data, truth);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const double left =
            difference_from_truth(RESULT(2, "deconvolve", IMAGE(data), IMAGE(psf), NEW, NAME(ways[k])), truth);
        printf("foreign bars, %s: %.3f of the norm is wrong, blurred %.3f\n", ways[k], left, blur);
        ck_assert_msg(left < 0.95 * blur, "%s: error %g, blurred %g", ways[k], left, blur);
    }
    REQUIRE(drua_clear(context));
}
END_TEST

START_TEST(noise)
{
    static const double means[] = {3, 100};
    for (int k = 0; k < 2; k++) {
        drua_shape s = {128, 128, 4, 3};
        drua_image flat;
        double sum = 0, square = 0;
        REQUIRE(drua_create(context, s, DRUA_FLOAT32, &flat));
        REQUIRE(INVOKE(context, "set", IMAGE(flat), NUMBER(means[k])));
        drua_image noisy = RESULT(1, "camera_noise", IMAGE(flat), NEW, NUMBER(2), NUMBER(1), NUMBER(3));
        float *v = pull(noisy, &s);
        for (size_t i = 0; i < count_of(s); i++) {
            sum += v[i];
            square += (double)v[i] * v[i];
        }
        const double mean = sum / (double)count_of(s), variance = square / (double)count_of(s) - mean * mean,
                     expected = means[k] / 2 + 1;
        ck_assert_msg(fabs(mean / means[k] - 1) < 0.01, "mean %g of %g", mean, means[k]);
        ck_assert_msg(fabs(variance / expected - 1) < 0.03, "variance %g of %g", variance, expected);
        free(v);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("microscope");
    TCase *microscope = tcase_create("microscope");
    tcase_add_checked_fixture(microscope, open_context, close_context);
    harness_add(microscope, restoration, 1);
    harness_add(microscope, edges, 1);
    harness_add(microscope, foreign_bars, 1);
    harness_add(microscope, noise, 1);
    suite_add_tcase(suite, microscope);
    return harness_run(suite);
}
