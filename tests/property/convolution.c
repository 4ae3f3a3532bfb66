/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares convolution, and deconvolution by division of spectra, with independent sums in double precision. */
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static volume run_convolve(volume a, volume k, bool correlate, bool normalize, const char *edges)
{
    drua_argument arguments[] = {IMAGE(volume_push(context, a)),
                                 IMAGE(volume_push(context, k)),
                                 NEW,
                                 NUMBER(correlate),
                                 NUMBER(normalize),
                                 NAME(edges)};
    REQUIRE(drua_invoke(context, "convolve_fft", arguments, 6, NULL));
    volume out = volume_pull(context, arguments[2].image);
    REQUIRE(drua_clear(context));
    return out;
}

/* ---- sums. The extents need few box sizes, because each new size compiles its own kernels. */

START_TEST(direct_sums)
{
    static const int sizes[][6] = {{8, 6, 5, 3, 3, 3}, {6, 4, 5, 4, 5, 2}, {8, 6, 1, 3, 2, 7}, {2, 2, 1, 9, 6, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int way = 0; way < 4; way++) {
            const bool correlate = way & 1, periodic = way & 2;
            if (periodic && i > 0)
                continue;
            volume a = random_volume(&chance, sizes[i][0], sizes[i][1], sizes[i][2], -1, 1),
                   k = rough_psf(&chance, sizes[i][3], sizes[i][4], sizes[i][5]);
            volume expected = volume_convolve(a, k, periodic, correlate),
                   got = run_convolve(a, k, correlate, false, periodic ? "periodic" : "zero");
            const double error = volume_distance(got, expected);
            ck_assert_msg(error < 2e-6, "case %zu, way %d: off by %g", i, way, error);
            free(a.v), free(k.v), free(expected.v), free(got.v);
        }
}
END_TEST

/*
 * A weighted sum of neighbours with repeated borders. If an axis of the kernel has an even extent, its last weight
 * counts twice.
 */
static volume weighted(volume a, volume k)
{
    volume out = volume_make(a.w, a.h, a.d);
    const int cx = k.w / 2, cy = k.h / 2, cz = k.d / 2;
    for (int z = 0; z < a.d; z++)
        for (int y = 0; y < a.h; y++)
            for (int x = 0; x < a.w; x++)
                for (int c = -cz; c <= cz; c++)
                    for (int b = -cy; b <= cy; b++)
                        for (int i = -cx; i <= cx; i++)
                            *volume_at(out, x, y, z) +=
                                volume_pixel(k, i + cx, b + cy, c + cz) * volume_pixel(a, x + i, y + b, z + c);
    return out;
}

/*
 * Kernels of more than 1000 weights are applied by a transform, others directly. The error must be at most 1e-6 of the
 * largest pixel times the sum of the weights' magnitudes.
 */
START_TEST(weighted_windows)
{
    static const int sizes[][6] = {{8, 6, 5, 3, 3, 3}, {9, 6, 5, 4, 1, 2},     {33, 6, 1, 5, 8, 1},
                                   {2, 2, 1, 9, 6, 7}, {18, 15, 8, 13, 12, 9}, {32, 38, 1, 41, 34, 1}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        volume a = random_volume(&chance, sizes[n][0], sizes[n][1], sizes[n][2], -100, 100),
               k = random_volume(&chance, sizes[n][3], sizes[n][4], sizes[n][5], -1, 2);
        double scale = 0;
        for (int i = 0; i < volume_count(k); i++)
            scale += fabs(k.v[i]);
        drua_argument arguments[] = {IMAGE(volume_push(context, a)), IMAGE(volume_push(context, k)), NEW};
        REQUIRE(drua_invoke(context, "convolve", arguments, 3, NULL));
        volume expected = weighted(a, k), got = volume_pull(context, arguments[2].image);
        for (int i = 0; i < volume_count(a); i++)
            ck_assert_msg(fabs(got.v[i] - expected.v[i]) < 1e-6 * 100 * scale, "case %zu, pixel %d: %g instead of %g",
                          n, i, got.v[i], expected.v[i]);
        free(a.v), free(k.v), free(expected.v), free(got.v);
    }
    /* NaN and infinity affect only their own window, and integers are summed directly */
    volume a = random_volume(&chance, 40, 40, 1, 0, 100), k = volume_make(33, 33, 1);
    for (int i = 0; i < volume_count(k); i++)
        k.v[i] = 1;
    a.v[0] = NAN;
    drua_argument arguments[] = {IMAGE(volume_push(context, a)), IMAGE(volume_push(context, k)), NEW};
    REQUIRE(drua_invoke(context, "convolve", arguments, 3, NULL));
    volume got = volume_pull(context, arguments[2].image);
    ck_assert(isnan(got.v[0]) && isfinite(*volume_at(got, 39, 39, 0)));
    for (int i = 0; i < volume_count(a); i++)
        a.v[i] = i == 820;
    drua_argument whole[] = {IMAGE(volume_push(context, a)), IMAGE(volume_push(context, k)), NEW};
    REQUIRE(drua_create(context, (drua_shape){40, 40, 1, 2}, DRUA_UINT8, &whole[2].image));
    whole[2].kind = DRUA_ARG_IMAGE;
    REQUIRE(drua_invoke(context, "convolve", whole, 3, NULL));
    uint8_t *bytes = malloc(1600);
    REQUIRE(drua_pull(context, whole[2].image, bytes));
    for (int i = 0; i < 1600; i++)
        ck_assert_int_eq(bytes[i], abs(i % 40 - 20) <= 16 && abs(i / 40 - 20) <= 16);
    free(bytes), free(a.v), free(k.v), free(got.v);
}
END_TEST

/* The convolution of a point is the kernel at that point. */
START_TEST(point)
{
    for (int parity = 0; parity < 64; parity++) {
        volume a = volume_make(9 + (parity & 1), 7 + (parity >> 1 & 1), 11 + (parity >> 2 & 1));
        volume k = rough_psf(&chance, 4 + (parity >> 3 & 1), 4 + (parity >> 4 & 1), 2 + (parity >> 5 & 1));
        const int x = a.w / 2, y = a.h / 2, z = a.d / 2;
        *volume_at(a, x, y, z) = 1;
        volume got = run_convolve(a, k, false, true, "zero");
        const double all = volume_sum(k);
        for (int c = 0; c < k.d; c++)
            for (int b = 0; b < k.h; b++)
                for (int i = 0; i < k.w; i++) {
                    const double expected = *volume_at(k, i, b, c) / all,
                                 is = *volume_at(got, x + i - k.w / 2, y + b - k.h / 2, z + c - k.d / 2);
                    ck_assert_msg(fabs(is - expected) < 1e-6, "parity %d at %d, %d, %d: %g instead of %g", parity, i, b,
                                  c, is, expected);
                }
        ck_assert_msg(fabs(volume_sum(got) - 1) < 1e-5, "parity %d: the sum is %g", parity, volume_sum(got));
        free(a.v), free(k.v), free(got.v);
    }
}
END_TEST

/* ---- spectra */

/* The image with its surroundings: three pixels along x and y and two along z, as a kernel of 7 x 6 x 5 needs. */
static volume with_surroundings(volume g, const char *edges)
{
    enum { X = 3, Y = 3, Z = 2 };
    volume box = volume_make(g.w + 2 * X, g.h + 2 * Y, g.d + 2 * Z);
    for (int i = 0; i < volume_count(box); i++) {
        int at[] = {i % box.w - X, i / box.w % box.h - Y, i / box.w / box.h - Z};
        const int n[] = {g.w, g.h, g.d};
        bool outside = false;
        for (int axis = 0; axis < 3; axis++) {
            outside = outside || at[axis] < 0 || at[axis] >= n[axis];
            if (edges[0] == 'm')
                at[axis] = at[axis] < 0 ? -1 - at[axis] : at[axis] >= n[axis] ? 2 * n[axis] - 1 - at[axis] : at[axis];
        }
        box.v[i] = outside && edges[0] == 'z' ? 0 : volume_pixel(g, at[0], at[1], at[2]);
    }
    return box;
}

START_TEST(inverse_filters)
{
    static const char *const edges[] = {"periodic", "mirror", "zero", "repeat"};
    volume psf = rough_psf(&chance, 7, 6, 5), g = blurred_scene(&chance, 18, 15, 8, psf, 0);
    for (int n = 0; n < 8; n++) {
        const bool laplace = n & 1, periodic = n < 2;
        const char *around = edges[n / 2];
        volume box = periodic ? volume_copy(g) : with_surroundings(g, around), expected = volume_make(g.w, g.h, g.d);
        spectrum k = spectrum_of_kernel(psf, box);
        for (int i = 0; i < volume_count(box); i++) {
            const double f[] = {spectrum_cycles(i % box.w, box.w), spectrum_cycles(i / box.w % box.h, box.h),
                                spectrum_cycles(i / box.w / box.h, box.d)};
            double l = 0;
            for (int axis = 0; axis < 3; axis++)
                l += 4 * pow(sin(M_PI * f[axis]), 2);
            k.v[i] = conj(k.v[i]) / (creal(k.v[i] * conj(k.v[i])) + 0.003 * (laplace ? l * l : 1));
        }
        volume all = spectrum_filter(box, k);
        for (int i = 0; i < volume_count(g); i++)
            expected.v[i] = *volume_at(all, i % g.w + (box.w - g.w) / 2, i / g.w % g.h + (box.h - g.h) / 2,
                                       i / g.w / g.h + (box.d - g.d) / 2);
        drua_argument arguments[] = {IMAGE(volume_push(context, g)),
                                     IMAGE(volume_push(context, psf)),
                                     NEW,
                                     NAME(laplace ? "laplacian" : "wiener"),
                                     NUMBER(0.003),
                                     NAME(around)};
        REQUIRE(drua_invoke(context, "deconvolve_inverse", arguments, 6, NULL));
        volume got = volume_pull(context, arguments[2].image);
        printf("inverse filter %d, %s: relative error %.1e\n", laplace, around, volume_distance(got, expected));
        ck_assert_msg(volume_distance(got, expected) < 1e-5, "filter %d, %s: off by %g", laplace, around,
                      volume_distance(got, expected));
        free(k.v), free(expected.v), free(got.v), free(box.v), free(all.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("convolution");
    TCase *tests = tcase_create("convolution");
    chance.state = harness_new_seed("convolution");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, direct_sums, 1);
    harness_add(tests, weighted_windows, 1);
    harness_add(tests, point, 1);
    harness_add(tests, inverse_filters, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
