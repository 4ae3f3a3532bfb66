/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests point spread functions that are resampled to other voxels, and their widths with subpixel precision. */
#include "pictures.h"

#include "width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 80 };

static float pixels[LARGEST * LARGEST * LARGEST];

/* A Gaussian with these sigmas in pixels, its centre `beside` away from the middle. */
static drua_image make_blob(const int *extent, const double *sigma, const double *beside)
{
    drua_image image;
    for (int i = 0; i < extent[0] * extent[1] * extent[2]; i++) {
        const int at[] = {i % extent[0], i / extent[0] % extent[1], i / extent[0] / extent[1]};
        double power = 0;
        for (int n = 0; n < 3; n++)
            power += pow((at[n] - extent[n] / 2 - beside[n]) / sigma[n], 2) / 2;
        pixels[i] = (float)exp(-power);
    }
    REQUIRE(drua_push(context, (drua_shape){extent[0], extent[1], extent[2], 3}, DRUA_FLOAT32, pixels, &image));
    return image;
}

static double sum_of(const float *v, drua_shape s)
{
    double sum = 0;
    for (size_t i = 0; i < count_of(s); i++)
        sum += v[i];
    return sum;
}

/*
 * A Gaussian (sigma in pixels) limited to the frequencies that pixels represent: the integral of its spectrum up to
 * half a cycle per pixel, by Simpson's rule.
 */
static double shown(double x, double sigma)
{
    enum { STEPS = 400 };
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double f = 0.5 * i / STEPS;
        sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * exp(-2 * pow(M_PI * sigma * f, 2)) * cos(2 * M_PI * f * x);
    }
    return 2 * sum * 0.5 / STEPS / 3;
}

/*
 * Known widths resampled to finer and coarser voxels, differently along z, for odd and even extents and centres between
 * pixels. The width is the root of the second moment; sigma refers to the coarser of the two pixels.
 */
START_TEST(widths_stay)
{
    static const struct {
        int extent[3];
        double pixel, slice, to_pixel, to_slice;    /* um */
        double sigma[3], beside[3];                 /* sigma in um, beside in pixels */
        double max[3]; /* tolerance of the width */
    } cases[] = {{{41, 40, 33}, 0.1, 0.2, 0.1, 0.1, {0.2, 0.2, 0.4}, {0}, {1e-5, 1e-5, 5e-4}},
                 {{40, 41, 33}, 0.1, 0.3, 0.05, 0.1, {0.13, 0.15, 0.45}, {0.3, -0.4, 0.2}, {2e-3, 1e-3, 1e-3}},
                 {{65, 64, 80}, 0.05, 0.1, 0.1, 0.3, {0.13, 0.15, 0.6}, {0.2, -0.3, 0.4}, {2e-3, 1e-3, 5e-4}},
                 {{73, 80, 41}, 0.08, 0.3, 0.1, 0.21, {0.13, 0.2, 0.6}, {-0.4, 0.4, 0.1}, {2e-3, 5e-4, 5e-4}},
                 {{41, 41, 41}, 0.065, 0.25, 0.1, 0.2, {0.1, 0.1, 0.25}, {0.25, 0, -0.3}, {1e-2, 1e-2, 1e-2}}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        double sigma[3], expected[3][200], light[3] = {0}, place[3] = {0}, square[3] = {0}, worst = 0;
        const double from[] = {cases[n].pixel, cases[n].pixel, cases[n].slice},
                     to[] = {cases[n].to_pixel, cases[n].to_pixel, cases[n].to_slice};
        for (int axis = 0; axis < 3; axis++)
            sigma[axis] = cases[n].sigma[axis] / from[axis];
        drua_shape s;
        drua_image psf = make_blob(cases[n].extent, sigma, cases[n].beside);
        const double before =
            sum_of(pixels, (drua_shape){cases[n].extent[0], cases[n].extent[1], cases[n].extent[2], 3});
        float *v = pull(RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(from[0]), NUMBER(from[2]), NUMBER(to[0]),
                               NUMBER(to[2]), NUMBER(0)),
                        &s);
        const int64_t extents[] = {s.width, s.height, s.depth};
        ck_assert_msg(fabs(sum_of(v, s) / before - 1) < 1e-6, "case %zu: the sum was %g and is %g", n, before,
                      sum_of(v, s));
        for (int axis = 0; axis < 3; axis++) {
            ck_assert_int_eq(extents[axis], 2 * (int)(cases[n].extent[axis] / 2 * from[axis] / to[axis] + 0.5) + 1);
            for (int64_t i = 0; i < extents[axis]; i++) {
                const double x = (double)(i - extents[axis] / 2) * to[axis] - cases[n].beside[axis] * from[axis],
                             coarser = fmax(to[axis], from[axis]);
                expected[axis][i] = shown(x / coarser, cases[n].sigma[axis] / coarser);
                light[axis] += expected[axis][i];
            }
        }
        for (size_t i = 0; i < count_of(s); i++) {
            const int64_t at[] = {(int64_t)i % s.width, (int64_t)i / s.width % s.height,
                                  (int64_t)i / s.width / s.height};
            double share = before, peak = before;
            for (int axis = 0; axis < 3; axis++) {
                const double x = (double)(at[axis] - extents[axis] / 2) * to[axis] - cases[n].beside[axis] * from[axis];
                share *= expected[axis][at[axis]] / light[axis];
                peak *= expected[axis][extents[axis] / 2] / light[axis];
                place[axis] += v[i] * x / before;
                square[axis] += v[i] * x * x / before;
            }
            worst = fmax(worst, fabs(v[i] - share) / peak);
        }
        for (int axis = 0; axis < 3; axis++) {
            const double coarser = fmax(to[axis], from[axis]), width = sqrt(square[axis] - place[axis] * place[axis]);
            printf("case %zu, axis %d, %g um in pixels of %g to %g: width off by %.1e, centre by %.1e pixels\n", n,
                   axis, cases[n].sigma[axis], from[axis], to[axis], width / cases[n].sigma[axis] - 1,
                   place[axis] / coarser);
            ck_assert_msg(fabs(width / cases[n].sigma[axis] - 1) < cases[n].max[axis],
                          "case %zu, axis %d: width %g instead of %g", n, axis, width, cases[n].sigma[axis]);
            ck_assert_msg(fabs(place[axis]) < 1e-3 * coarser, "case %zu, axis %d: the centre went by %g", n, axis,
                          place[axis]);
        }
        printf("case %zu: off by %.1e of the peak\n", n, worst);
        ck_assert_msg(worst < 0.02, "case %zu: off by %g of the peak", n, worst);
        free(v);
    }
}
END_TEST

/*
 * A bright row between the pixel centres of the coarser image keeps its light. The coarser pixels sample less than half
 * of it, and clipping negative values adds light.
 */
START_TEST(light_between_pixels)
{
    const int extent[] = {65, 65, 1}, aside = 18;      /* between two coarse pixels of 4 pixels each */
    double before = 0, after = 0, all = 0;
    make_blob(extent, (const double[]){3.2, 4, 1}, (const double[]){0, 0, 0});
    for (int i = 0; i < 65; i++) {
        const double line = pixels[i * 65 + 32];
        for (int x = 0; x < 65; x++) {
            pixels[i * 65 + x] += (float)(0.8 * line * exp(-pow(x - 32 - aside, 2) / 2));
            all += pixels[i * 65 + x];
            before += x > 32 + aside / 2 ? pixels[i * 65 + x] : 0;
        }
    }
    drua_image psf;
    drua_shape s;
    REQUIRE(drua_push(context, (drua_shape){65, 65, 1, 3}, DRUA_FLOAT32, pixels, &psf));
    float *v = pull(
        RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(0.1), NUMBER(0.1), NUMBER(0.4), NUMBER(0.1), NUMBER(0)), &s);
    for (int y = 0; y < s.height; y++)
        for (int x = s.width / 2 + 3; x < s.width; x++)
            after += v[y * s.width + x];
    printf("aside is %.4f of the light, before %.4f\n", after / all, before / all);
    ck_assert_msg(fabs(after / before - 1) < 0.25, "aside was %g of the light and is %g", before / all, after / all);
    free(v);
}
END_TEST

/* With matching voxels the psf stays unchanged to the last bit. */
START_TEST(matching_voxels)
{
    static const int extents[][3] = {{7, 7, 7}, {6, 8, 4}, {5, 6, 1}};
    for (int n = 0; n < 3; n++)
        for (int rough = 0; rough < 2; rough++) {
            const int *e = extents[n], middle = (e[2] / 2 * e[1] + e[1] / 2) * e[0] + e[0] / 2;
            drua_image psf;
            drua_shape s;
            memset(pixels, 0, sizeof pixels);
            for (int i = 0; rough && i < e[0] * e[1] * e[2]; i++)
                pixels[i] = (float)(i * 7919 % 1000) / 977;
            pixels[middle] = 4095;
            REQUIRE(drua_push(context, (drua_shape){e[0], e[1], e[2], 3}, DRUA_FLOAT32, pixels, &psf));
            for (int centred = 0; centred < (rough ? 1 : 2); centred++) {
                float *v = pull(RESULT(1, "resample_psf", IMAGE(psf), NEW, NUMBER(0.3), NUMBER(0.7), NUMBER(0.3),
                                       NUMBER(0.7), NUMBER(centred)),
                                &s);
                ck_assert(s.width == e[0] / 2 * 2 + 1 && s.height == e[1] / 2 * 2 + 1 && s.depth == e[2] / 2 * 2 + 1);
                for (int i = 0; i < (int)count_of(s); i++) {
                    const int x = i % (int)s.width, y = i / (int)s.width % (int)s.height,
                              z = i / (int)s.width / (int)s.height;
                    const float expected = x < e[0] && y < e[1] && z < e[2] ? pixels[(z * e[1] + y) * e[0] + x] : 0;
                    ck_assert_msg(v[i] == expected, "extent %d: pixel %d, %d, %d is %.9g and was %.9g", n, x, y, z,
                                  v[i], expected);
                }
                free(v);
            }
        }
    drua_image empty;
    REQUIRE(drua_create(context, (drua_shape){5, 5, 5, 3}, DRUA_FLOAT32, &empty));
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "resample_psf", IMAGE(empty), NEW, NUMBER(0.1), NUMBER(0.1), NUMBER(0.1), NUMBER(0.1),
                   NUMBER(1)),
            "psf is empty");
}
END_TEST

/* ---- full widths at half maximum */

/* The light of a Gaussian over a pixel, or at the pixel's centre. */
static double seen(double x, double sigma, bool over_pixel)
{
    return over_pixel ? (erf((x + 0.5) / sigma / sqrt(2)) - erf((x - 0.5) / sigma / sqrt(2))) * sigma * sqrt(M_PI / 2)
                      : exp(-x * x / sigma / sigma / 2);
}

static double measured_width(const int *extent, int axis, double sigma, const double *beside, bool over_pixel)
{
    for (int i = 0; i < extent[0] * extent[1] * extent[2]; i++) {
        const int at[] = {i % extent[0], i / extent[0] % extent[1], i / extent[0] / extent[1]};
        double light = 1;
        for (int n = 0; n < 3; n++)
            light *= seen(at[n] - extent[n] / 2 - beside[n], sigma, over_pixel);
        pixels[i] = (float)light;
    }
    return psf_width(pixels, (drua_shape){extent[0], extent[1], extent[2], 3}, axis);
}

/* The full width at half maximum that a measurement should find, from the exact light at any position. */
static double due_width(double sigma, bool over_pixel)
{
    double low = 0, high = 6 * sigma + 2;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        *(seen(middle, sigma, over_pixel) > seen(0, sigma, over_pixel) / 2 ? &low : &high) = middle;
    }
    return low + high;
}

START_TEST(widths)
{
    static const int extents[][3] = {{31, 9, 9}, {8, 32, 7}, {7, 10, 30}};
    double worst[2] = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int over_pixel = 0; over_pixel < 2; over_pixel++)
            for (double width = 1.5; width <= 10; width += 0.25)
                for (double u = -0.5; u <= 0.5; u += 0.125) {
                    const double sigma = width / sqrt(8 * log(2)), beside[] = {u, 0.3 - u, u / 2},
                                 shift[] = {beside[axis], 0.4, -0.2};
                    const double along[] = {axis == 0 ? shift[0] : shift[1], axis == 1 ? shift[0] : shift[1],
                                            axis == 2 ? shift[0] : shift[2]};
                    const double expected = due_width(sigma, over_pixel),
                                 got = measured_width(extents[axis], axis, sigma, along, over_pixel);
                    worst[over_pixel] = fmax(worst[over_pixel], fabs(got / expected - 1));
                }
    printf("widths from 1.5 to 10 pixels: off by %.1e, of light over pixels %.1e\n", worst[0], worst[1]);
    ck_assert_msg(worst[0] < 1e-4, "width off by %g", worst[0]);
    ck_assert_msg(worst[1] < 0.01, "width of light over pixels off by %g", worst[1]);
}
END_TEST

/* Tests a single pixel, a plateau, a psf that does not fall to half, and a psf without a middle. */
START_TEST(widths_at_the_limits)
{
    static const struct {
        float line[7];
        double min, max; /* 0: no width */
    } cases[] = {{{0, 0, 0, 1, 0, 0, 0}, 0.99, 1.01}, {{0, 0, 1, 1, 1, 0, 0}, 2, 4}, {{0, 1, 9, 9, 1, 0, 0}, 1.5, 3},
                 {{5, 6, 7, 9, 7, 6, 5}, 0, 0},       {{0, 0, 0, 0, 0, 0, 0}, 0, 0}, {{9, 8, 7, 6, 5, 4, 3}, 0, 0},
                 {{0, 0, 1, 5, 9, 5, 1}, 1.5, 3}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const double got = psf_width(cases[n].line, (drua_shape){7, 1, 1, 1}, 0);
        ck_assert_msg(cases[n].max > 0 ? got > cases[n].min && got < cases[n].max : isnan(got), "line %zu: %g wide", n,
                      got);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("psf_sampling");
    TCase *tests = tcase_create("psf_sampling");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, widths_stay);
    tcase_add_test(tests, light_between_pixels);
    tcase_add_test(tests, matching_voxels);
    tcase_add_test(tests, widths);
    tcase_add_test(tests, widths_at_the_limits);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
