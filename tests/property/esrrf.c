/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares eSRRF with a reference of its definition and with numbers from a numpy implementation; tests positions in
 * the result and long movies.
 */
#include "harness.h"
#include "reference_esrrf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_esrrf");
}

static void close_context(void)
{
    drua_close(context);
}

typedef struct movie {
    int width, height, frames;
    double *pixels;
} movie;

static drua_image push_movie(const movie *m)
{
    reference_image image = reference_make(DRUA_UINT16, reference_stack(m->width, m->height, m->frames));
    memcpy(image.pixels, m->pixels, reference_count(&image) * sizeof *image.pixels);
    drua_image handle = harness_push(context, &image);
    reference_free(&image);
    return handle;
}

static reference_image result_of(const movie *m, const char *options)
{
    drua_image source = push_movie(m);
    drua_argument arguments[] = {IMAGE(source), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "esrrf", arguments, 3, NULL));
    reference_image result = harness_pull(context, arguments[1].image);
    REQUIRE(drua_release(context, source));
    REQUIRE(drua_release(context, arguments[1].image));
    return result;
}

/* Values may differ by 1e-5 of the largest absolute value; NaN must be at the same pixels. */
static void compare_values(const reference_image *got, const double *expected, size_t count, const char *what)
{
    double largest = 0;
    ck_assert_uint_eq(reference_count(got), count);
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < count; i++)
        if (isnan(expected[i]) ? !isnan(got->pixels[i]) : !(fabs(got->pixels[i] - expected[i]) <= 1e-5 * largest))
            ck_abort_msg("%s: pixel %zu: expected %.9g, got %.9g; the largest is %.9g", what, i, expected[i],
                         got->pixels[i], largest);
}

/* ---- numbers from the numpy implementation */

static void read_numbers(FILE *file, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(fscanf(file, "%lf", &numbers[i]), 1);
    ck_assert_int_eq(fgetc(file), '\n');
}

START_TEST(golden)
{
    FILE *file = fopen(TEST_DATA "/esrrf.txt", "r");
    char options[512];
    int cases = 0;
    ck_assert_ptr_nonnull(file);
    for (; fgets(options, sizeof options, file); cases++) {
        movie m;
        ck_assert_int_eq(fscanf(file, "%d %d %d ", &m.width, &m.height, &m.frames), 3);
        m.pixels = reference_allocate((size_t)(m.width * m.height * m.frames), sizeof *m.pixels);
        read_numbers(file, m.pixels, (size_t)(m.width * m.height * m.frames));
        reference_image got = result_of(&m, options);
        double *expected = reference_allocate(reference_count(&got), sizeof *expected);
        read_numbers(file, expected, reference_count(&got));
        compare_values(&got, expected, reference_count(&got), options);
        reference_free(&got);
        free(expected);
        free(m.pixels);
    }
    fclose(file);
    ck_assert_int_gt(cases, 15);
}
END_TEST

/* ---- random movies */

typedef enum content { NOISE, FLAT, SATURATED, OFFSET, CONTENTS } content;

static double random_pixel(content what)
{
    switch (what) {
    case FLAT: return 100 + 20 * (harness_below(&chance, 10) == 0);
    case SATURATED: return fmin(harness_below(&chance, 3000), 1000);
    case OFFSET: return 60000 + harness_below(&chance, 50);
    default: return harness_below(&chance, 65536);
    }
}

static movie random_movie(int width, int height, int frames, content what)
{
    movie m = {width, height, frames, reference_allocate((size_t)(width * height * frames), sizeof(double))};
    for (int i = 0; i < width * height * frames; i++)
        m.pixels[i] = random_pixel(what);
    return m;
}

/* Magnifies all frames, one after the other. */
static double *frames_of(const movie *m, const reference_esrrf *s)
{
    const int plane = m->width * m->height, magnified = plane * s->magnification * s->magnification;
    double *frames = reference_allocate((size_t)magnified * (size_t)m->frames, sizeof *frames);
    for (int t = 0; t < m->frames; t++)
        reference_esrrf_frame(s, m->pixels + t * plane, m->width, m->height, frames + t * magnified);
    return frames;
}

static const char *const projections[] = {"AVG", "VAR", "TAC2"};
static const char *const registrations[] = {"nanopyx", "registered", "nanoj"};

static void try_movie(const movie *m, const reference_esrrf *s, int group)
{
    const int magnified = m->width * m->height * s->magnification * s->magnification,
              step = group == 0 || group > m->frames ? m->frames : group;
    const int points = (m->frames + step - 1) / step;
    double *frames = frames_of(m, s), *expected = reference_allocate((size_t)(magnified * points), sizeof *expected);
    char options[512];
    for (size_t k = 0; k < sizeof projections / sizeof *projections; k++) {
        for (int t = 0; t < points; t++)
            for (int i = 0; i < magnified; i++)
                expected[t * magnified + i] =
                    reference_esrrf_projection(*projections[k], frames + t * step * magnified + i,
                                               t == points - 1 ? m->frames - t * step : step, magnified);
        snprintf(
            options, sizeof options,
            "magnification=%d radius=%g sensitivity=%g projection=%s frames_per_timepoint=%d intensity_weighting=%d "
            "macro_pixel_correction=false registration=%s",
            s->magnification, s->radius, s->sensitivity, projections[k], group, s->intensity_weighting,
            registrations[s->registration]);
        reference_image got = result_of(m, options);
        compare_values(&got, expected, (size_t)(magnified * points), options);
        reference_free(&got);
    }
    free(expected);
    free(frames);
}

START_TEST(random_movies)
{
    static const double radii[] = {0.5, 1, 1.5, 2, 2.7, 4}, sensitivities[] = {1, 1, 1.5, 2, 4};
    for (int i = 0; i < 40; i++) {
        const reference_esrrf s = {.magnification = 1 + i % 10,
                                   .radius = radii[harness_below(&chance, 6)],
                                   .sensitivity = sensitivities[harness_below(&chance, 5)],
                                   .intensity_weighting = harness_below(&chance, 3) > 0,
                                   .registration = (reference_registration)harness_below(&chance, 3)};
        /* in smaller frames, all pixels may be much smaller than the intermediate values whose rounding they show */
        const int inner = (int)(2 * s.radius) + 1, min = s.registration == REFERENCE_NANOJ && inner < 5 ? 5 : inner;
        movie m = random_movie(min + harness_below(&chance, 14), min + harness_below(&chance, 14),
                               1 + harness_below(&chance, 5), (content)harness_below(&chance, CONTENTS));
        try_movie(&m, &s, harness_below(&chance, 4));
        free(m.pixels);
    }
}
END_TEST

/*
 * Tests each magnification with narrow, usual and wide rings and each content; odd and even sizes, one frame, a short
 * last group.
 */
START_TEST(all_magnifications)
{
    static const double radii[] = {0.5, 1.5, 4};
    for (int k = 0; k < 30; k++) {
        const reference_esrrf s = {1 + k / 3, radii[k % 3], 1 + k % 4, k % 5 > 0, (reference_registration)(k / 2 % 3)};
        movie m = random_movie(9 + k % 2, 9 + k / 2 % 2, k % 4 == 0 ? 1 : 5, (content)(k % CONTENTS));
        try_movie(&m, &s, k % 3);
        free(m.pixels);
    }
}
END_TEST

/* Tests a movie of more frames than one upload holds, with high grey values. */
START_TEST(long_movie)
{
    const reference_esrrf s = {2, 1, 1, true, REFERENCE_REGISTERED};
    movie m = random_movie(5, 6, 600, OFFSET);
    try_movie(&m, &s, 0);
    try_movie(&m, &s, 290);
    free(m.pixels);
}
END_TEST

START_TEST(macro_pixels)
{
    const reference_esrrf s = {3, 1, 1, true, REFERENCE_NANOPYX};
    movie m = random_movie(9, 8, 4, NOISE);
    double *frames = frames_of(&m, &s);
    for (int t = 0; t < m.frames; t++)
        reference_esrrf_macro_pixels(3, frames + t * 27 * 24, 27, 24);
    reference_image got = result_of(&m, "magnification=3 radius=1 projection=frames registration=nanopyx");
    compare_values(&got, frames, 27 * 24 * 4, "macro-pixels");
    drua_image source = harness_push(context, &got);
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(3)};
    REQUIRE(drua_invoke(context, "macro_pixel_correction", arguments, 3, NULL));
    reference_image again = harness_pull(context, arguments[1].image);
    compare_values(&again, frames, 27 * 24 * 4, "corrected twice");
    reference_free(&got);
    reference_free(&again);
    free(frames);
    free(m.pixels);
}
END_TEST

START_TEST(steps)
{
    const reference_esrrf s = {4, 1.5, 1, false, REFERENCE_REGISTERED};
    movie m = random_movie(11, 7, 1, NOISE);
    double *expected = reference_allocate(44 * 28, sizeof *expected);
    drua_image source = push_movie(&m);
    drua_argument magnify[] = {IMAGE(source), NEW, NUMBER(4), NAME("catmull_rom")};
    REQUIRE(drua_invoke(context, "magnify", magnify, 4, NULL));
    reference_image got = harness_pull(context, magnify[1].image);
    reference_esrrf_magnify(&s, m.pixels, 11, 7, expected);
    compare_values(&got, expected, 44 * 28, "magnify");
    reference_free(&got);
    drua_argument converge[] = {IMAGE(source), NEW, NUMBER(4), NUMBER(1.5), NUMBER(1)};
    REQUIRE(drua_invoke(context, "radial_gradient_convergence", converge, 5, NULL));
    got = harness_pull(context, converge[1].image);
    reference_esrrf_frame(&s, m.pixels, 11, 7, expected);
    compare_values(&got, expected, 44 * 28, "radial_gradient_convergence");
    reference_free(&got);
    free(expected);
    free(m.pixels);
}
END_TEST

START_TEST(flat_images_stay_flat)
{
    static const char *const methods[] = {"bicubic", "lanczos"};
    reference_image one = reference_make(DRUA_UINT16, reference_plane(9, 5));
    for (size_t i = 0; i < reference_count(&one); i++)
        one.pixels[i] = 1000;
    drua_image source = harness_push(context, &one);
    for (int k = 0; k < 2; k++) {
        drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(6), NAME(methods[k])};
        REQUIRE(drua_invoke(context, "magnify", arguments, 4, NULL));
        reference_image got = harness_pull(context, arguments[1].image);
        for (size_t i = 0; i < reference_count(&got); i++)
            ck_assert_double_eq_tol(got.pixels[i], 1000, 1e-3);
        reference_free(&got);
    }
    drua_argument arguments[] = {IMAGE(source), NEW, NAME("intensity_weighting=false macro_pixel_correction=false")};
    REQUIRE(drua_invoke(context, "esrrf", arguments, 3, NULL));
    reference_image got = harness_pull(context, arguments[1].image);
    for (size_t i = 0; i < reference_count(&got); i++)
        ck_assert_double_eq(got.pixels[i], 0);
    reference_free(&got);
    reference_free(&one);
}
END_TEST

/* ---- variance and autocorrelation of small changes on a large offset */

START_TEST(moments_on_a_large_number)
{
    enum { COUNT = 3000 };
    reference_image movie_of_one = reference_make(DRUA_FLOAT32, reference_stack(1, 1, COUNT));
    for (int t = 0; t < COUNT; t++)
        movie_of_one.pixels[t] = (float)(60000 + harness_below(&chance, 200) / 100.0 + (t > 100 && t < 900));
    drua_image source = harness_push(context, &movie_of_one);
    for (size_t k = 0; k < sizeof projections / sizeof *projections; k++) {
        drua_argument arguments[] = {IMAGE(source), NEW, NAME(projections[k])};
        REQUIRE(drua_invoke(context, "temporal_projection", arguments, 3, NULL));
        const double expected = reference_esrrf_projection(*projections[k], movie_of_one.pixels, COUNT, 1);
        ck_assert_double_eq_tol(harness_first(context, arguments[1].image), expected, 1e-5 * expected);
    }
    reference_free(&movie_of_one);
}
END_TEST

/* ---- positions in the result */

/* Computes the result's centroid for a Gaussian spot at (x, y), both in frame pixels from the image's corner. */
static void centroid_of_spot(const char *options, double x, double y, double *landed_x, double *landed_y)
{
    enum { SIZE = 21 };
    movie m = {SIZE, SIZE, 1, reference_allocate(SIZE * SIZE, sizeof(double))};
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            m.pixels[j * SIZE + i] = round(60000 * exp(-(pow(i + 0.5 - x, 2) + pow(j + 0.5 - y, 2)) / (2 * 1.2 * 1.2)));
    reference_image got = result_of(&m, options);
    const double magnification = (double)got.shape.width / SIZE;
    double sum = 0, sum_x = 0, sum_y = 0;
    REFERENCE_EACH_PIXEL(got.shape, i, j, z) {
        const double value = reference_at(&got, i, j, z);
        sum += value;
        sum_x += value * (i + 0.5) / magnification;
        sum_y += value * (j + 0.5) / magnification;
    }
    *landed_x = sum_x / sum;
    *landed_y = sum_y / sum;
    reference_free(&got);
    free(m.pixels);
}

START_TEST(spots_keep_their_position)
{
    static const char *const options[] = {"macro_pixel_correction=false",
                                          "magnification=4 macro_pixel_correction=false"};
    static const double places[][2] = {{10.5, 10.5}, {10, 11}, {10.2, 9.7}};
    double x, y;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            centroid_of_spot(options[k], places[i][0], places[i][1], &x, &y);
            ck_assert_double_eq_tol(x, places[i][0], 0.005);
            ck_assert_double_eq_tol(y, places[i][1], 0.005);
        }
    centroid_of_spot("registration=nanopyx macro_pixel_correction=false", 10.5, 10.5, &x, &y);
    ck_assert_double_gt(x, 10.6);
}
END_TEST

/* ---- a synthetic movie, and quality measures of its result */

START_TEST(emitters)
{
    drua_argument arguments[] = {NEW,         NEW,         NUMBER(32), NUMBER(24), NUMBER(50),
                                 NUMBER(300), NUMBER(1.2), NUMBER(0),  NUMBER(15)};
    REQUIRE(drua_invoke(context, "blinking_emitters", arguments, 9, NULL));
    reference_image dark = harness_pull(context, arguments[0].image), truth = harness_pull(context, arguments[1].image);
    double sum = 0, squares = 0, count = (double)reference_count(&dark), total = 0;
    for (size_t i = 0; i < reference_count(&dark); i++) {
        sum += dark.pixels[i];
        squares += dark.pixels[i] * dark.pixels[i];
    }
    ck_assert_double_eq_tol(sum / count, 15, 0.1);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "blinking_emitters", NEW, NEW, NUMBER(32), NUMBER(24), NUMBER(50), NUMBER(300), NUMBER(1.2),
                   NUMBER(400), NUMBER(15), NUMBER(3), NUMBER(0.76)),
            "on_share must be at most 0.75", "0.76");
    REQUIRE(INVOKE(context, "blinking_emitters", NEW, NEW, NUMBER(32), NUMBER(24), NUMBER(50), NUMBER(300), NUMBER(1.2),
                   NUMBER(400), NUMBER(15), NUMBER(3), NUMBER(0.75)));
    ck_assert_double_eq_tol(squares / count - sum * sum / count / count, 15, 0.5);
    for (size_t i = 0; i < reference_count(&truth); i++)
        total += truth.pixels[i];
    ck_assert_double_eq(total, 300);
    reference_free(&dark);
    reference_free(&truth);
}
END_TEST

START_TEST(error_map_finds_blur_and_brightness)
{
    reference_image sharp = reference_make(DRUA_FLOAT32, reference_plane(70, 50));
    for (int i = 0; i < 60; i++)
        sharp.pixels[harness_below(&chance, 70 * 50)] += 1000;
    reference_image seen = reference_make(DRUA_FLOAT32, sharp.shape);
    reference_gaussian_blur(&sharp, 2, 2, 0, &seen);
    for (size_t i = 0; i < reference_count(&seen); i++)
        seen.pixels[i] = 3 * seen.pixels[i] + 500;
    drua_image a = harness_push(context, &seen), b = harness_push(context, &sharp);
    drua_argument arguments[] = {IMAGE(a), IMAGE(b), NEW, NEW, NEW, NEW};
    REQUIRE(drua_invoke(context, "error_map", arguments, 6, NULL));
    ck_assert_double_eq_tol(arguments[4].number, 1, 1e-4);
    ck_assert_double_eq_tol(arguments[5].number, 2, 0.01);
    ck_assert_double_lt(arguments[3].number, 0.5);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "error_map", IMAGE(b), IMAGE(harness_line(context, (float[]){1, 2, 3}, 3)), NEW),
            "super_resolved");
    reference_free(&seen);
    reference_free(&sharp);
}
END_TEST

/*
 * A NaN or infinite pixel may only affect result pixels whose ring or interpolation reads it. Macro-pixel correction
 * must not spread it: elsewhere, results may only change because the correction's means change.
 */
START_TEST(nan_does_not_spread)
{
    enum { SIDE = 24, M = 3, X = 9, Y = 14, FAR = 5 };
    static const double spoilt[] = {NAN, INFINITY};
    movie m = random_movie(SIDE, SIDE, 4, NOISE);
    reference_image image = reference_make(DRUA_FLOAT32, reference_stack(SIDE, SIDE, 4)), results[2];
    memcpy(image.pixels, m.pixels, reference_count(&image) * sizeof *image.pixels);
    for (int k = 0; k < 2; k++)
        for (int corrected = 0; corrected < 2; corrected++) {
            for (int side = 0; side < 2; side++) {
                image.pixels[(2 * SIDE + Y) * SIDE + X] = side ? spoilt[k] : m.pixels[(2 * SIDE + Y) * SIDE + X];
                drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW,
                                             NAME(corrected ? "magnification=3 radius=1.5"
                                                            : "magnification=3 radius=1.5 macro_pixel_correction=0")};
                REQUIRE(drua_invoke(context, "esrrf", arguments, 3, NULL));
                results[side] = harness_pull(context, arguments[1].image);
                REQUIRE(drua_clear(context));
            }
            REFERENCE_EACH_PIXEL(results[0].shape, x, y, z) {
                const double whole = reference_at(&results[0], x, y, z), got = reference_at(&results[1], x, y, z);
                const bool far = llabs(x / M - X) > FAR || llabs(y / M - Y) > FAR;
                if (far && !(corrected ? fabs(got - whole) <= 0.2 * fabs(whole) : got == whole))
                    ck_abort_msg("%g at %d, %d: pixel %d, %d is %g, not %g", spoilt[k], X, Y, (int)x, (int)y, got,
                                 whole);
            }
            reference_free(&results[0]);
            reference_free(&results[1]);
        }
    reference_free(&image);
    free(m.pixels);
}
END_TEST

/* A last time point of one frame has no autocorrelation; the border of a large radius covers the frame. */
START_TEST(empty_results_are_reported)
{
    static const struct {
        const char *options;
        bool lone;
    } cases[] = {{"magnification=2 projection=TAC2 frames_per_timepoint=3", true},
                 {"magnification=2 projection=all frames_per_timepoint=2", true},
                 {"magnification=2 projection=all frames_per_timepoint=4", false},
                 {"magnification=2 projection=VAR frames_per_timepoint=3", false}};
    movie m = random_movie(12, 9, 7, NOISE);
    drua_image source = push_movie(&m);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        REQUIRE(INVOKE(context, "esrrf", IMAGE(source), NEW, NAME(cases[i].options)));
        const char *lines = drua_take_messages(context);
        ck_assert_msg(!strstr(lines, "TAC2 is NaN") != cases[i].lone, "%s: '%s'", cases[i].options, lines);
    }
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(source), NEW, NAME("radius=5")), "radius", "got 5",
            "12 x 9");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "radial_gradient_convergence", IMAGE(source), NEW, NUMBER(5), NUMBER(6), NUMBER(1)),
            "radius");
    REQUIRE(INVOKE(context, "esrrf", IMAGE(source), NEW, NAME("radius=4.4")));
    free(m.pixels);
}
END_TEST

START_TEST(errors_name_the_option)
{
    movie m = random_movie(5, 5, 1, NOISE);
    drua_image source = push_movie(&m);
    static const char *const wrong[][2] = {{"magnifcation=5", "magnifcation"},   {"magnification=2.5", "whole number"},
                                           {"magnification=0", "1 to 20"},       {"radius", "radius=value"},
                                           {"projection=MAX", "AVG, VAR, TAC2"}, {"registration=fiji", "nanopyx"},
                                           {"sensitivity=many", "sensitivity"},  {"radius=nan", "radius"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(source), NEW, NAME(wrong[i][0])), wrong[i][1]);
    REQUIRE(
        INVOKE(context, "esrrf", IMAGE(source), NEW, NAME("Magnification=3, PROJECTION=var intensity_weighting=True")));
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "macro_pixel_correction", IMAGE(source), NEW, NUMBER(2)), "magnification",
            "5 x 5");
    free(m.pixels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("esrrf");
    TCase *tests = tcase_create("esrrf");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, golden, 1);
    harness_add(tests, random_movies, 1);
    harness_add(tests, all_magnifications, 1);
    harness_add(tests, long_movie, 1);
    harness_add(tests, macro_pixels, 1);
    harness_add(tests, steps, 1);
    harness_add(tests, flat_images_stay_flat, 1);
    harness_add(tests, moments_on_a_large_number, 1);
    harness_add(tests, spots_keep_their_position, 1);
    harness_add(tests, emitters, 1);
    harness_add(tests, error_map_finds_blur_and_brightness, 1);
    harness_add(tests, nan_does_not_spread, 1);
    harness_add(tests, empty_results_are_reported, 1);
    harness_add(tests, errors_name_the_option, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
