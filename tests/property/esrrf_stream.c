/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests eSRRF of movies that exceed the memory: from files, with little device memory, stopped midway. Also tests
 * parameter sweeps.
 */
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 96, FRAMES = 700 };       /* 12.9 MB of uint16 */

static drua_context *context;
static harness_random chance;
static char path[256];

static void open_context(void)
{
    const char *folder = getenv("TMPDIR");
    context = harness_open();
    chance.state = harness_new_seed("property_esrrf_stream");
    snprintf(path, sizeof path, "%s/drua_esrrf_%d.tif", folder ? folder : "/tmp", (int)getpid());
}

static void close_context(void)
{
    remove(path);
    drua_close(context);
}

static drua_image push_movie(int width, int height, int frames, drua_type type)
{
    return harness_push_movie(context, &chance, reference_stack(width, height, frames), type);
}

static drua_image run_on_movie(const char *operation, drua_argument movie, const char *options)
{
    drua_argument arguments[] = {movie, NEW, NAME(options), NEW};
    REQUIRE(drua_invoke(context, operation, arguments, 4, NULL));
    return arguments[1].image;
}

static void expect_same_bits(drua_image a, drua_image b, const char *what)
{
    drua_image_info first, second;
    REQUIRE(drua_get_info(context, a, &first));
    REQUIRE(drua_get_info(context, b, &second));
    ck_assert_uint_eq(first.bytes, second.bytes);
    ck_assert_int_eq(first.shape.depth, second.shape.depth);
    char *one = reference_allocate(1, first.bytes), *other = reference_allocate(1, first.bytes);
    REQUIRE(drua_pull(context, a, one));
    REQUIRE(drua_pull(context, b, other));
    ck_assert_msg(!memcmp(one, other, first.bytes), "%s: other bits", what);
    free(one);
    free(other);
}

static drua_statistics statistics_now(void)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s;
}

/*
 * Covers several kinds of files, time points that do not divide the number of frames, and movies that need more than
 * one upload.
 */
START_TEST(files_give_the_bits_of_images)
{
    static const char *const options[] = {"magnification=3", "magnification=2 projection=all frames_per_timepoint=130",
                                          "magnification=2 projection=frames",
                                          "magnification=2 registration=nanoj projection=VAR"};
    static const struct {
        int width, height, frames;
        drua_type type;
        const char *compression;
    } movies[] = {{31, 17, 300, DRUA_UINT16, NULL},
                  {16, 23, 7, DRUA_UINT8, "deflate"},
                  {20, 20, 1, DRUA_FLOAT32, "lzw"},
                  {7, 5, 601, DRUA_FLOAT32, NULL}};
    for (size_t k = 0; k < sizeof movies / sizeof *movies; k++) {
        drua_image movie = push_movie(movies[k].width, movies[k].height, movies[k].frames, movies[k].type);
        REQUIRE(drua_write_tiff(context, movie, path, movies[k].compression));
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            expect_same_bits(run_on_movie("esrrf", IMAGE(movie), options[i]),
                             run_on_movie("esrrf_from_file", NAME(path), options[i]), options[i]);
    }
}
END_TEST

/* The movie, from a file or in host memory, is larger than the device's memory budget. */
START_TEST(movies_larger_than_the_device)
{
    static const char *const options[] = {"magnification=2", "magnification=2 projection=all frames_per_timepoint=100"};
    drua_image movie = push_movie(SIDE, SIDE, FRAMES, DRUA_UINT16), whole[2];
    REQUIRE(drua_write_tiff(context, movie, path, NULL));
    for (int i = 0; i < 2; i++)
        whole[i] = run_on_movie("esrrf", IMAGE(movie), options[i]);
    REQUIRE(drua_set_memory(context, "8MB"));
    const uint64_t before = statistics_now().tiles;
    for (int i = 0; i < 2; i++) {
        expect_same_bits(whole[i], run_on_movie("esrrf_from_file", NAME(path), options[i]), options[i]);
        expect_same_bits(whole[i], run_on_movie("esrrf", IMAGE(movie), options[i]), options[i]);
    }
    ck_assert_uint_gt(statistics_now().tiles, before);
    ck_assert_uint_le(statistics_now().device_bytes, 8 << 20);
    drua_image_info info;
    REQUIRE(drua_get_info(context, movie, &info));
    ck_assert_uint_gt(info.bytes, statistics_now().budget_bytes);
}
END_TEST

/* Neither the host nor the device ever holds the whole file: processing a part of the file takes as much memory. */
START_TEST(results_larger_than_the_device)
{
    const char *options = "magnification=4 frames_per_timepoint=10";
    drua_image movie = push_movie(48, 48, 400, DRUA_UINT8),
               whole = run_on_movie("esrrf", IMAGE(movie), options); /* 5.9 MB of results */
    REQUIRE(drua_write_tiff(context, movie, path, NULL));
    REQUIRE(drua_set_memory(context, "4MB"));
    expect_same_bits(whole, run_on_movie("esrrf_from_file", NAME(path), options), options);
}
END_TEST

START_TEST(files_that_cannot_serve)
{
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME("/no/such/file.tif"), NEW, NAME("")),
            "/no/such/file.tif");
    FILE *file = fopen(path, "wb");
    fputs("no image", file);
    fclose(file);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("")), path);
    drua_image movie = push_movie(64, 64, 100, DRUA_UINT16);
    REQUIRE(drua_write_tiff(context, movie, path, "deflate"));
    file = fopen(path, "r+b");
    fseek(file, 64 * 64 * 2 * 60, SEEK_SET);
    for (int i = 0; i < 20000; i++)
        fputc(i % 251, file);
    fclose(file);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=1")), path);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=1 drift_correction=1")), path);
}
END_TEST

/* ---- estimates */

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * The estimated memory equals the memory taken, up to the pool's rounding. The estimated time is only roughly right,
 * because other programs share the CPU.
 */
START_TEST(estimates)
{
    static const char *const options[] = {"magnification=5", "magnification=3 projection=all frames_per_timepoint=100",
                                          "magnification=2 registration=nanoj",
                                          "magnification=2 drift_correction=true"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text = options[i];
        const bool file = i % 2;
        drua_image movie = push_movie(SIDE, SIDE, 400, DRUA_UINT16);
        REQUIRE(drua_write_tiff(context, movie, path, NULL));
        if (file)
            REQUIRE(drua_release(context, movie));
        drua_argument estimate[] = {file ? NAME(path) : IMAGE(movie), NAME(text), NEW, NEW, NEW};
        REQUIRE(drua_invoke(context, file ? "estimate_esrrf_from_file" : "estimate_esrrf", estimate, 5, NULL));
        char *words = strdup(estimate[4].text);
        drua_close(context);            /* reopen: a device without a pool */
        context = harness_open();
        if (!file)
            movie = push_movie(SIDE, SIDE, 400, DRUA_UINT16);
        const uint64_t before = statistics_now().device_bytes;
        drua_argument arguments[] = {file ? NAME(path) : IMAGE(movie), NEW, NAME(text)};
        REQUIRE(drua_invoke(context, file ? "esrrf_from_file" : "esrrf", arguments, 3, NULL));
        REQUIRE(drua_sync(context));
        const double took = (double)(statistics_now().peak_bytes - before), said = estimate[2].number;
        const double start = seconds();
        REQUIRE(drua_invoke(context, file ? "esrrf_from_file" : "esrrf", arguments, 3, NULL));
        REQUIRE(drua_sync(context));
        const double time = seconds() - start;
        printf("%s%s: %s; took %.1f MB, %.3g s\n", text, file ? ", file" : "", words, took / 1e6, time);
        ck_assert_double_gt(took, 0.85 * said);
        ck_assert_double_lt(took, 1.15 * said + 1e6);
        ck_assert_double_gt(estimate[3].number, time / 20);
        ck_assert_double_lt(estimate[3].number, time * 20);
        free(words);
    }
}
END_TEST

/* ---- stopping */

static atomic_int running;
static double largest_progress;

/* Stops the call after a third of its work. */
static void *stop_at_a_third(void *unused)
{
    for (bool stopped = false; atomic_load(&running); usleep(200)) {
        const double progress = drua_progress(context);
        largest_progress = fmax(largest_progress, progress);
        if (progress > 0.33 && !stopped) {
            drua_cancel(context);
            stopped = true;
        }
    }
    return unused;
}

static drua_status run_and_stop(drua_image movie, const char *options, drua_argument *arguments)
{
    pthread_t thread;
    arguments[0] = IMAGE(movie);
    arguments[1] = arguments[3] = NEW;
    arguments[2] = NAME(options);
    largest_progress = -1;
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, stop_at_a_third, NULL);
    drua_status status = drua_invoke(context, "esrrf", arguments, 4, NULL);
    atomic_store(&running, 0);
    pthread_join(thread, NULL);
    return status;
}

START_TEST(a_stopped_call_keeps_what_it_has)
{
    drua_argument arguments[4];
    drua_image movie = push_movie(SIDE, SIDE, FRAMES, DRUA_UINT16);
    REQUIRE(drua_set_memory(context, "8MB"));   /* makes small parts */
    const drua_status status = run_and_stop(movie, "magnification=4", arguments);
    ck_assert_msg(status == DRUA_E_CANCELLED, "status %d", (int)status);
    ck_assert_double_eq(drua_progress(context), -1);
    REQUIRE(run_and_stop(movie, "magnification=4 keep_partial=true", arguments));
    const int done = (int)arguments[3].number;
    ck_assert_msg(done >= FRAMES / 3 && done < FRAMES, "%d frames", done);
    ck_assert_double_ge(largest_progress, 0.33);
    drua_argument first[] = {IMAGE(movie), NEW, NUMBER(0), NUMBER(done - 1)};
    REQUIRE(drua_invoke(context, "sub_stack", first, 4, NULL));
    expect_same_bits(run_on_movie("esrrf", IMAGE(first[1].image), "magnification=4"), arguments[1].image, "stopped");
    printf("stopped at %d of %d frames\n", done, FRAMES);
    REQUIRE(run_and_stop(movie, "magnification=4 keep_partial=true frames_per_timepoint=50", arguments));
    reference_image result = harness_pull(context, arguments[1].image);
    ck_assert_int_eq(result.shape.depth, FRAMES / 50);
    REFERENCE_EACH_PIXEL(result.shape, x, y, z)
        if (z * 50 >= arguments[3].number)
            ck_assert_double_eq(reference_at(&result, x, y, z), 0);
    reference_free(&result);
}
END_TEST

/* ---- parameter sweeps */

/* The image without a margin at its borders. */
static drua_image inside(drua_image image, int margin, int width, int height)
{
    drua_argument arguments[] = {IMAGE(image),
                                 NEW,
                                 NUMBER(margin),
                                 NUMBER(margin),
                                 NUMBER(0),
                                 NUMBER(width - 2 * margin),
                                 NUMBER(height - 2 * margin)};
    REQUIRE(drua_invoke(context, "crop", arguments, 7, NULL));
    return arguments[1].image;
}

static drua_image made(const char *operation, drua_image source, double number1, double number2)
{
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(number1), NUMBER(number2)};
    REQUIRE(drua_invoke(context, operation, arguments, number1 < 0 ? 2 : 4, NULL));
    return arguments[1].image;
}

/* A sweep gives the same results as separate commands. */
START_TEST(sweep)
{
    enum { WIDTH = 40, HEIGHT = 36, COUNT = 62, M = 2, MARGIN = 2, ROWS = 4, COLUMNS = 5 };
    static const double radii[] = {1, 1, 2, 2}, sensitivities[] = {1, 3.5, 1, 3.5};
    drua_argument scene[] = {NEW, NEW, NUMBER(WIDTH), NUMBER(HEIGHT), NUMBER(COUNT), NUMBER(500)};
    REQUIRE(drua_invoke(context, "blinking_emitters", scene, 6, NULL));
    drua_image all = scene[0].image, even = made("reduce_stack", all, 2, 0), odd = made("reduce_stack", all, 2, 1);
    drua_image seen =
        inside(made("mean_z_projection", made("convert_float", all, -1, 0), -1, 0), MARGIN, WIDTH, HEIGHT);
    drua_table *table;
    drua_argument arguments[] = {IMAGE(all), NEW, NAME("1, 2"), NAME("1 3.5"), NAME("magnification=2 projection=VAR")};
    REQUIRE(drua_invoke(context, "esrrf_sweep", arguments, 5, &table));
    reference_image pictures = harness_pull(context, arguments[1].image);
    ck_assert_int_eq(pictures.shape.depth, ROWS);
    ck_assert_uint_eq(table->rows, ROWS);
    ck_assert_uint_eq(table->columns, COLUMNS);
    for (int i = 0; i < ROWS; i++) {
        const double *row = table->cells + i * COLUMNS;
        char options[128];
        snprintf(options, sizeof options, "magnification=2 projection=VAR radius=%g sensitivity=%g", radii[i],
                 sensitivities[i]);
        drua_image sharp = run_on_movie("esrrf", IMAGE(all), options), cut[3];
        reference_image alone = harness_pull(context, sharp);
        ck_assert(!memcmp(alone.pixels, pictures.pixels + (size_t)i * reference_count(&alone),
                          reference_count(&alone) * sizeof *alone.pixels));
        cut[0] = inside(sharp, M * MARGIN, M * WIDTH, M * HEIGHT);
        cut[1] = inside(run_on_movie("esrrf", IMAGE(even), options), M * MARGIN, M * WIDTH, M * HEIGHT);
        cut[2] = inside(run_on_movie("esrrf", IMAGE(odd), options), M * MARGIN, M * WIDTH, M * HEIGHT);
        drua_argument errors[] = {IMAGE(seen), IMAGE(cut[0]), NEW, NEW, NEW, NEW};
        drua_argument rings[] = {IMAGE(cut[1]), IMAGE(cut[2]), NEW, NUMBER(1.0 / M)};
        REQUIRE(drua_invoke(context, "error_map", errors, 6, NULL));
        REQUIRE(drua_invoke(context, "fourier_ring_correlation", rings, 4, NULL));
        ck_assert_double_eq(row[0], radii[i]);
        ck_assert_double_eq(row[1], sensitivities[i]);
        ck_assert_double_eq_tol(row[2], rings[2].number, 1e-9);
        ck_assert_double_eq_tol(row[3], errors[4].number, 1e-5);
        ck_assert_double_eq_tol(row[4], errors[3].number, 1e-3 * errors[3].number);
        reference_free(&alone);
    }
    drua_table_free(table);
    reference_free(&pictures);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_sweep", IMAGE(all), NEW, NAME("1 x"), NAME("1"), NAME("")), "radii",
            "'x'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_sweep", IMAGE(all), NEW, NAME("1"), NAME(" ")), "sensitivities",
            "at least one");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "esrrf_sweep", IMAGE(all), NEW, NAME("1"), NAME("1"), NAME("projection=all")),
            "projection");
}
END_TEST

/* With one frame, or drift, rows lack the numbers that cannot be computed. Frames that a radius covers are refused. */
START_TEST(sweeps_of_little)
{
    static const int extents[][3] = {{9, 8, 1}, {2, 3, 4}, {6, 6, 2}, {1, 1, 3}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        drua_image movie = push_movie(extents[i][0], extents[i][1], extents[i][2], DRUA_UINT16);
        drua_table *table;
        drua_argument arguments[] = {IMAGE(movie), NEW, NAME("1 2"), NAME("1"),
                                     NAME("magnification=3 drift_correction=true drift_frames=1")};
        const drua_status status = drua_invoke(context, "esrrf_sweep", arguments, 5, &table);
        if (extents[i][0] < 4) {
            REFUSED(DRUA_E_ARGUMENT, status, "radius", "shorter side");
            continue;
        }
        REQUIRE(status);
        ck_assert_uint_eq(table->rows, 2);
        ck_assert(isnan(table->cells[2]) == (extents[i][2] < 2));
        drua_table_free(table);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("esrrf_stream");
    TCase *tests = tcase_create("esrrf_stream");
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, files_give_the_bits_of_images, 1);
    harness_add(tests, movies_larger_than_the_device, 1);
    harness_add(tests, results_larger_than_the_device, 1);
    harness_add(tests, files_that_cannot_serve, 1);
    harness_add(tests, estimates, 1);
    harness_add(tests, sweep, 1);
    harness_add(tests, sweeps_of_little, 1);
    harness_add(tests, a_stopped_call_keeps_what_it_has, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
