/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares Fourier ring correlations with spectra that are summed term by term. */
#include "harness.h"

#include <math.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_ring_correlation");
}

static void close_context(void)
{
    drua_close(context);
}

enum { FRC_WIDTH = 15, FRC_HEIGHT = 12 };

static double taper(int x, int size)
{
    const double at = fmin(x + 0.5, size - x - 0.5) / size;
    return at < 0.125 ? 0.5 - 0.5 * cos(8 * acos(-1) * at) : 1;
}

/* One coefficient of the spectrum of a tapered image. */
static void spectrum(const reference_image *image, int u, int v, double *re, double *im)
{
    *re = *im = 0;
    REFERENCE_EACH_PIXEL (image->shape, x, y, z) {
        const double angle = -2 * acos(-1) * (u * (double)x / FRC_WIDTH + v * (double)y / FRC_HEIGHT);
        const double value = reference_at(image, x, y, z) * taper((int)x, FRC_WIDTH) * taper((int)y, FRC_HEIGHT);
        *re += value * cos(angle);
        *im += value * sin(angle);
    }
}

START_TEST(ring_correlation)
{
    reference_image a = reference_make(DRUA_FLOAT32, reference_plane(FRC_WIDTH, FRC_HEIGHT)),
                    b = reference_duplicate(&a);
    for (int i = 0; i < FRC_WIDTH * FRC_HEIGHT; i++) {
        a.pixels[i] = harness_below(&chance, 100);
        b.pixels[i] = a.pixels[i] + harness_below(&chance, 100);
    }
    double sums[FRC_HEIGHT / 2 + 1][3] = {{0}};
    for (int v = -FRC_HEIGHT / 2 + 1; v <= FRC_HEIGHT / 2; v++)
        for (int u = -FRC_WIDTH / 2; u <= FRC_WIDTH / 2; u++) {
            const int ring = (int)(sqrt(pow((double)u * FRC_HEIGHT / FRC_WIDTH, 2) + v * v) + 0.5);
            double ar, ai, br, bi;
            if (ring > FRC_HEIGHT / 2)
                continue;
            spectrum(&a, u, v, &ar, &ai);
            spectrum(&b, u, v, &br, &bi);
            sums[ring][0] += ar * br + ai * bi;
            sums[ring][1] += ar * ar + ai * ai;
            sums[ring][2] += br * br + bi * bi;
        }
    drua_table *table;
    drua_argument arguments[] = {IMAGE(harness_push(context, &a)), IMAGE(harness_push(context, &b)), NEW, NUMBER(0.5)};
    REQUIRE(drua_invoke(context, "fourier_ring_correlation", arguments, 4, &table));
    ck_assert_uint_eq(table->rows, FRC_HEIGHT / 2 + 1);
    for (size_t r = 0; r < table->rows; r++)
        ck_assert_double_eq_tol(table->cells[r * table->columns + 1], sums[r][0] / sqrt(sums[r][1] * sums[r][2]), 1e-5);
    drua_table_free(table);
    arguments[1].image = arguments[0].image;
    REQUIRE(drua_invoke(context, "fourier_ring_correlation", arguments, 4, NULL));
    /* an image correlates with itself up to the highest frequency, so the resolution is two pixels of size 0.5 */
    ck_assert_double_eq_tol(arguments[2].number, 1, 1e-9);
    for (int odd = 0; odd < 2; odd++) {
        (odd ? &b : &a)->pixels[FRC_WIDTH * FRC_HEIGHT / 2] = odd ? INFINITY : NAN;
        drua_argument images[] = {IMAGE(harness_push(context, &a)), IMAGE(harness_push(context, &b)), NEW};
        REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "fourier_ring_correlation", images, 3, NULL), "NaN, infinite");
    }
    reference_free(&a);
    reference_free(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring_correlation");
    TCase *tests = tcase_create("ring_correlation");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_set_timeout(tests, 600);
    harness_add(tests, ring_correlation, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
