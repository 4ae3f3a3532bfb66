/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares deconvolution with the same iterations in double precision, and tests properties that microscopists rely on.
 */
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

/*
 * The largest change of the reference's result over several trials when its convolutions are rounded to float32. Total
 * variation without a floor turns random rounding errors into steps.
 */
static double sensitivity(volume g, volume psf, reference_recipe r, int iterations, volume expected)
{
    enum { TRIALS = 20 };
    double max = 0;
    for (int trial = 0; trial < TRIALS && r.tv != 0 && r.floor == 0; trial++) {
        volume other = volume_copy(g);
        for (int i = 0; i < volume_count(g); i++)
            other.v[i] *= 1 + 2e-7 * iterations * (harness_below(&chance, 3) - 1);
        volume moved = reference_deconvolve(other, psf, r, iterations);
        max = fmax(max, volume_distance(moved, expected));
        free(other.v), free(moved.v);
    }
    return max;
}

static const int stops[] = {1, 10, 50, 100};

/* Compares the results after 1, 10, 50 and 100 iterations, up to `max`. */
static void check_iterations(const char *options, reference_recipe r, int max)
{
    static const double tolerance[] = {1e-6, 3e-6, 2e-5, 4e-5};
    /* a psf whose width is measured has a single peak */
    volume psf = lopsided_psf(&chance, 7, 6, 5, r.method != WIENER_BUTTERWORTH);
    volume g = blurred_scene(&chance, 18, 15, 8, psf, r.background), expected[4];
    int n = 0;
    while (n < 4 && stops[n] <= max)
        n++;
    reference_deconvolve_until(g, psf, r, stops, n, expected, NULL);
    for (int k = 0; k < n; k++) {
        char text[128];
        snprintf(text, sizeof text, "iterations=%d %s", stops[k], options);
        volume got = volume_deconvolve(context, g, psf, text, NULL);
        const double error = volume_distance(got, expected[k]),
                     allowed = tolerance[k] + 10 * sensitivity(g, psf, r, stops[k], expected[k]);
        printf("%s: relative error %.1e, at most %.1e\n", text, error, allowed);
        ck_assert_msg(error < allowed, "%s: off by %g", text, error);
        free(expected[k].v), free(got.v);
    }
    free(psf.v), free(g.v);
}

START_TEST(iterations)
{
    static const struct {
        const char *options;
        reference_recipe r;
        /* number of iterations to compare; later results diverge for total variation without a floor */
        int max;
    } cases[] = {{"", {.edges = NONCIRCULANT}, 100},
                 {"edges=mirror", {.edges = MIRROR}, 100},
                 {"edges=mirror background=10", {.edges = MIRROR, .background = 10}, 10},
                 {"edges=mirror start=30", {.edges = MIRROR, .start = 30}, 10},
                 {"edges=circulant", {.edges = CIRCULANT}, 100},
                 {"tv=0.01", {.tv = 0.01}, 10},
                 {"tv=0.01 tv_floor=0.053", {.tv = 0.01, .floor = 0.053}, 100},
                 {"tv=0.2 tv_floor=1.056", {.tv = 0.2, .floor = 1.056}, 100},
                 {"tv=0.02 tv_floor=0.3 spacing=2,0.5,4", {.tv = 0.02, .floor = 0.3, .spacing = {2, 0.5, 4}}, 10},
                 {"accelerate at_noise=go_on", {.acceleration = HEAVY_BALL}, 100},
                 {"accelerate=biggs_andrews background=10 at_noise=go_on",
                  {.acceleration = BIGGS_ANDREWS, .background = 10},
                  100},
                 {"accelerate at_noise=go_on edges=circulant background=10 tv=0.002 tv_floor=0.0106",
                  {.edges = CIRCULANT, .acceleration = HEAVY_BALL, .tv = 0.002, .background = 10, .floor = 0.0106},
                  100},
                 {"method=landweber", {.method = LANDWEBER}, 100},
                 {"method=landweber step=1.5", {.method = LANDWEBER, .step = 1.5}, 50},
                 {"method=landweber background=10 edges=circulant accelerate at_noise=go_on",
                  {.edges = CIRCULANT, .acceleration = HEAVY_BALL, .method = LANDWEBER, .background = 10},
                  100},
                 {"method=landweber precondition=0.05 accelerate",
                  {.method = LANDWEBER, .acceleration = HEAVY_BALL, .precondition = 0.05},
                  10},
                 {"method=landweber precondition=0.2 step=1.5 edges=mirror background=10",
                  {.edges = MIRROR, .method = LANDWEBER, .step = 1.5, .precondition = 0.2, .background = 10},
                  10},
                 {"method=landweber precondition=0.1 edges=circulant",
                  {.edges = CIRCULANT, .method = LANDWEBER, .precondition = 0.1},
                  10},
                 {"method=wiener_butterworth", {.method = WIENER_BUTTERWORTH}, 10},
                 {"method=wiener_butterworth edges=mirror", {.edges = MIRROR, .method = WIENER_BUTTERWORTH}, 10},
                 {"method=wiener_butterworth edges=circulant", {.edges = CIRCULANT, .method = WIENER_BUTTERWORTH}, 10},
                 {"method=wiener_butterworth alpha=0.2 order=3 edges=circulant",
                  {.edges = CIRCULANT, .method = WIENER_BUTTERWORTH, .alpha = 0.2, .order = 3},
                  10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (harness_is_sampled((int)i))
            check_iterations(cases[i].options, cases[i].r, cases[i].max);
}
END_TEST

/*
 * For a wide psf and high noise, Wiener's filter already removes everything that Butterworth's filter would cut off. At
 * a high order, the large powers of frequencies must not disturb this.
 */
START_TEST(nothing_to_end)
{
    const reference_recipe r = {.edges = CIRCULANT, .method = WIENER_BUTTERWORTH, .alpha = 2, .order = 30};
    volume psf = volume_make(17, 17, 7);
    for (int i = 0; i < volume_count(psf); i++)
        psf.v[i] = (float)exp(-(pow(i % 17 - 8, 2) + pow(i / 17 % 17 - 8, 2)) / 18 - pow(i / 289 - 3, 2) / 4.5);
    volume g = blurred_scene(&chance, 20, 18, 8, psf, 0), expected = reference_deconvolve(g, psf, r, 2);
    volume got = volume_deconvolve(context, g, psf,
                                   "iterations=2 method=wiener_butterworth edges=circulant alpha=2 order=30", NULL);
    ck_assert_msg(volume_distance(got, expected) < 1e-5, "off by %g", volume_distance(got, expected));
    free(psf.v), free(g.v), free(expected.v), free(got.v);
}
END_TEST

/*
 * Without limits, Biggs and Andrews' steps would go backwards where total variation oscillates, and overshoot after a
 * start that is much too dark.
 */
START_TEST(limited_steps)
{
    static const struct {
        const char *options;
        reference_recipe r;
        double min, max; /* the limits of a step; without them, the smallest or the largest step lies outside */
    } cases[] = {{"iterations=10 accelerate=biggs_andrews tv=0.1 tv_floor=0.3",
                  {.acceleration = BIGGS_ANDREWS, .tv = 0.1, .floor = 0.3},
                  -0.5,
                  INFINITY},
                 {"iterations=10 accelerate=biggs_andrews start=0.1 background=30",
                  {.acceleration = BIGGS_ANDREWS, .start = 0.1, .background = 30},
                  -INFINITY,
                  1.5}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        double steps[2] = {0};
        reference_recipe r = cases[n].r;
        r.steps = steps;
        volume psf = rough_psf(&chance, 5, 4, 3), g = blurred_scene(&chance, 14, 12, 8, psf, r.background);
        volume expected = reference_deconvolve(g, psf, r, 10),
               got = volume_deconvolve(context, g, psf, cases[n].options, NULL);
        printf("%s: steps from %.2f to %.2f, relative error %.1e\n", cases[n].options, steps[0], steps[1],
               volume_distance(got, expected));
        ck_assert_msg(steps[0] < cases[n].min || steps[1] > cases[n].max,
                      "%s: steps from %g to %g do not reach the limits", cases[n].options, steps[0], steps[1]);
        ck_assert_msg(volume_distance(got, expected) < 1e-5, "%s: off by %g", cases[n].options,
                      volume_distance(got, expected));
        free(psf.v), free(g.v), free(expected.v), free(got.v);
    }
}
END_TEST

/* Includes planes, and kernels larger than the image. */
START_TEST(shapes)
{
    static const int sizes[][6] = {{18, 17, 1, 7, 4, 10}, {20, 17, 1, 5, 5, 1}, {16, 13, 6, 9, 8, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        volume psf = rough_psf(&chance, sizes[i][3], sizes[i][4], sizes[i][5]),
               g = random_volume(&chance, sizes[i][0], sizes[i][1], sizes[i][2], 5, 50);
        volume expected = reference_deconvolve(g, psf, (reference_recipe){.edges = NONCIRCULANT}, 5),
               got = volume_deconvolve(context, g, psf, "iterations=5", NULL);
        ck_assert_msg(volume_distance(got, expected) < 1e-5, "size %zu: off by %g", i, volume_distance(got, expected));
        free(psf.v), free(g.v), free(expected.v), free(got.v);
    }
}
END_TEST

/* Rounding in the transforms, including the engine's own, must not become structure that iterations amplify. */
START_TEST(constant_stays_constant)
{
    static const char *const options[] = {"iterations=30 edges=mirror",
                                          "iterations=30 edges=circulant accelerate",
                                          "iterations=30",
                                          "iterations=20 accelerate",
                                          "iterations=80 accelerate",
                                          "iterations=20 accelerate=biggs_andrews",
                                          "iterations=50 tv=0.01 tv_floor=0.053",
                                          "iterations=50 tv=0.01 tv_floor=0.053 edges=circulant accelerate"};
    for (int lines = 0; lines < 2; lines++) {
        drua_context *usual = context;
        if (lines) {
            setenv("DRUA_AS_GPU", "1", 1);
            setenv("DRUA_FFT", "builtin", 1);
            context = harness_open();
        }
        const int sizes[][3] = {
            {14 + 4 * harness_below(&chance, 2), 12 + 3 * harness_below(&chance, 3), 8}, {14, 15, 8}, {30, 30, 30}};
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
            volume psf = rough_psf(&chance, 7, 6, 5), g = volume_make(sizes[n][0], sizes[n][1], sizes[n][2]);
            for (int i = 0; i < volume_count(g); i++)
                g.v[i] = 42;
            for (size_t k = n > 0; k < (n > 0 ? 2 : sizeof options / sizeof *options); k++) {
                volume got = volume_deconvolve(context, g, psf, options[k], NULL);
                double worst = 0;
                for (int i = 0; i < volume_count(g); i++)
                    worst = fmax(worst, fabs(got.v[i] / 42 - 1));
                printf("constant, %d x %d x %d, %s: %.1e\n", g.w, g.h, g.d, options[k], worst);
                ck_assert_msg(worst < 1e-6, "%d x %d x %d, %s: off by %g", g.w, g.h, g.d, options[k], worst);
                free(got.v);
            }
            free(psf.v), free(g.v);
        }
        if (lines)
            drua_close(context);
        context = usual;
    }
}
END_TEST

/*
 * On GPUs, the engine's own transforms fuse the steps between two convolutions into their first and last passes. With
 * acceleration, they do so only for long rows.
 */
START_TEST(fused)
{
    static const struct {
        int w, h, d;
        const char *options;
        reference_recipe r;
    } cases[] = {{18, 15, 8, "background=10", {.background = 10}},
                 {18, 15, 8, "edges=circulant", {.edges = CIRCULANT}},
                 {18, 15, 8, "start=30 saturated=40", {.start = 30}},
                 {1020, 4, 2, "accelerate background=10", {.acceleration = HEAVY_BALL, .background = 10}}};
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_FFT", "builtin", 1);
    drua_context *usual = context;
    context = harness_open();
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[128];
        reference_recipe r = cases[n].r;
        volume psf = rough_psf(&chance, 7, 6, 5),
               g = blurred_scene(&chance, cases[n].w, cases[n].h, cases[n].d, psf, r.background);
        r.bad = volume_make(g.w, g.h, g.d);
        for (int i = 0; i < volume_count(g) && r.start > 0; i++) {
            g.v[i] = i % 37 ? g.v[i] : 40;      /* the saturation level itself */
            r.bad.v[i] = g.v[i] >= 40;
        }
        snprintf(text, sizeof text, "iterations=10 %s", cases[n].options);
        volume got = volume_deconvolve(context, g, psf, text, NULL);
        drua_argument estimate[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), NAME(text), NEW,
                                    NEW};
        REQUIRE(drua_invoke(context, "estimate_deconvolution", estimate, 5, NULL));
        ck_assert_msg(strstr(estimate[3].text, "built-in FFT, fused passes"), "the estimate says '%s'",
                      estimate[3].text);
        volume bad = r.bad;
        if (r.start == 0)
            r.bad = (volume){0};
        volume expected = reference_deconvolve(g, psf, r, 10);
        printf("fused, %s: relative error %.1e\n", text, volume_distance(got, expected));
        ck_assert_msg(volume_distance(got, expected) < 3e-6, "%s: off by %g", text, volume_distance(got, expected));
        free(psf.v), free(g.v), free(bad.v), free(got.v), free(expected.v);
    }
    drua_close(context);
    context = usual;
}
END_TEST

/* The divergence over the observed pixels, before each iteration. */
START_TEST(divergence)
{
    enum { ALL = 40 };
    static const struct {
        const char *options;
        reference_recipe r;
        size_t every;
    } cases[] = {{"curve", {.edges = NONCIRCULANT}, 1},
                 {"curve edges=circulant", {.edges = CIRCULANT}, 1},
                 {"curve edges=mirror background=10", {.edges = MIRROR, .background = 10}, 1},
                 {"curve=7 accelerate background=10 at_noise=go_on", {.acceleration = HEAVY_BALL, .background = 10}, 7},
                 {"curve start=30 saturated=", {.start = 30}, 1}};
    const int end = ALL;
    volume psf = rough_psf(&chance, 7, 6, 5);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const reference_recipe *r = &cases[n].r;
        double expected[ALL], worst = 0;
        char text[128];
        drua_table *table = NULL;
        volume g = blurred_scene(&chance, 18, 15, 8, psf, r->background), bad = volume_make(18, 15, 8), last;
        for (int i = 0; i < volume_count(g); i += 19)
            g.v[i] = i % 2 ? 0 : g.v[i];
        const double level = floor(1.2 * volume_sum(g) / volume_count(g));
        for (int i = 0; i < volume_count(g); i++)
            bad.v[i] = r->start > 0 && g.v[i] >= level;
        reference_recipe with_bad = *r;
        with_bad.bad = r->start > 0 ? bad : (volume){0};
        reference_deconvolve_until(g, psf, with_bad, &end, 1, &last, expected);
        const int used = snprintf(text, sizeof text, "iterations=%d %s", ALL, cases[n].options);
        if (r->start > 0)
            snprintf(text + used, sizeof text - (size_t)used, "%g", level);
        volume got = volume_deconvolve(context, g, psf, text, &table);
        ck_assert_ptr_nonnull(table);
        ck_assert_uint_eq(table->rows, (ALL - 1) / cases[n].every + 1);
        for (size_t i = 0; i < table->rows; i++) {
            const double *row = table->cells + 2 * i;
            ck_assert_double_eq(row[0], (double)(i * cases[n].every));
            worst = fmax(worst, fabs(row[1] / expected[i * cases[n].every] - 1));
            ck_assert_msg(i == 0 || r->acceleration != PLAIN || row[1] <= row[-1] * (1 + 1e-6),
                          "%s: divergence %g after %g in iteration %zu", text, row[1], row[-1], i);
        }
        printf("%s: divergences off by %.1e\n", text, worst);
        ck_assert_msg(worst < 2e-6, "%s: divergences off by %g", text, worst);
        ck_assert_double_lt(volume_distance(got, last), 2e-5);
        if (r->background == 0 && r->start == 0)
            ck_assert_msg(fabs(volume_sum(got) / volume_sum(g) - 1) < (r->edges == CIRCULANT ? 1e-5 : 0.05),
                          "%s: flux %g", text, volume_sum(got) / volume_sum(g));
        drua_table_free(table);
        free(g.v), free(bad.v), free(last.v), free(got.v);
    }
    free(psf.v);
}
END_TEST

/*
 * The call must stop at the first iteration that changes the divergence by no more than the given share. Its result
 * must be that of the same number of iterations.
 */
START_TEST(stop_rule)
{
    static const struct {
        const char *options;
        double share;
        int every;
    } ways[] = {{"", 0.01, 1}, {" accelerate", 0.02, 1}, {" edges=circulant curve=3", 0.03, 3}};
    volume psf = rough_psf(&chance, 7, 6, 5), g = blurred_scene(&chance, 18, 15, 8, psf, 0);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        char text[128];
        drua_table *table = NULL;
        snprintf(text, sizeof text, "iterations=1000 stop=%g%s", ways[n].share, ways[n].options);
        volume got = volume_deconvolve(context, g, psf, text, &table);
        const size_t last = table->rows - 1;
        for (size_t i = 1; i <= last; i++) {
            const double before = table->cells[2 * i - 1], now = table->cells[2 * i + 1];
            ck_assert_msg((fabs(before - now) <= ways[n].share * before) == (i == last),
                          "%s: after %g comes %g, number %zu of %zu", text, before, now, i, last);
        }
        ck_assert(last > 2 && last < 300);
        snprintf(text, sizeof text, "iterations=%d at_noise=go_on%s", (int)last * ways[n].every, ways[n].options);
        volume expected = volume_deconvolve(context, g, psf, text, NULL);
        ck_assert_msg(volume_distance(got, expected) < 1e-6, "%s: off by %g", text, volume_distance(got, expected));
        drua_table_free(table);
        free(got.v), free(expected.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

/* Slice-by-slice deconvolution with the psf's middle slice equals the deconvolution of each slice alone. */
START_TEST(slices)
{
    volume psf = rough_psf(&chance, 5, 6, 3), flat = volume_make(5, 6, 1),
           g = blurred_scene(&chance, 16, 14, 5, psf, 0);
    memcpy(flat.v, volume_at(psf, 0, 0, 1), (size_t)volume_count(flat) * sizeof *flat.v);
    volume all = volume_deconvolve(context, g, psf, "iterations=10 tv=0.01 tv_floor=0.05 slices start=30", NULL);
    for (int z = 0; z < g.d; z++) {
        volume one = volume_make(g.w, g.h, 1), part = volume_make(g.w, g.h, 1);
        memcpy(one.v, volume_at(g, 0, 0, z), (size_t)volume_count(one) * sizeof *one.v);
        memcpy(part.v, volume_at(all, 0, 0, z), (size_t)volume_count(one) * sizeof *one.v);
        volume expected =
            volume_deconvolve(context, one, flat, "iterations=10 tv=0.01 tv_floor=0.05 slices start=30", NULL);
        ck_assert_msg(volume_distance(part, expected) < 1e-5, "slice %d: off by %g", z,
                      volume_distance(part, expected));
        free(one.v), free(part.v), free(expected.v);
    }
    free(psf.v), free(flat.v), free(g.v), free(all.v);
}
END_TEST

/* The commands of other plugins run the same iterations under other names. */
START_TEST(commands)
{
    volume psf = rough_psf(&chance, 5, 4, 3), g = blurred_scene(&chance, 20, 17, 10, psf, 0);
    REQUIRE(drua_bind(context, "g", volume_push(context, g)));
    REQUIRE(drua_bind(context, "psf", volume_push(context, psf)));
    REQUIRE(COMMAND(context, "CLIJx_deconvolveRichardsonLucyFFT", NAME("g"), NAME("psf"), NAME("plain"), NUMBER(10)));
    REQUIRE(COMMAND(context, "CLIJx_deconvolveRLTVFFT", NAME("g"), NAME("psf"), NAME("smooth"), NUMBER(10),
                    NUMBER(0.01), NUMBER(1)));
    drua_image plain, smooth;
    REQUIRE(drua_find(context, "plain", &plain));
    REQUIRE(drua_find(context, "smooth", &smooth));
    volume got_plain = volume_pull(context, plain), got_smooth = volume_pull(context, smooth);
    volume due_plain = reference_deconvolve(g, psf, (reference_recipe){.edges = MIRROR}, 10),
           due_smooth = reference_deconvolve(g, psf, (reference_recipe){.tv = 0.01}, 10);
    ck_assert_msg(volume_distance(got_plain, due_plain) < 1e-5, "off by %g", volume_distance(got_plain, due_plain));
    const double max = 1e-5 + 10 * sensitivity(g, psf, (reference_recipe){.tv = 0.01}, 10, due_smooth);
    ck_assert_msg(volume_distance(got_smooth, due_smooth) < max, "off by %g, at most %g",
                  volume_distance(got_smooth, due_smooth), max);
    free(psf.v), free(g.v), free(got_plain.v), free(got_smooth.v), free(due_plain.v), free(due_smooth.v);
}
END_TEST

/* Compares the estimate with the memory that the call takes in addition to the existing images and the result. */
START_TEST(memory)
{
    static const char *const ways[] = {"iterations=3",
                                       "iterations=3 edges=circulant",
                                       "iterations=3 edges=mirror accelerate",
                                       "iterations=3 accelerate",
                                       "iterations=3 accelerate=biggs_andrews",
                                       "iterations=3 method=wiener_butterworth",
                                       "iterations=3 method=landweber",
                                       "iterations=3 method=landweber accelerate precondition=0.1"};
    enum { W = 120, H = 100, D = 20, EXTENT = 9, ROOM = 800000 };
    volume psf = lopsided_psf(&chance, EXTENT, EXTENT, EXTENT, false), g = random_volume(&chance, W, H, D, 5, 50);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        if (!harness_is_sampled((int)n))
            continue;
        drua_statistics before, after;
        drua_context *own = harness_open();
        const drua_image image = volume_push(own, g), function = volume_push(own, psf);
        drua_argument estimate[] = {IMAGE(image), IMAGE(function), NAME(ways[n]), NEW, NEW};
        REQUIRE(drua_invoke(own, "estimate_deconvolution", estimate, 5, NULL));
        drua_close(own);

        own = harness_open();
        drua_argument arguments[] = {IMAGE(volume_push(own, g)), IMAGE(volume_push(own, psf)), NEW, NAME(ways[n])};
        REQUIRE(drua_sync(own));
        drua_get_statistics(own, &before);
        REQUIRE(drua_invoke(own, "deconvolve", arguments, 4, NULL));
        REQUIRE(drua_sync(own));
        drua_get_statistics(own, &after);
        const double result = W * H * D * sizeof(float),
                     used = (double)(after.peak_bytes - before.device_bytes) - result, said = estimate[4].number;
        printf("%s: %.0f bytes beside the images, %.0f said\n", ways[n], used, said);
        ck_assert_msg(used < said + ROOM && used > said - ROOM, "%s: %.0f bytes, estimated %.0f: '%s'", ways[n], used,
                      said, estimate[3].text);
        drua_close(own);
    }
    free(psf.v), free(g.v);
}
END_TEST

/* Each error is one message, and the other plugins' command refuses the same input. */
START_TEST(bad_input)
{
    volume ok = random_volume(&chance, 8, 8, 4, 1, 2), nan = volume_copy(ok), negative = volume_copy(ok),
           empty = volume_make(3, 3, 3), huge = volume_make(1, 1, 1);
    volume psf = rough_psf(&chance, 3, 3, 3), psf_nan = volume_copy(psf), psf_negative = volume_copy(psf);
    nan.v[5] = psf_nan.v[5] = NAN;
    negative.v[7] = psf_negative.v[7] = -3;
    huge.v[0] = 1;
#define SAYS(source, kernel, options, ...)                                                                             \
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "deconvolve", IMAGE(volume_push(context, source)),                        \
        IMAGE(volume_push(context, kernel)), NEW, NAME(options)), "deconvolve", __VA_ARGS__)
    SAYS(nan, psf, "", "source", "NaN");
    SAYS(negative, psf, "", "source", "negative", "-3");
    SAYS(empty, psf, "", "source", "mean of 0");
    SAYS(ok, psf, "background=2", "background of 2");
    SAYS(ok, empty, "", "psf", "empty", "0");
    SAYS(ok, psf_nan, "", "psf", "NaN");
    SAYS(ok, psf_negative, "", "psf", "negative", "-3");
    SAYS(ok, psf, "tv=0.22", "tv", "0.214", "0.22");
    SAYS(ok, psf, "iterations=0", "iterations", "'0'");
    SAYS(ok, psf, "iterations=-5", "iterations", "'-5'");
    SAYS(ok, psf, "iterations=many", "iterations", "'many'");
    SAYS(ok, psf, "edges=round", "edges", "noncirculant, mirror, circulant", "'round'");
    SAYS(ok, psf, "iteration=5", "'iteration'", "iterations");
    SAYS(ok, psf, "spacing=1,1", "spacing", "'1,1'");
    SAYS(ok, psf, "saturated=much", "saturated", "'much'");
    SAYS(ok, psf, "saturated=1", "saturated is 1", "no pixel");
    SAYS(ok, psf, "method=landweber tv=0.01", "landweber", "without tv");
    SAYS(ok, psf, "method=landweber step=2", "step", "'2'");
    SAYS(ok, psf, "method=landweber precondition=-1", "precondition", "'-1'");
    SAYS(ok, huge, "at_noise=stop iterations=11", "at_noise", "psf is too narrow", "iterations");
    SAYS(ok, psf, "at_noise=never", "at_noise", "automatic, stop, go_on", "'never'");
    SAYS(ok, huge, "method=wiener_butterworth", "psf", "one pixel");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "deconvolve_masked", IMAGE(volume_push(context, ok)), IMAGE(volume_push(context, psf)),
                   IMAGE(volume_push(context, ok)), NEW),
            "mask", "no pixel");
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "deconvolve_inverse", IMAGE(volume_push(context, nan)), IMAGE(volume_push(context, psf)), NEW),
        "source", "NaN");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "convolve_fft", IMAGE(volume_push(context, ok)), IMAGE(volume_push(context, empty)), NEW),
            "convolution_kernel", "sum");
    REQUIRE(drua_bind(context, "image", volume_push(context, ok)));
    REQUIRE(drua_bind(context, "psf", volume_push(context, psf)));
    REFUSED(DRUA_E_ARGUMENT,
            COMMAND(context, "CLIJx_deconvolveRichardsonLucyFFT", NAME("image"), NAME("psf"), NAME("out"), NUMBER(0)),
            "num_iterations", "0");
    REFUSED(DRUA_E_ARGUMENT,
            COMMAND(context, "CLIJx_deconvolveRLTVFFT", NAME("image"), NAME("psf"), NAME("out"), NUMBER(5), NUMBER(0.3),
                    NUMBER(1)),
            "regularization_factor", "0.21", "0.3");
    drua_image small, far;
    REQUIRE(drua_create(context, (drua_shape){1, 1, 4, 2}, DRUA_UINT8, &small));
    REQUIRE(INVOKE(context, "set", IMAGE(small), NUMBER(1)));
    REQUIRE(drua_create(context, (drua_shape){40000, 40000, 1, 3}, DRUA_UINT8, &far));
    REQUIRE(drua_set_memory(context, "2GB"));
    REFUSED(DRUA_E_MEMORY, INVOKE(context, "deconvolve", IMAGE(small), IMAGE(far), NEW), "needs", "MB", "crop");
    REQUIRE(drua_set_memory(context, ""));
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "deconvolve_masked", IMAGE(volume_push(context, ok)), IMAGE(volume_push(context, psf)),
                   IMAGE(small), NEW),
            "mask", "8 x 8 x 4", "1 x 1 x 4");
    free(ok.v), free(nan.v), free(negative.v), free(empty.v), free(huge.v), free(psf.v), free(psf_nan.v),
        free(psf_negative.v);
}
END_TEST

static TCase *with_context(Suite *suite, const char *subject)
{
    TCase *tests = tcase_create(subject);
    tcase_add_checked_fixture(tests, open_context, close_context);
    suite_add_tcase(suite, tests);
    return tests;
}

int main(void)
{
    Suite *suite = suite_create("deconvolution");
    chance.state = harness_new_seed("deconvolution");
    tcase_add_test(with_context(suite, "iterations"), iterations);
    harness_add(with_context(suite, "ends"), nothing_to_end, 1);
    harness_add(with_context(suite, "steps"), limited_steps, 1);
    harness_add(with_context(suite, "fused"), fused, 1);
    TCase *edges = with_context(suite, "edges"), *divergences = with_context(suite, "divergence"),
          *pixels = with_context(suite, "pixels");
    harness_add(edges, shapes, 1);
    harness_add(edges, constant_stays_constant, 1);
    harness_add(divergences, divergence, 1);
    harness_add(divergences, stop_rule, 1);
    harness_add(pixels, slices, 1);
    TCase *calls = with_context(suite, "calls");
    harness_add(calls, commands, 1);
    tcase_add_test(calls, bad_input);
    tcase_add_test(with_context(suite, "memory"), memory);
    return harness_run(suite);
}
