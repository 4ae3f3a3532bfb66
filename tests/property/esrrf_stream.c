/* SPDX-License-Identifier: BSD-3-Clause */
/* eSRRF of movies that do not fit: from files, with little device memory, and stopped in the middle. */
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
    reference_image movie = reference_make(type, reference_stack(width, height, frames));
    for (size_t i = 0; i < reference_count(&movie); i++)
        movie.pixels[i] = harness_below(&chance, type == DRUA_UINT8 ? 256 : 60000);
    drua_image image = harness_push(context, &movie);
    reference_free(&movie);
    return image;
}

static drua_image run(const char *operation, drua_argument movie, const char *options)
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

static drua_statistics statistics(void)
{
    drua_statistics s;
    drua_get_statistics(context, &s);
    return s;
}

/* Files of several kinds, time points that do not divide the frames, more frames than go to the device at a time. */
START_TEST(files_give_the_bits_of_images)
{
    static const char *const options[] = {"magnification=3", "magnification=2 projection=all frames_per_timepoint=130",
                                          "magnification=2 projection=frames", "magnification=2 registration=nanoj projection=VAR"};
    static const struct {
        int width, height, frames;
        drua_type type;
        const char *compression;
    } movies[] = {{31, 17, 300, DRUA_UINT16, NULL}, {16, 23, 7, DRUA_UINT8, "deflate"}, {20, 20, 1, DRUA_FLOAT32, "lzw"}, {7, 5, 601, DRUA_FLOAT32, NULL}};
    for (size_t k = 0; k < sizeof movies / sizeof *movies; k++) {
        drua_image movie = push_movie(movies[k].width, movies[k].height, movies[k].frames, movies[k].type);
        REQUIRE(drua_write_tiff(context, movie, path, movies[k].compression));
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            expect_same_bits(run("esrrf", IMAGE(movie), options[i]), run("esrrf_from_file", NAME(path), options[i]), options[i]);
    }
}
END_TEST

/* The movie is larger than all that the device may use, from a file and from the host. */
START_TEST(movies_larger_than_the_device)
{
    static const char *const options[] = {"magnification=2", "magnification=2 projection=all frames_per_timepoint=100"};
    drua_image movie = push_movie(SIDE, SIDE, FRAMES, DRUA_UINT16), whole[2];
    REQUIRE(drua_write_tiff(context, movie, path, NULL));
    for (int i = 0; i < 2; i++)
        whole[i] = run("esrrf", IMAGE(movie), options[i]);
    REQUIRE(drua_set_memory(context, "8MB"));
    const uint64_t before = statistics().slabs;
    for (int i = 0; i < 2; i++) {
        expect_same_bits(whole[i], run("esrrf_from_file", NAME(path), options[i]), options[i]);
        expect_same_bits(whole[i], run("esrrf", IMAGE(movie), options[i]), options[i]);
    }
    ck_assert_uint_gt(statistics().slabs, before);
    ck_assert_uint_le(statistics().device_bytes, 8 << 20);
    drua_image_info info;
    REQUIRE(drua_get_info(context, movie, &info));
    ck_assert_uint_gt(info.bytes, statistics().budget_bytes);
}
END_TEST

/* The file's pixels never are on the host or device at once: no more memory than for a part of it. */
START_TEST(results_larger_than_the_device)
{
    const char *options = "magnification=4 frames_per_timepoint=10";
    drua_image movie = push_movie(48, 48, 400, DRUA_UINT8), whole = run("esrrf", IMAGE(movie), options);    /* 5.9 MB of results */
    REQUIRE(drua_write_tiff(context, movie, path, NULL));
    REQUIRE(drua_set_memory(context, "4MB"));
    expect_same_bits(whole, run("esrrf_from_file", NAME(path), options), options);
}
END_TEST

START_TEST(files_that_cannot_serve)
{
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME("/no/such/file.tif"), NEW, NAME("")), "/no/such/file.tif");
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
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME(path), NEW, NAME("magnification=1 drift_correction=1")), path);
}
END_TEST

/* ---- what it will take */

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The memory is that which is taken, up to the pool's rounding; other programs share the processor, so time is roughly right. */
START_TEST(estimates)
{
    static const char *const options[] = {"magnification=5", "magnification=3 projection=all frames_per_timepoint=100",
                                          "magnification=2 registration=nanoj", "magnification=2 drift_correction=true"};
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
        drua_close(context);            /* a device without pool */
        context = harness_open();
        if (!file)
            movie = push_movie(SIDE, SIDE, 400, DRUA_UINT16);
        const uint64_t before = statistics().device_bytes;
        drua_argument arguments[] = {file ? NAME(path) : IMAGE(movie), NEW, NAME(text)};
        REQUIRE(drua_invoke(context, file ? "esrrf_from_file" : "esrrf", arguments, 3, NULL));
        REQUIRE(drua_sync(context));
        const double took = (double)(statistics().peak_bytes - before), said = estimate[2].number;
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

/* Stops the call when it is at a third of its work. */
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

static drua_status stop(drua_image movie, const char *options, drua_argument *arguments)
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
    REQUIRE(drua_set_memory(context, "8MB"));   /* small parts */
    const drua_status status = stop(movie, "magnification=4", arguments);
    ck_assert_msg(status == DRUA_E_CANCELLED, "status %d", (int)status);
    ck_assert_double_eq(drua_progress(context), -1);
    REQUIRE(stop(movie, "magnification=4 keep_partial=true", arguments));
    const int done = (int)arguments[3].number;
    ck_assert_msg(done >= FRAMES / 3 && done < FRAMES, "%d frames", done);
    ck_assert_double_ge(largest_progress, 0.33);
    drua_argument first[] = {IMAGE(movie), NEW, NUMBER(0), NUMBER(done - 1)};
    REQUIRE(drua_invoke(context, "sub_stack", first, 4, NULL));
    expect_same_bits(run("esrrf", IMAGE(first[1].image), "magnification=4"), arguments[1].image, "stopped");
    printf("stopped at %d of %d frames\n", done, FRAMES);
    REQUIRE(stop(movie, "magnification=4 keep_partial=true frames_per_timepoint=50", arguments));
    reference_image result = harness_pull(context, arguments[1].image);
    ck_assert_int_eq(result.shape.depth, FRAMES / 50);
    REFERENCE_EACH_PIXEL(result.shape, x, y, z)
        if (z * 50 >= arguments[3].number)
            ck_assert_double_eq(reference_at(&result, x, y, z), 0);
    reference_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("esrrf_stream");
    TCase *tests = tcase_create("esrrf_stream");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, files_give_the_bits_of_images);
    tcase_add_test(tests, movies_larger_than_the_device);
    tcase_add_test(tests, results_larger_than_the_device);
    tcase_add_test(tests, files_that_cannot_serve);
    tcase_add_test(tests, estimates);
    tcase_add_test(tests, a_stopped_call_keeps_what_it_has);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
