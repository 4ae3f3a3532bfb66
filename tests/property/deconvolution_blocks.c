/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests stopped deconvolutions, and deconvolutions in blocks because the whole image exceeds the memory budget. They
 * must give the same results as without stops and blocks, except at the seams.
 */
#include "scenes.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
}

static void open_with_steps(void)
{
    setenv("DRUA_FFT", "steps", 0);     /* its kernels compile faster */
    open_context();
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- blocks */

static volume run_within(const char *budget, volume g, volume psf, const char *options, uint64_t *parts,
                         drua_table **table)
{
    drua_statistics statistics;
    REQUIRE(drua_set_memory(context, budget));
    drua_get_statistics(context, &statistics);
    const uint64_t before = statistics.tiles;
    volume out = volume_deconvolve(context, g, psf, options, table);
    drua_get_statistics(context, &statistics);
    *parts = statistics.tiles - before;
    ck_assert_msg(statistics.budget_bytes > 1000000000 || statistics.device_bytes <= statistics.budget_bytes,
                  "the budget is exceeded");
    return out;
}

/* Deconvolves in blocks and as a whole; returns the largest difference as a share of the range. */
static double compare_blocks(volume g, volume psf, const char *options, const char *budget)
{
    uint64_t none, some;
    volume whole = run_within("2GB", g, psf, options, &none, NULL),
           joined = run_within(budget, g, psf, options, &some, NULL);
    const double worst = volume_seam(whole, joined);
    printf("blocks, %s: %d parts, largest error %.1e of the range\n", options, (int)some, worst);
    ck_assert_uint_eq(none, 0);
    ck_assert_uint_gt(some, 1);
    free(whole.v), free(joined.v);
    return worst;
}

/*
 * Every new extent compiles its own kernels, so the scene is cut along z, or along y where that is cheaper, into few
 * sizes of blocks.
 */
START_TEST(blocks)
{
    static const struct {
        const char *options, *budget;
    } ways[] = {{"iterations=10", "1700KB"},
                {"iterations=50", "1700KB"},
                {"iterations=25 accelerate tv=0.005 tv_floor=0.027 at_noise=go_on", "2100KB"},
                {"iterations=25 edges=mirror accelerate tv=0.005 tv_floor=0.027 background=3 at_noise=go_on", "1800KB"},
                {"iterations=20 edges=circulant saturated=90", "1150KB"},
                {"iterations=30 method=landweber", "1400KB"},
                {"iterations=10 accelerate=biggs_andrews", "2900KB"},
                {"iterations=20 edges=mirror start=200", "1500KB"}};
    volume psf = lopsided_psf(&chance, 7, 9, 9, true), upright = blurred_scene(&chance, 26, 40, 66, psf, 0),
           flat = blurred_scene(&chance, 26, 66, 40, psf, 0);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const double worst = compare_blocks(k == 1 || k == 6 ? flat : upright, psf, ways[k].options, ways[k].budget);
        ck_assert_msg(worst < 1e-3, "%s: off by %g of the range", ways[k].options, worst);
    }
    volume mask = volume_make(26, 40, 66), spoilt = volume_copy(upright), seen[2];
    for (int i = 0; i < volume_count(mask); i += 41) {
        mask.v[i] = 1;
        spoilt.v[i] = i % 2 ? 1e6 : NAN;
    }
    for (int k = 0; k < 2; k++) {
        REQUIRE(drua_set_memory(context, k ? "1700KB" : "2GB"));
        drua_argument masked[] = {IMAGE(volume_push(context, spoilt)), IMAGE(volume_push(context, psf)),
                                  IMAGE(volume_push(context, mask)), NEW, NAME("iterations=10")};
        REQUIRE(drua_invoke(context, "deconvolve_masked", masked, 5, NULL));
        seen[k] = volume_pull(context, masked[3].image);
        REQUIRE(drua_clear(context));
    }
    printf("blocks with a mask: largest error %.1e of the range\n", volume_seam(seen[0], seen[1]));
    ck_assert_double_lt(volume_seam(seen[0], seen[1]), 1e-3);
    ck_assert_double_gt(volume_seam(seen[0], seen[1]), 0);
    free(mask.v), free(spoilt.v), free(seen[0].v), free(seen[1].v);
    REQUIRE(drua_set_memory(context, "1200KB"));
    drua_argument arguments[] = {IMAGE(volume_push(context, upright)), IMAGE(volume_push(context, psf)),
                                 NAME("edges=mirror"), NEW, NEW};
    REQUIRE(drua_invoke(context, "estimate_deconvolution", arguments, 5, NULL));
    ck_assert_msg(strstr(arguments[3].text, "blocks"), "the estimate says '%s'", arguments[3].text);
    ck_assert_double_gt(arguments[4].number, 1.2e6);
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(upright.v), free(flat.v);
}
END_TEST

/*
 * The other plugins' command in blocks uses the call's iterations, weight and edges; few iterations, because its total
 * variation has no floor.
 */
START_TEST(blocks_of_commands)
{
    volume psf = lopsided_psf(&chance, 7, 9, 9, true), g = blurred_scene(&chance, 26, 40, 66, psf, 0);
    for (int open = 0; open < 2; open++) {
        drua_statistics statistics[2];
        volume seen[2];
        for (int k = 0; k < 2; k++) {
            REQUIRE(drua_set_memory(context, !k ? "2GB" : open ? "1700KB" : "1300KB"));
            drua_get_statistics(context, &statistics[0]);
            drua_argument arguments[] = {IMAGE(volume_push(context, g)),
                                         IMAGE(volume_push(context, psf)),
                                         NEW,
                                         NUMBER(2),
                                         NUMBER(0.004),
                                         NUMBER(open)};
            REQUIRE(drua_invoke(context, "deconvolve_richardson_lucy_fft", arguments, 6, NULL));
            drua_get_statistics(context, &statistics[1]);
            ck_assert_msg((statistics[1].tiles - statistics[0].tiles > 1) == k, "edges open %d: %d parts", open,
                          (int)(statistics[1].tiles - statistics[0].tiles));
            seen[k] = volume_pull(context, arguments[2].image);
            REQUIRE(drua_clear(context));
        }
        const double worst = volume_seam(seen[0], seen[1]);
        printf("blocks of the peers' command, edges open %d: largest error %.1e of the range\n", open, worst);
        ck_assert_msg(worst < 1e-3, "edges open %d: off by %g of the range", open, worst);
        free(seen[0].v), free(seen[1].v);
    }
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(g.v);
}
END_TEST

/* A larger existing destination gets the pixels of a new result; its other pixels become zero. */
START_TEST(larger_destination)
{
    enum { W = 29, H = 42, D = 70 };
    volume psf = lopsided_psf(&chance, 7, 9, 9, true), g = blurred_scene(&chance, 26, 40, 66, psf, 0), got;
    uint64_t some;
    drua_image large;
    volume due = run_within("1700KB", g, psf, "iterations=3", &some, NULL);
    ck_assert_uint_gt(some, 1);
    REQUIRE(drua_create(context, (drua_shape){W, H, D, 3}, DRUA_FLOAT32, &large));
    drua_argument arguments[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), IMAGE(large),
                                 NAME("iterations=3")};
    REQUIRE(drua_invoke(context, "deconvolve", arguments, 4, NULL));
    got = volume_pull(context, large);
    for (int i = 0; i < volume_count(got); i++) {
        const int x = i % W, y = i / W % H, z = i / (W * H);
        const double wanted = x < g.w && y < g.h && z < g.d ? due.v[(z * g.h + y) * g.w + x] : 0;
        ck_assert_msg(got.v[i] == wanted, "%g at %d, %d, %d in place of %g", got.v[i], x, y, z, wanted);
    }
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(g.v), free(due.v), free(got.v);
}
END_TEST

/* Tests a back projector with a large extent. */
START_TEST(blocks_of_butterworth)
{
    volume psf = lopsided_psf(&chance, 7, 9, 9, false), g = blurred_scene(&chance, 16, 20, 130, psf, 0);
    ck_assert_double_lt(compare_blocks(g, psf, "iterations=2 method=wiener_butterworth", "2500KB"), 3e-3);
    ck_assert_double_lt(compare_blocks(g, psf, "iterations=2 method=wiener_butterworth edges=mirror", "2400KB"), 1e-3);
    ck_assert_double_lt(compare_blocks(g, psf, "iterations=4 method=landweber accelerate precondition=0.1", "2500KB"),
                        3e-3);
    ck_assert_double_lt(
        compare_blocks(g, psf, "iterations=4 method=landweber accelerate precondition=0.1 edges=mirror", "2400KB"),
        1e-3);
    free(psf.v), free(g.v);
}
END_TEST

/* Sums over all blocks, including pairs of pixels across seams, decide at which iteration only noise is left. */
START_TEST(blocks_end_at_noise)
{
    static const struct {
        const char *options, *budget;
    } ways[] = {{"iterations=80 accelerate", "3000KB"},
                {"iterations=30 accelerate edges=mirror curve=5", "3000KB"},
                {"iterations=30 accelerate=biggs_andrews", "4200KB"}};
    volume psf = lopsided_psf(&chance, 7, 9, 9, false), g = noisy_scene(&chance, psf, 26, 40, 110, 0, 20);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char text[128];
        uint64_t none, some;
        drua_table *due = NULL, *table = NULL;
        snprintf(text, sizeof text, "%s keep_partial", ways[k].options);
        volume whole = run_within("2GB", g, psf, text, &none, &due),
               joined = run_within(ways[k].budget, g, psf, text, &some, &table);
        const int last = (int)due->cells[(due->rows - 1) * due->columns],
                  end = (int)table->cells[(table->rows - 1) * table->columns];
        printf("blocks, %s: end after %d iterations as the whole after %d; largest error %.1e of the range\n", text,
               end, last, volume_seam(whole, joined));
        ck_assert_uint_gt(some, 1);
        ck_assert(last >= 10 && last < 30);
        ck_assert_int_eq(end, last);
        ck_assert_uint_eq(table->rows, due->rows);
        ck_assert_double_lt(volume_seam(whole, joined), 1e-3);
        drua_table_free(due), drua_table_free(table);
        free(whole.v), free(joined.v);
    }
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(g.v);
}
END_TEST

/* The divergence of the whole image is the sum over its blocks, so the iteration where it settles is the same. */
START_TEST(blocks_stop)
{
    static const struct {
        const char *options, *budget;
    } ways[] = {{"iterations=24 curve=7 accelerate at_noise=go_on", "2100KB"},
                {"iterations=500 stop=0.03 edges=mirror", "1700KB"},
                {"iterations=12 stop=0.001 accelerate=biggs_andrews", "2900KB"}};
    volume psf = lopsided_psf(&chance, 7, 9, 9, true), g = blurred_scene(&chance, 26, 66, 40, psf, 0);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        uint64_t none, some;
        drua_table *due = NULL, *table = NULL;
        volume whole = run_within("2GB", g, psf, ways[k].options, &none, &due),
               joined = run_within(ways[k].budget, g, psf, ways[k].options, &some, &table);
        double worst = 0;
        ck_assert_uint_gt(some, 1);
        ck_assert_uint_eq(table->columns, 2);
        ck_assert_msg(table->rows == due->rows, "%s: %zu divergences instead of %zu", ways[k].options, table->rows,
                      due->rows);
        for (size_t i = 0; i < due->rows; i++) {
            ck_assert_double_eq(table->cells[2 * i], due->cells[2 * i]);
            worst = fmax(worst, fabs(table->cells[2 * i + 1] / due->cells[2 * i + 1] - 1));
        }
        printf("blocks, %s: %zu divergences, off by %.1e; largest error %.1e of the range\n", ways[k].options,
               table->rows, worst, volume_seam(whole, joined));
        ck_assert_double_lt(worst, 1e-3);
        ck_assert_double_lt(volume_seam(whole, joined), 1e-3);
        drua_table_free(due), drua_table_free(table);
        free(whole.v), free(joined.v);
    }
    REQUIRE(drua_set_memory(context, "2GB"));
    free(psf.v), free(g.v);
}
END_TEST

/* ---- stopped midway */

static atomic_int running, finished_before;     /* the number of blocks before the one to stop */

/* Transfers of these small images finish as soon as they begin; the test does not wait for them. */
static bool is_beyond(double part)
{
    const double progress = drua_progress(context);
    return progress > part && progress < 1;
}

static void wait_for(bool more, double part)
{
    while (atomic_load(&running) && is_beyond(part) != more)
        usleep(200);
}

static void *stop_soon(void *unused)
{
    wait_for(false, 0.1);       /* the previous call's */
    for (int i = 0; i < atomic_load(&finished_before); i++) {
        wait_for(true, 0.8);
        wait_for(false, 0.1);
    }
    wait_for(true, atomic_load(&finished_before) ? 0.4 : 0.1);
    if (atomic_load(&running))
        drua_cancel(context);
    return unused;
}

static drua_status run_and_stop(drua_argument *arguments, drua_table **table)
{
    pthread_t thread;
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, stop_soon, NULL);
    const drua_status status = drua_invoke(context, "deconvolve", arguments, 4, table);
    atomic_store(&running, 0);
    pthread_join(thread, NULL);
    return status;
}

/* The result of a stopped call must equal that of as many iterations as it reports. */
START_TEST(a_stopped_call_keeps_what_it_has)
{
    static const char *const ways[] = {"", " accelerate at_noise=go_on", " accelerate=biggs_andrews at_noise=go_on",
                                       " edges=circulant tv=0.005 tv_floor=0.027"};
    volume psf = rough_psf(&chance, 5, 5, 3), g = blurred_scene(&chance, 48, 40, 12, psf, 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[128];
        drua_table *table = NULL;
        snprintf(text, sizeof text, "iterations=1000%s", ways[i]);
        drua_argument arguments[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), NEW, NAME(text)};
        ck_assert_int_eq(run_and_stop(arguments, &table), DRUA_E_CANCELLED);
        ck_assert_ptr_null(table);
        snprintf(text, sizeof text, "iterations=1000 keep_partial%s", ways[i]);
        REQUIRE(run_and_stop(arguments, &table));
        ck_assert_uint_eq(table->rows, 1);
        const int done = (int)table->cells[0];
        ck_assert_msg(done >= 100 && done < 1000, "%d iterations", done);
        snprintf(text, sizeof text, "iterations=%d%s", done, ways[i]);
        volume got = volume_pull(context, arguments[2].image), due = volume_deconvolve(context, g, psf, text, NULL);
        printf("stopped after %d iterations:%s differs by %.1e\n", done, ways[i], volume_distance(got, due));
        ck_assert_double_le(volume_distance(got, due), 1e-6);
        drua_table_free(table);
        free(due.v), free(got.v);
    }
    free(psf.v), free(g.v);
}
END_TEST

/*
 * The expected result of a stopped call: finished blocks, the current block as far as it got, and for the other blocks
 * the image without its background.
 */

static volume layers_of(volume a, int first, int n)
{
    volume part = volume_make(a.w, a.h, n);
    memcpy(part.v, volume_at(a, 0, 0, first), (size_t)volume_count(part) * sizeof *part.v);
    return part;
}

enum { STOPPED = 60 };      /* iterations of a block that is not stopped */

/* Makes one attempt and returns whether it stopped a block midway, which depends on thread scheduling. */
static bool stops_in_a_block(volume g, volume psf, const char *way, double background)
{
    char text[128];
    drua_table *table = NULL;
    snprintf(text, sizeof text, "iterations=%d keep_partial%s", STOPPED, way);
    REQUIRE(drua_set_memory(context, "1900KB"));
    drua_argument arguments[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), NEW, NAME(text)};
    atomic_store(&finished_before, 1);
    REQUIRE(run_and_stop(arguments, &table));
    atomic_store(&finished_before, 0);
    volume got = volume_pull(context, arguments[2].image);
    REQUIRE(drua_clear(context));
    ck_assert_uint_eq(table->columns, 3);
    int next = 0, before = STOPPED;
    bool in_a_block = false;
    for (size_t i = 0; i < table->rows; i++) {
        const int done = (int)table->cells[3 * i], first = (int)table->cells[3 * i + 1],
                  n = (int)table->cells[3 * i + 2];
        printf("stopped in blocks,%s: %d iterations from slice %d to %d\n", way, done, first, first + n - 1);
        ck_assert_int_eq(first, next);
        ck_assert(n > 0 && done >= 0 && (before == STOPPED ? done <= STOPPED : done == 0));
        in_a_block = in_a_block || (done > 0 && done < STOPPED);
        before = done;
        next = first + n;
        snprintf(text, sizeof text, "iterations=%d%s", done, way);
        REQUIRE(drua_set_memory(context, "2GB"));
        volume whole = done ? volume_deconvolve(context, g, psf, text, NULL) : volume_copy(g);
        for (int p = 0; p < volume_count(whole) && !done; p++)
            whole.v[p] = fmax((float)whole.v[p] - background, 0);
        volume due = layers_of(whole, first, n), is = layers_of(got, first, n);
        const double worst = volume_seam(due, is);
        ck_assert_msg(worst < (done ? 1e-3 : 1e-7), "%d iterations from slice %d: off by %g of the range", done, first,
                      worst);
        free(whole.v), free(due.v), free(is.v);
    }
    ck_assert_int_eq(next, g.d);
    drua_table_free(table);
    free(got.v);
    return in_a_block;
}

START_TEST(stopped_blocks)
{
    static const struct {
        const char *way;
        double background;
    } ways[] = {{" background=3", 3}, {" edges=mirror accelerate curve=9 at_noise=go_on", 0}};
    enum { TRIES = 10 };
    char text[64];
    volume psf = lopsided_psf(&chance, 9, 9, 9, true), g = blurred_scene(&chance, 20, 24, 160, psf, 3);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        int tries = 0;
        while (tries < TRIES && !stops_in_a_block(g, psf, ways[k].way, ways[k].background))
            tries++;
        ck_assert_msg(tries < TRIES, "%s: no block was stopped in the middle", ways[k].way);
    }
    /*
     * Blocks run in rounds of 25 iterations. The call is stopped after all blocks have finished the first round. The
     * result has the iterations of the last complete round.
     */
    uint64_t some;
    drua_table *table = NULL;
    REQUIRE(drua_set_memory(context, "1900KB"));
    drua_argument again[] = {IMAGE(volume_push(context, g)), IMAGE(volume_push(context, psf)), NEW,
                             NAME("iterations=500 stop=1e-9 keep_partial")};
    atomic_store(&finished_before, 4);
    REQUIRE(run_and_stop(again, &table));
    atomic_store(&finished_before, 0);
    volume got = volume_pull(context, again[2].image);
    REQUIRE(drua_clear(context));
    REQUIRE(drua_set_memory(context, "2GB"));
    ck_assert(table->rows == 1 && table->cells[1] == 0 && table->cells[2] == g.d);
    const int kept = (int)table->cells[0];
    ck_assert_msg(kept >= 25 && kept < 500 && kept % 25 == 0, "%d iterations are kept", kept);
    snprintf(text, sizeof text, "iterations=%d", kept);
    volume due = volume_deconvolve(context, g, psf, text, NULL);
    ck_assert_double_lt(volume_seam(due, got), 1e-3);
    drua_table_free(table);
    free(got.v), free(due.v);

    table = NULL;
    volume whole = run_within("1900KB", g, psf, "iterations=5 keep_partial", &some, &table);
    ck_assert_uint_gt(some, 1);
    ck_assert_uint_eq(table->rows, 1);
    ck_assert(table->cells[0] == 5 && table->cells[1] == 0 && table->cells[2] == g.d);
    REQUIRE(drua_set_memory(context, "2GB"));
    drua_table_free(table);
    free(whole.v), free(psf.v), free(g.v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deconvolution_blocks");
    TCase *parts = tcase_create("blocks"), *stopped = tcase_create("stopped");
    chance.state = harness_new_seed("deconvolution_blocks");
    tcase_add_checked_fixture(parts, open_with_steps, close_context);
    harness_add(parts, blocks, 1);
    harness_add(parts, blocks_of_butterworth, 1);
    TCase *calls = tcase_create("commands");
    tcase_add_checked_fixture(calls, open_with_steps, close_context);
    harness_add(calls, blocks_of_commands, 1);
    harness_add(calls, larger_destination, 1);
    suite_add_tcase(suite, calls);
    TCase *stops = tcase_create("divergence");
    tcase_add_checked_fixture(stops, open_with_steps, close_context);
    harness_add(stops, blocks_stop, 1);
    harness_add(stops, blocks_end_at_noise, 1);
    suite_add_tcase(suite, stops);
    tcase_add_checked_fixture(stopped, open_context, close_context);
    harness_add(stopped, a_stopped_call_keeps_what_it_has, 1);
    harness_add(stopped, stopped_blocks, 1);
    suite_add_tcase(suite, parts);
    suite_add_tcase(suite, stopped);
    return harness_run(suite);
}
