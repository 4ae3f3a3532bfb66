/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares measure_psf with its definition in double precision, and tests which beads it counts. */
#include "pictures.h"

#include "width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the definition */

static int compare_numbers(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* The median; for an even number of pixels, the upper of the two middle values. */
static double median_of(const reference_image *image)
{
    reference_image sorted = reference_duplicate(image);
    qsort(sorted.pixels, reference_count(&sorted), sizeof *sorted.pixels, compare_numbers);
    const double median = sorted.pixels[reference_count(&sorted) / 2];
    reference_free(&sorted);
    return median;
}

/* Whether a pixel is the maximum of its box. The box and the pixels beside it in its slices must lie in the image. */
static bool is_bead(const reference_image *image, drua_shape box, int64_t x, int64_t y, int64_t z)
{
    const int64_t rx = box.width / 2, ry = box.height / 2, rz = box.depth / 2;
    const double value = reference_at(image, x, y, z);
    bool earlier = true;
    if (x - rx < 1 || y - ry < 1 || z - rz < 0 || x + rx > image->shape.width - 2 || y + ry > image->shape.height - 2 ||
        z + rz > image->shape.depth - 1)
        return false;
    for (int64_t k = z - rz; k <= z + rz; k++)
        for (int64_t j = y - ry; j <= y + ry; j++)
            for (int64_t i = x - rx; i <= x + rx; i++) {
                if (i == x && j == y && k == z)
                    earlier = false;
                else if (reference_at(image, i, j, k) > value || (earlier && reference_at(image, i, j, k) == value))
                    return false;
            }
    return true;
}

/* The centre of mass of the light above the background in the 5 x 5 (x 5) pixels around `at`. */
static void centre_of(const reference_image *image, const int64_t at[3], double background, double centre[3])
{
    double all = 0, moment[3] = {0};
    const int64_t deep = image->shape.depth > 2 ? 2 : 0;
    for (int64_t k = -deep; k <= deep; k++)
        for (int64_t j = -2; j <= 2; j++)
            for (int64_t i = -2; i <= 2; i++) {
                const int64_t x = at[0] + i, y = at[1] + j, z = at[2] + k;
                if (x < 0 || y < 0 || z < 0 || x >= image->shape.width || y >= image->shape.height ||
                    z >= image->shape.depth)
                    continue;
                const double light = fmax(reference_at(image, x, y, z) - background, 0);
                all += light;
                moment[0] += light * (double)i, moment[1] += light * (double)j, moment[2] += light * (double)k;
            }
    for (int n = 0; n < 3; n++)
        centre[n] = moment[n] / all;
}

/* The cubic convolution kernel of Keys (1981) with a = -1/2. */
static double cubic(double distance)
{
    const double s = fabs(distance);
    return s < 1 ? 1.5 * s * s * s - 2.5 * s * s + 1 : s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0;
}

static double interpolate(const reference_image *image, double x, double y, double z)
{
    const int64_t i = (int64_t)floor(x), j = (int64_t)floor(y), k = (int64_t)floor(z);
    double sum = 0;
    for (int64_t c = k - 1; c <= k + 2; c++)
        for (int64_t b = j - 1; b <= j + 2; b++)
            for (int64_t a = i - 1; a <= i + 2; a++)
                sum +=
                    cubic(x - (double)a) * cubic(y - (double)b) * cubic(z - (double)c) * reference_at(image, a, b, c);
    return sum;
}

/* Returns the number of beads; `psf` is their mean, clipped to at least 0 and scaled to a sum of 1. */
static int measure_beads(const reference_image *image, double threshold, reference_image *psf)
{
    const double background = median_of(image),
                 min = background + threshold * (reference_reduce(image, REFERENCE_MAXIMUM) - background);
    const drua_shape box = psf->shape;
    int beads = 0;
    double sum = 0;
    REFERENCE_EACH_PIXEL(image->shape, x, y, z) {
        const int64_t at[] = {x, y, z};
        double centre[3];
        if (reference_at(image, x, y, z) < min || !is_bead(image, box, x, y, z))
            continue;
        centre_of(image, at, background, centre);
        beads++;
        for (size_t i = 0; i < reference_count(psf); i++) {
            const int64_t n = (int64_t)i;
            psf->pixels[i] += interpolate(image, (double)(x + n % box.width - box.width / 2) + centre[0],
                                          (double)(y + n / box.width % box.height - box.height / 2) + centre[1],
                                          (double)(z + n / box.width / box.height - box.depth / 2) + centre[2]) -
                              background;
        }
    }
    for (size_t i = 0; i < reference_count(psf); i++)
        sum += psf->pixels[i] = fmax(psf->pixels[i], 0);
    for (size_t i = 0; i < reference_count(psf); i++)
        psf->pixels[i] /= sum;
    return beads;
}

/* ---- images of beads */

static double random_between(harness_random *chance, double low, double high)
{
    return low + (high - low) * harness_below(chance, 1 << 20) / (1 << 20);
}

typedef struct field {
    drua_shape shape, box;
    drua_type type;
    int beads;
    double sigma[3], background, height, noise, threshold;
} field;

/* Draws asymmetric beads, so that every axis and every side differs from the others. */
static reference_image draw_beads(const field *f, harness_random *chance)
{
    const drua_shape s = f->shape;
    reference_image image = reference_make(DRUA_NO_TYPE, s), stored = reference_make(f->type, s);
    for (size_t i = 0; i < reference_count(&image); i++)
        image.pixels[i] = f->background + random_between(chance, -f->noise, f->noise);
    for (int n = 0; n < f->beads; n++) {
        const double at[] = {random_between(chance, 0, (double)s.width), random_between(chance, 0, (double)s.height),
                             s.depth > 1 ? random_between(chance, 0, (double)s.depth) : 0};
        const double height = f->height * random_between(chance, 0.5, 1);
        REFERENCE_EACH_PIXEL(s, x, y, z) {
            const double d[] = {((double)x - at[0]) / f->sigma[0], ((double)y - at[1]) / f->sigma[1],
                                ((double)z - at[2]) / f->sigma[2]};
            const double light = height * exp(-(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 2) *
                                 (1 + 0.3 * tanh(d[0]) - 0.2 * tanh(d[1]) + 0.1 * tanh(d[2]));
            reference_put(&image, x, y, z, reference_at(&image, x, y, z) + light);
        }
    }
    reference_copy(&image, &stored);
    reference_free(&image);
    return stored;
}

START_TEST(by_definition)
{
    static const field fields[] = {
        {{70, 61, 40, 3}, {9, 11, 7, 3}, DRUA_FLOAT32, 25, {1.1, 1.5, 1.3}, 10, 100, 1, 0.3},
        {{70, 61, 40, 3}, {8, 6, 5, 3}, DRUA_FLOAT32, 25, {1.6, 1.2, 1.8}, -500, 90, 2, 0.2},
        {{61, 70, 30, 3}, {7, 7, 9, 3}, DRUA_UINT16, 20, {1.3, 1.7, 2}, 100, 3000, 20, 0.4},
        {{61, 70, 30, 3}, {5, 7, 9, 3}, DRUA_INT16, 20, {0.9, 1.1, 1.4}, -1000, 3000, 9, 0.4},
        {{130, 97, 1, 2}, {9, 13, 1, 3}, DRUA_FLOAT32, 40, {1.2, 1.6, 1}, 0, 1, 0.01, 0.3},
        {{130, 97, 2, 3}, {9, 9, 1, 3}, DRUA_UINT8, 40, {1.3, 1.5, 0.7}, 20, 150, 3, 0.5},
    };
    harness_random chance = {17};
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
        const field *f = &fields[n];
        reference_image image = draw_beads(f, &chance), expected = reference_make(DRUA_NO_TYPE, f->box);
        const int beads = measure_beads(&image, f->threshold, &expected);
        drua_argument arguments[] = {IMAGE(harness_push(context, &image)),
                                     NEW,
                                     NUMBER((double)f->box.width),
                                     NUMBER((double)f->box.height),
                                     NUMBER((double)f->box.depth),
                                     NUMBER(f->threshold),
                                     NEW,
                                     NEW,
                                     NEW,
                                     NEW};
        REQUIRE(drua_invoke(context, "measure_psf", arguments, 10, NULL));
        reference_image got = harness_pull(context, arguments[1].image);
        const double peak = reference_reduce(&expected, REFERENCE_MAXIMUM);
        double worst = 0;
        float *pixels = reference_allocate(reference_count(&expected), sizeof *pixels);
        for (size_t i = 0; i < reference_count(&expected); i++) {
            worst = fmax(worst, fabs(got.pixels[i] - expected.pixels[i]) / peak);
            pixels[i] = (float)expected.pixels[i];
        }
        printf("field %zu: %d beads, off by %.1e of the peak\n", n, beads, worst);
        ck_assert_msg(beads >= 5 && arguments[6].number == beads, "field %zu: %g beads, expected %d", n,
                      arguments[6].number, beads);
        ck_assert_msg(worst < 1e-5, "field %zu: off by %g of the peak", n, worst);
        for (int axis = 0; axis < 3; axis++) {
            const double width = psf_width(pixels, f->box, axis), told = arguments[7 + axis].number;
            ck_assert_msg(isnan(width) ? isnan(told) : fabs(told / width - 1) < 1e-4,
                          "field %zu: the width along axis %d is %g, expected %g", n, axis, told, width);
        }
        free(pixels);
        reference_free(&image);
        reference_free(&expected);
        reference_free(&got);
        REQUIRE(drua_clear(context));
    }
}
END_TEST

/* ---- selection of beads: single bright pixels on an even background */

typedef struct point {
    int x, y, z;
    double value;
} point;

/*
 * The number of beads found in boxes of 7 x 5 x 3 in an image of 40 x 30 x 20; 0 if the call is refused for lack of
 * beads.
 */
static int count_beads(double ground, double threshold, point a, point b)
{
    reference_image image = reference_make(DRUA_FLOAT32, reference_stack(40, 30, 20));
    for (size_t i = 0; i < reference_count(&image); i++)
        image.pixels[i] = ground;
    reference_put(&image, a.x, a.y, a.z, a.value);
    if (b.value > 0)
        reference_put(&image, b.x, b.y, b.z, b.value);
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)),
                                 NEW,
                                 NUMBER(7),
                                 NUMBER(5),
                                 NUMBER(3),
                                 NUMBER(threshold),
                                 NEW,
                                 NEW,
                                 NEW,
                                 NEW};
    reference_free(&image);
    if (drua_invoke(context, "measure_psf", arguments, 10, NULL) == DRUA_OK)
        return (int)arguments[6].number;
    ck_assert_msg(strstr(drua_error_message(), "no bead that is alone in a box of 7 x 5 x 3"), "%s",
                  drua_error_message());
    return 0;
}

START_TEST(which_beads)
{
    const point a = {15, 15, 10, 100}, none = {0, 0, 0, 0};
    /* the threshold is 20 + 0.3 * 80 = 44 */
    ck_assert_int_eq(count_beads(20, 0.3, a, (point){25, 15, 10, 44.5}), 2);
    ck_assert_int_eq(count_beads(20, 0.3, a, (point){25, 15, 10, 43.5}), 1);
    ck_assert_int_eq(count_beads(0, 0.5, a, (point){25, 15, 10, 50}), 2); /* a pixel at the limit counts */
    ck_assert_int_eq(count_beads(-80, 0.5, a, (point){25, 15, 10, 10.5}), 2);
    ck_assert_int_eq(count_beads(-80, 0.5, a, (point){25, 15, 10, 9.5}), 1);
    drua_image even;
    REQUIRE(drua_create(context, (drua_shape){9, 9, 9, 3}, DRUA_FLOAT32, &even));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "measure_psf", IMAGE(even), NEW, NUMBER(1), NUMBER(1), NUMBER(1)),
            "no bead that is alone in a box of 1 x 1 x 1");
    static const int reach[] = {3, 2, 1};
    for (int axis = 0; axis < 3; axis++)
        for (int beyond = 0; beyond < 2; beyond++) {
            point b = {15, 15, 10, 90};
            *(axis == 0 ? &b.x : axis == 1 ? &b.y : &b.z) += reach[axis] + beyond;
            ck_assert_msg(count_beads(0, 0.3, a, b) == 1 + beyond, "axis %d, beyond %d", axis, beyond);
        }
    static const int firsts[] = {4, 3, 1}, lasts[] = {40 - 5, 30 - 4, 20 - 2};
    for (int axis = 0; axis < 3; axis++)
        for (int outside = 0; outside < 2; outside++) {
            point low = a, high = a;
            *(axis == 0 ? &low.x : axis == 1 ? &low.y : &low.z) = firsts[axis] - outside;
            *(axis == 0 ? &high.x : axis == 1 ? &high.y : &high.z) = lasts[axis] + outside;
            ck_assert_msg(count_beads(0, 0.3, low, none) == !outside && count_beads(0, 0.3, high, none) == !outside,
                          "axis %d, outside %d", axis, outside);
        }
}
END_TEST

/*
 * A bead that saturates the camera has a wide flat top and is rejected. A bead between pixels has some equal pixels and
 * is accepted.
 */
START_TEST(saturated_beads)
{
    static const double middles[][3] = {{12, 12, 6}, {27.5, 13.5, 6.5}};
    reference_image image = reference_make(DRUA_UINT8, reference_stack(40, 26, 14));
    for (int both = 1; both >= 0; both--) {
        REFERENCE_EACH_PIXEL(image.shape, x, y, z) {
            double light = 10;
            for (int n = 0; n <= both; n++) {
                const double d[] = {(double)x - middles[n][0], (double)y - middles[n][1], (double)z - middles[n][2]};
                light += (n == 0 ? 900 : 300) * exp(-(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 4);
            }
            reference_put(&image, x, y, z, fmin(light, 255));
        }
        drua_argument arguments[] = {IMAGE(harness_push(context, &image)),
                                     NEW,
                                     NUMBER(9),
                                     NUMBER(9),
                                     NUMBER(7),
                                     NUMBER(0.3),
                                     NEW,
                                     NEW,
                                     NEW,
                                     NEW};
        if (both) {
            REQUIRE(drua_invoke(context, "measure_psf", arguments, 10, NULL));
            ck_assert_msg(arguments[6].number == 1 && fabs(arguments[7].number / sqrt(16 * log(2)) - 1) < 0.05,
                          "%g beads, %g wide", arguments[6].number, arguments[7].number);
        } else {
            REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_psf", arguments, 10, NULL), "saturated", "255");
        }
    }
    reference_free(&image);
}
END_TEST

/* The background is the median of more pixels than one pass counts. Most of these pixels have the same value. */
START_TEST(many_pixels)
{
    drua_image image;
    reference_image corner = reference_make(DRUA_UINT8, reference_stack(40, 40, 1));
    for (int i = 0; i < 9; i++)
        reference_put(&corner, 20 + i % 3 - 1, 20 + i / 3 - 1, 0, i == 4 ? 100 : 60);
    REQUIRE(drua_create(context, (drua_shape){4096, 4200, 1, 2}, DRUA_UINT8, &image));
    REQUIRE(INVOKE(context, "set", IMAGE(image), NUMBER(20)));
    REQUIRE(INVOKE(context, "paste", IMAGE(harness_push(context, &corner)), IMAGE(image), NUMBER(0), NUMBER(4160),
                   NUMBER(0)));
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(7), NUMBER(7), NUMBER(1), NUMBER(0.3), NEW, NEW, NEW, NEW};
    REQUIRE(drua_invoke(context, "measure_psf", arguments, 10, NULL));
    ck_assert_double_eq(arguments[6].number, 1);
    float pixels[49];
    REQUIRE(drua_pull(context, arguments[1].image, pixels));
    /* light above the background of 20, as a share of all light */
    ck_assert_double_eq_tol(pixels[24], 80.0 / 400, 1e-6);
    reference_free(&corner);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("beads");
    TCase *tests = tcase_create("beads");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, by_definition, 1);
    harness_add(tests, which_beads, 1);
    harness_add(tests, many_pixels, 1);
    harness_add(tests, saturated_beads, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
