/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares deconvolutions that stop when only noise is left in the residual with the same rule in double precision. */
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

/*
 * Checks the iteration after which the call stopped, as the table reports it, and the result. Returns whether the call
 * stopped before the last iteration.
 */
static bool check_end(volume g, volume psf, const char *options, reference_recipe r, int max)
{
    char text[160];
    drua_table *table = NULL;
    int due_end = 0;
    r.at_noise = &due_end;
    volume expected = reference_deconvolve(g, psf, r, max);
    snprintf(text, sizeof text, "iterations=%d keep_partial %s", max, options);
    volume got = volume_deconvolve(context, g, psf, text, &table);
    const int end = (int)table->cells[(table->rows - 1) * table->columns];
    printf("%s: ends after %d iterations, due %d, relative error %.1e\n", text, end, due_end,
           volume_distance(got, expected));
    ck_assert_msg(end == (due_end ? due_end : max), "%s: ends after %d iterations, expected %d", text, end, due_end);
    ck_assert_msg(volume_distance(got, expected) < 4e-5, "%s: off by %g", text, volume_distance(got, expected));
    drua_table_free(table);
    free(expected.v), free(got.v);
    return due_end > 0;
}

/* Accelerated deconvolutions stop by default when only noise is left; others stop only on request. */
START_TEST(noise_ends_it)
{
    static const struct {
        const char *options;
        reference_recipe r;
    } cases[] = {{"accelerate background=10", {.acceleration = HEAVY_BALL, .background = 10}},
                 {"accelerate edges=mirror", {.edges = MIRROR, .acceleration = HEAVY_BALL}},
                 {"accelerate=biggs_andrews edges=circulant", {.edges = CIRCULANT, .acceleration = BIGGS_ANDREWS}},
                 {"accelerate tv=0.002 tv_floor=0.0106", {.acceleration = HEAVY_BALL, .tv = 0.002, .floor = 0.0106}},
                 {"accelerate method=landweber", {.acceleration = HEAVY_BALL, .method = LANDWEBER}},
                 {"at_noise=stop edges=circulant", {.edges = CIRCULANT}},
                 {"accelerate at_noise=stop stop=1e-12", {.acceleration = HEAVY_BALL}}};
    int ended = 0, ran = 0;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        if (!harness_is_sampled((int)n))
            continue;
        volume psf = lopsided_psf(&chance, 7, 6, 5, false),
               g = noisy_scene(&chance, psf, 18, 15, 8, cases[n].r.background,
                               /* the scene was not blurred with mirrored edges */
                               cases[n].r.edges == MIRROR ? 3 : 30);
        ended += check_end(g, psf, cases[n].options, cases[n].r, 100);
        ran++;
        free(psf.v), free(g.v);
    }
    ck_assert_msg(2 * ended >= ran, "%d of %d ended", ended, ran);
}
END_TEST

/*
 * Covers planes, bad pixels, and a table of divergences that ends at the last iteration; with the option to continue,
 * the iterations continue.
 */
START_TEST(noise_and_tables)
{
    volume psf = lopsided_psf(&chance, 7, 6, 5, false), flat = lopsided_psf(&chance, 7, 6, 1, false),
           g = noisy_scene(&chance, psf, 18, 15, 8, 0, 20);
    volume plane = noisy_scene(&chance, flat, 40, 33, 1, 0, 20), mask = volume_make(18, 15, 8), expected;
    drua_table *table = NULL;
    int end = 0;
    const int max = 100;
    ck_assert(check_end(plane, flat, "accelerate", (reference_recipe){.acceleration = HEAVY_BALL}, 100));
    for (int i = 0; i < volume_count(g); i += 7)
        mask.v[i] = 1;
    reference_deconvolve_until(
        g, psf, (reference_recipe){.acceleration = HEAVY_BALL, .bad = mask, .start = 20, .at_noise = &end}, &max, 1,
        &expected, NULL);
    drua_argument masked[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)),
                              IMAGE(volume_push(context, mask)), NEW,
                              NAME("iterations=100 accelerate curve=5 start=20")};
    REQUIRE(drua_invoke(context, "deconvolve_masked", masked, 5, &table));
    volume got = volume_pull(context, masked[3].image);
    printf("masked: %zu rows of a curve, due to end after %d, relative error %.1e\n", table->rows, end,
           volume_distance(got, expected));
    ck_assert(end >= 10 && end < max);
    ck_assert_uint_eq(table->rows, (size_t)end / 5 + 1);
    ck_assert_double_lt(volume_distance(got, expected), 2e-5);
    drua_table_free(table);
    volume all = volume_deconvolve(context, g, psf, "iterations=100 accelerate curve=5 at_noise=go_on", &table);
    ck_assert_uint_eq(table->rows, 20);
    drua_table_free(table);
    table = NULL;
    volume plain = volume_deconvolve(context, g, psf, "iterations=100 curve=5", &table);
    ck_assert_uint_eq(table->rows, 20);
    drua_table_free(table);
    free(psf.v), free(flat.v), free(g.v), free(plane.v), free(mask.v), free(expected.v), free(got.v), free(all.v),
        free(plain.v);
}
END_TEST

/* Fused passes keep no prediction; one is computed for the noise check only, and later iterations are unchanged. */
START_TEST(fused_passes_end)
{
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_FFT", "builtin", 1);
    drua_context *usual = context;
    context = harness_open();
    volume psf = lopsided_psf(&chance, 7, 6, 5, false), noisy = noisy_scene(&chance, psf, 18, 15, 8, 0, 30);
    ck_assert(check_end(noisy, psf, "at_noise=stop", (reference_recipe){.edges = NONCIRCULANT}, 150));
    free(noisy.v);
    noisy = noisy_scene(&chance, psf, 1020, 4, 2, 10, 200);
    ck_assert(check_end(noisy, psf, "accelerate background=10",
                        (reference_recipe){.acceleration = HEAVY_BALL, .background = 10}, 80));
    free(noisy.v), free(psf.v);
    drua_close(context);
    context = usual;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deconvolution_noise");
    chance.state = harness_new_seed("deconvolution_noise");
    TCase *ends = tcase_create("ends"), *tables = tcase_create("tables"), *fused = tcase_create("fused");
    tcase_add_checked_fixture(ends, open_context, close_context);
    tcase_add_checked_fixture(tables, open_context, close_context);
    tcase_add_checked_fixture(fused, open_context, close_context);
    harness_add(ends, noise_ends_it, 1);
    harness_add(tables, noise_and_tables, 1);
    harness_add(fused, fused_passes_end, 1);
    suite_add_tcase(suite, ends);
    suite_add_tcase(suite, tables);
    suite_add_tcase(suite, fused);
    return harness_run(suite);
}
