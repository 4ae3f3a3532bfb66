/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the drift of movies: compares estimates with a known truth, and corrections with a reference in double
 * precision.
 */
#include "harness.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_drift");
}

static void close_context(void)
{
    drua_close(context);
}

typedef struct scene {
    int width, height, frames, emitters;
    double photons, share, x, y; /* `share`: fraction of time that an emitter is on; `x`, `y`: the drift */
} scene;

static drua_image make_movie(const scene *s)
{
    drua_argument arguments[] = {NEW,
                                 NEW,
                                 NUMBER(s->width),
                                 NUMBER(s->height),
                                 NUMBER(s->frames),
                                 NUMBER(s->emitters),
                                 NUMBER(1.2),
                                 NUMBER(s->photons),
                                 NUMBER(20),
                                 NUMBER(2),
                                 NUMBER(s->share),
                                 NUMBER(1),
                                 NUMBER(s->x),
                                 NUMBER(s->y)};
    REQUIRE(drua_invoke(context, "blinking_emitters", arguments, 14, NULL));
    return arguments[0].image;
}

typedef struct errors {
    double spread,
        /*
         * limits of the standard deviation and of the largest error of the shifts over both axes, apart from a shift
         * common to all frames
         */
        max;
} errors;

static errors judge(const scene *s, const drua_table *table)
{
    errors e = {0, 0};
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_eq(table->rows, (size_t)s->frames);
    ck_assert_uint_eq(table->columns, 3);
    for (int axis = 0; axis < 2; axis++) {
        const double drift = axis ? s->y : s->x;
        double sum = 0, squares = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int t = 0; t < s->frames; t++) {
                const double error = table->cells[3 * t + 1 + axis] - drift * t / (s->frames - 1);
                if (pass == 0) {
                    sum += error / s->frames;
                } else {
                    squares += (error - sum) * (error - sum) / s->frames;
                    e.max = fmax(e.max, fabs(error - sum));
                }
            }
        e.spread = fmax(e.spread, sqrt(squares));
    }
    return e;
}

/*
 * Compares estimates with the known drift. The scene's lines run along x, so the accuracy along x depends on the number
 * of emitters that are on at a time.
 */
START_TEST(a_known_drift_is_found)
{
    static const struct {
        scene scene;
        int together;
        double spread, max;
    } cases[] = {{{64, 64, 400, 1200, 400, 0.03, 3.7, -2.3}, 50, 0.1, 0.25},
                 {{64, 64, 400, 1200, 400, 0.03, 0, 0}, 50, 0.1, 0.25},
                 {{63, 61, 100, 3000, 10000, 0.66, 2.5, 1.5}, 10, 0.03, 0.08},
                 {{128, 96, 200, 5000, 1000, 0.1, -5, 3}, 20, 0.05, 0.15},
                 {{64, 50, 120, 3000, 2000, 0.5, 0.4, 9.5}, 7, 0.06, 0.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scene *s = &cases[i].scene;
        drua_table *table;
        drua_argument arguments[] = {IMAGE(make_movie(s)), NEW, NUMBER(cases[i].together)};
        REQUIRE(drua_invoke(context, "estimate_drift", arguments, 3, &table));
        const errors e = judge(s, table);
        printf("%d x %d, %d frames, drift %g, %g: off by %.3f pixels, %.3f at most\n", s->width, s->height, s->frames,
               s->x, s->y, e.spread, e.max);
        ck_assert_double_lt(e.spread, cases[i].spread);
        ck_assert_double_lt(e.max, cases[i].max);
        reference_image drift = harness_pull(context, arguments[1].image);
        for (int t = 0; t < s->frames; t++)
            ck_assert_double_eq_tol(reference_at(&drift, t, 1, 0), table->cells[3 * t + 2], 1e-5);
        reference_free(&drift);
        drua_table_free(table);
    }
}
END_TEST

/* With a single frame, fewer frames than one group, or an empty image, the drift is 0 and no number is NaN. */
START_TEST(nothing_to_find)
{
    for (int k = 0; k < 4; k++) {
        reference_image movie =
            reference_make(DRUA_UINT16, reference_stack(k == 1 ? 1 : 9, k == 1 ? 1 : 8, k == 0 ? 1 : 6));
        for (size_t i = 0; i < reference_count(&movie); i++)
            movie.pixels[i] = k == 3 ? 60000 : k == 2 ? 0 : harness_below(&chance, 1000);
        drua_argument arguments[] = {IMAGE(harness_push(context, &movie)), NEW, NUMBER(k == 0 ? 50 : 2)};
        REQUIRE(drua_invoke(context, "estimate_drift", arguments, 3, NULL));
        reference_image drift = harness_pull(context, arguments[1].image);
        for (size_t i = 0; i < reference_count(&drift); i++)
            ck_assert_double_eq(drift.pixels[i], 0);
        reference_free(&drift);
        reference_free(&movie);
    }
}
END_TEST

/* ---- against a search in double precision */

/* The next extent without prime factors above 7, which transforms support. */
static int smooth_extent(int extent)
{
    for (;; extent++) {
        int rest = extent;
        for (int factor = 2; factor <= 7; factor++)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1)
            return extent;
    }
}

/* Blobs that move from the first frame to the second, with noise that does not move. */
static reference_image moving_blobs(int width, int height, double dx, double dy)
{
    enum { BLOB = 7 };
    reference_image movie = reference_make(DRUA_FLOAT32, reference_stack(width, height, 2));
    for (int blob = 0; blob < width * height / 40; blob++) {
        const double x = harness_below(&chance, 1000 * width) / 1000.0,
                     y = harness_below(&chance, 1000 * height) / 1000.0, top = harness_below(&chance, 1000);
        for (int z = 0; z < 2; z++) {
            const double bx = x + z * dx, by = y + z * dy;
            for (int j = (int)by - BLOB; j <= by + BLOB; j++)
                for (int i = (int)bx - BLOB; i <= bx + BLOB; i++)
                    if (i >= 0 && j >= 0)
                        reference_put(&movie, i, j, z,
                                      reference_at(&movie, i, j, z) +
                                          top * exp(-(pow(i - bx, 2) + pow(j - by, 2)) / 3.4));
        }
    }
    REFERENCE_EACH_PIXEL(movie.shape, x, y, z)
        reference_put(&movie, x, y, z, reference_at(&movie, x, y, z) + harness_below(&chance, 400));
    return movie;
}

static double tukey(int64_t x, int64_t size)
{
    const double at = fmin((double)x + 0.5, (double)(size - x) - 0.5) / (double)size;
    return at < 0.125 ? 0.5 - 0.5 * cos(8 * acos(-1) * at) : 1;
}

/*
 * The spectrum of a frame, windowed and without its mean: waves x of `width` (below half of it) and y of `height`, as
 * [y][x].
 */
static double complex *waves_of(const reference_image *movie, int z, int width, int height)
{
    const int w = (int)movie->shape.width, h = (int)movie->shape.height, columns = (width + 1) / 2;
    double complex *rows = reference_allocate((size_t)(columns * h), sizeof *rows),
                   *waves = reference_allocate((size_t)(columns * height), sizeof *waves);
    double complex *turn_x = reference_allocate((size_t)width, sizeof *turn_x),
                   *turn_y = reference_allocate((size_t)height, sizeof *turn_y);
    double sum = 0, all = 0;
    for (int i = 0; i < width; i++)
        turn_x[i] = cexp(-2 * acos(-1) * I * i / width);
    for (int i = 0; i < height; i++)
        turn_y[i] = cexp(-2 * acos(-1) * I * i / height);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            sum += tukey(x, w) * tukey(y, h) * reference_at(movie, x, y, z);
            all += tukey(x, w) * tukey(y, h);
        }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const double value = (reference_at(movie, x, y, z) - sum / all) * tukey(x, w) * tukey(y, h);
            for (int k = 0; k < columns; k++)
                rows[y * columns + k] += value * turn_x[(int64_t)k * x % width];
        }
    for (int k = 0; k < height; k++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < columns; x++)
                waves[k * columns + x] += rows[y * columns + x] * turn_y[(int64_t)k * y % height];
    free(rows);
    free(turn_x);
    free(turn_y);
    return waves;
}

/* The maximum of two frames' correlation near the start, by Newton's method to full precision. */
static void find_peak(const reference_image *movie, int width, int height, double *sx, double *sy)
{
    const int columns = (width + 1) / 2;
    double complex *still = waves_of(movie, 0, width, height), *moved = waves_of(movie, 1, width, height);
    for (int step = 0; step < 20; step++) {
        double gx = 0, gy = 0, xx = 0, xy = 0, yy = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < columns; x++) {
                const int ky = y <= height / 2 ? y : y - height;
                const double wx = 2 * acos(-1) * x / width, wy = 2 * acos(-1) * ky / height;
                if (x * x + ky * ky < 2.5 * 2.5 || 2 * y == height)
                    continue;
                const double complex c = (x ? 2 : 1) * moved[y * columns + x] * conj(still[y * columns + x]) *
                                         cexp(I * (wx * *sx + wy * *sy));
                gx -= wx * cimag(c);
                gy -= wy * cimag(c);
                xx -= wx * wx * creal(c);
                xy -= wx * wy * creal(c);
                yy -= wy * wy * creal(c);
            }
        *sx -= (gx * yy - gy * xy) / (xx * yy - xy * xy);
        *sy -= (gy * xx - gx * xy) / (xx * yy - xy * xy);
    }
    free(still);
    free(moved);
}

/*
 * Covers more and wider rows than a work-group processes at a time, odd extents, extents that transforms enlarge, and
 * shifts close to the largest in the search range. For smaller shifts the second search would find what the first
 * missed.
 */
START_TEST(shifts_are_those_of_the_correlation)
{
    static const struct {
        int width, height;
        double x, y;
    } cases[] = {{20, 1050, 2.3, 255.4},
                 {1050, 20, 255.6, 1.7},
                 {315, 45, 11.2, -9.8},
                 {96, 70, 13.6, 16.45},
                 {59, 46, -3.4, 2.45}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int width = cases[i].width, height = cases[i].height;
        double x = cases[i].x, y = cases[i].y;
        reference_image movie = moving_blobs(width, height, x, y);
        drua_table *table;
        drua_argument arguments[] = {IMAGE(harness_push(context, &movie)), NEW, NUMBER(1)};
        find_peak(&movie, smooth_extent(width), smooth_extent(height), &x, &y);
        REQUIRE(drua_invoke(context, "estimate_drift", arguments, 3, &table));
        printf("%d x %d: %.6f, %.6f, off by %.2g, %.2g\n", width, height, x, y, table->cells[4] - x,
               table->cells[5] - y);
        ck_assert_double_eq_tol(table->cells[4], x, 1e-4);
        ck_assert_double_eq_tol(table->cells[5], y, 1e-4);
        drua_table_free(table);
        reference_free(&movie);
    }
}
END_TEST

/* ---- correction */

static double clamped_pixel(const reference_image *image, int x, int y, int z)
{
    x = x < 0 ? 0 : x >= image->shape.width ? (int)image->shape.width - 1 : x;
    y = y < 0 ? 0 : y >= image->shape.height ? (int)image->shape.height - 1 : y;
    return reference_at(image, x, y, z);
}

/* Lanczos kernel with 4 lobes. */
static double lanczos(double t)
{
    const double a = acos(-1) * t;
    return t == 0 ? 1 : fabs(t) < 4 ? 4 * sin(a) * sin(a / 4) / (a * a) : 0;
}

static double value_at(const reference_image *image, double x, double y, int z)
{
    double sum = 0, all = 0;
    for (int j = (int)floor(y) - 4; j <= floor(y) + 5; j++)
        for (int i = (int)floor(x) - 4; i <= floor(x) + 5; i++) {
            sum += lanczos(x - i) * lanczos(y - j) * clamped_pixel(image, i, j, z);
            all += lanczos(x - i) * lanczos(y - j);
        }
    return sum / all;
}

START_TEST(frames_go_back)
{
    static const drua_type types[] = {DRUA_FLOAT32, DRUA_UINT16, DRUA_UINT8};
    for (int k = 0; k < 12; k++) {
        const int width = 1 + harness_below(&chance, 20), height = 1 + harness_below(&chance, 20),
                  frames = 1 + harness_below(&chance, 6);
        reference_image movie =
            harness_image(&chance, types[k % 3], reference_stack(width, height, frames), HARNESS_POSITIVE);
        reference_image drift = reference_make(DRUA_FLOAT32, reference_plane(frames, 2));
        double largest = 0;
        for (size_t i = 0; i < reference_count(&movie); i++)
            largest = fmax(largest, movie.pixels[i]);
        for (size_t i = 0; i < reference_count(&drift); i++)
            drift.pixels[i] = (harness_below(&chance, 4000) - 2000) / (k % 2 ? 512.0 : 250.0) * (k == 3 ? 100 : 1);
        if (k < 3)
            for (size_t i = 0; i < reference_count(&drift); i++)
                drift.pixels[i] = round(drift.pixels[i]);
        for (size_t i = 0; i < reference_count(&drift); i++)
            drift.pixels[i] = (double)(float)drift.pixels[i];
        drua_argument arguments[] = {IMAGE(harness_push(context, &movie)), IMAGE(harness_push(context, &drift)), NEW};
        REQUIRE(drua_invoke(context, "correct_drift", arguments, 3, NULL));
        reference_image got = harness_pull(context, arguments[2].image);
        const double tolerance = k < 3 ? 0 : types[k % 3] == DRUA_FLOAT32 ? 1e-5 * largest : 1.001;
        ck_assert_int_eq(got.type, types[k % 3]);
        REFERENCE_EACH_PIXEL(movie.shape, x, y, z) {
            double value = value_at(&movie, (double)x + drift.pixels[z], (double)y + drift.pixels[frames + z], (int)z);
            if (types[k % 3] != DRUA_FLOAT32)
                value = fmax(0, fmin(value, types[k % 3] == DRUA_UINT8 ? 255 : 65535));
            ck_assert_double_eq_tol(reference_at(&got, x, y, z), value, tolerance + 1e-9);
        }
        reference_free(&got);
        reference_free(&drift);
        reference_free(&movie);
    }
    drua_image line = harness_line(context, (float[]){1, 2, 3}, 3);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "correct_drift", IMAGE(line), IMAGE(line), NEW), "drift", "1 x 2");
}
END_TEST

/* ---- as a part of eSRRF */

static reference_image sharpen(drua_image movie, const char *options, drua_table **table)
{
    drua_argument arguments[] = {IMAGE(movie), NEW, NAME(options)};
    REQUIRE(drua_invoke(context, "esrrf", arguments, 3, table));
    return harness_pull(context, arguments[1].image);
}

static double correlation_of(const reference_image *a, const reference_image *b)
{
    double n = (double)reference_count(a), sa = 0, sb = 0, aa = 0, ab = 0, bb = 0;
    for (size_t i = 0; i < reference_count(a); i++) {
        sa += a->pixels[i] / n;
        sb += b->pixels[i] / n;
    }
    for (size_t i = 0; i < reference_count(a); i++) {
        aa += pow(a->pixels[i] - sa, 2);
        bb += pow(b->pixels[i] - sb, 2);
        ab += (a->pixels[i] - sa) * (b->pixels[i] - sb);
    }
    return ab / sqrt(aa * bb);
}

/* Compares the same emitters without drift, with drift, and with corrected drift. */
START_TEST(drift_is_taken_out_before)
{
    const scene still = {64, 64, 400, 1200, 1000, 0.1, 0, 0}, drifting = {64, 64, 400, 1200, 1000, 0.1, 3, -4};
    const char *options = "magnification=3 radius=2 sensitivity=2";
    drua_table *table;
    drua_image moved = make_movie(&drifting);
    reference_image sharp = sharpen(make_movie(&still), options, &table);
    ck_assert_ptr_null(table);
    reference_image blurred = sharpen(moved, options, NULL);
    reference_image corrected =
        sharpen(moved, "magnification=3 radius=2 sensitivity=2 drift_correction=true drift_frames=40", &table);
    const errors e = judge(&drifting, table);
    const double before = correlation_of(&sharp, &blurred), after = correlation_of(&sharp, &corrected);
    printf("drift off by %.3f; correlation with the movie without drift: %.3f, corrected %.3f\n", e.spread, before,
           after);
    ck_assert_double_lt(e.spread, 0.06);
    ck_assert_double_lt(before, 0.8);
    ck_assert_double_gt(after, 0.95);
    drua_table_free(table);
    reference_free(&sharp);
    reference_free(&blurred);
    reference_free(&corrected);
}
END_TEST

/* The option gives the same result as the two commands, for images and files, however little memory the device has. */
START_TEST(one_option_or_two_commands)
{
    const scene s = {50, 41, 300, 800, 1000, 0.2, 2, 1};
    const char *options =
        "magnification=2 projection=VAR drift_correction=true drift_frames=30 frames_per_timepoint=110";
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/drua_drift_%d.tif", folder ? folder : "/tmp", (int)getpid());
    drua_image movie = make_movie(&s);
    drua_argument numbers[] = {IMAGE(movie), NEW}, drift[] = {IMAGE(movie), NEW, NUMBER(30)};
    REQUIRE(drua_invoke(context, "convert_float", numbers, 2, NULL));
    REQUIRE(drua_invoke(context, "estimate_drift", drift, 3, NULL));
    drua_argument correct[] = {IMAGE(numbers[1].image), IMAGE(drift[1].image), NEW};
    REQUIRE(drua_invoke(context, "correct_drift", correct, 3, NULL));
    reference_image apart = sharpen(correct[2].image, "magnification=2 projection=VAR frames_per_timepoint=110", NULL);
    reference_image together = sharpen(movie, options, NULL);
    ck_assert_double_gt(correlation_of(&apart, &together), 1 - 1e-8);
    REQUIRE(drua_write_tiff(context, movie, path, NULL));
    REQUIRE(drua_set_memory(context, "2MB"));
    for (int k = 0; k < 2; k++) {
        drua_argument arguments[] = {k ? IMAGE(movie) : NAME(path), NEW, NAME(options)};
        REQUIRE(drua_invoke(context, k ? "esrrf" : "esrrf_from_file", arguments, 3, NULL));
        reference_image parts = harness_pull(context, arguments[1].image);
        ck_assert(!memcmp(parts.pixels, together.pixels, reference_count(&parts) * sizeof *parts.pixels));
        reference_free(&parts);
    }
    remove(path);
    reference_free(&apart);
    reference_free(&together);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drift");
    TCase *tests = tcase_create("drift");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, a_known_drift_is_found, 1);
    harness_add(tests, nothing_to_find, 1);
    harness_add(tests, shifts_are_those_of_the_correlation, 1);
    harness_add(tests, frames_go_back, 1);
    harness_add(tests, drift_is_taken_out_before, 1);
    harness_add(tests, one_option_or_two_commands, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
