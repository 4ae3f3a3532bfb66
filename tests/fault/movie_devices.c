/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests eSRRF of one movie on two devices, one of which fails at some call or has too little memory. The result must
 * have the same bytes as on one device.
 */
#include "harness.h"
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 45, HEIGHT = 61, FRAMES = 90 };

static drua_context *context;
static harness_random chance;
static char path[256];
static drua_image movie;

static drua_image push_movie(int width, int height, int frames, drua_type type)
{
    return harness_push_movie(context, &chance, reference_stack(width, height, frames), type);
}

static void set_up(void)
{
    const char *folder = getenv("TMPDIR");
    loader_find();
    ck_assert_uint_eq(drua_device_count(), 2);
    REQUIRE(drua_open("0", &context));
    chance.state = harness_new_seed("movie_devices");
    snprintf(path, sizeof path, "%s/drua_movie_%d.tif", folder ? folder : "/tmp", (int)getpid());
    movie = push_movie(WIDTH, HEIGHT, FRAMES, DRUA_UINT16);
    REQUIRE(drua_write_tiff(context, movie, path, "deflate"));
}

static void tear_down(void)
{
    remove(path);
    drua_close(context);
}

static drua_status run_on_devices(const char *operation, drua_argument source, const char *options, const char *devices,
                                  drua_image *result)
{
    char text[256];
    snprintf(text, sizeof text, "%s%s%s", options, devices ? " devices=" : "", devices ? devices : "");
    drua_argument arguments[] = {source, NEW, NAME(text), NEW};
    const drua_status status = drua_invoke(context, operation, arguments, 4, NULL);
    *result = arguments[1].image;
    if (status == DRUA_OK)
        ck_assert_double_gt(arguments[3].number, 0);
    return status;
}

static char *bytes_of(drua_image image, size_t *count)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    char *bytes = reference_allocate(1, info.bytes);
    REQUIRE(drua_pull(context, image, bytes));
    *count = info.bytes;
    return bytes;
}

/* Fails unless both images have the same bits, and releases `b`. */
static void expect_same_bits(drua_image a, drua_image b, const char *what, const char *devices)
{
    size_t first, second;
    char *one = bytes_of(a, &first), *other = bytes_of(b, &second);
    ck_assert_uint_eq(first, second);
    ck_assert_msg(!memcmp(one, other, first), "%s: the bits differ with devices=%s", what, devices);
    REQUIRE(drua_release(context, b));
    free(one);
    free(other);
}

static const char *const options[] = {
    "magnification=3",
    "magnification=2 projection=all radius=4 sensitivity=2",
    "magnification=2 projection=TAC2 frames_per_timepoint=37 macro_pixel_correction=false",
    "magnification=2 projection=VAR frames_per_timepoint=4",
    "magnification=2 projection=frames registration=nanopyx intensity_weighting=false",
    "magnification=3 registration=nanoj radius=2.5",
    "magnification=1 registration=nanoj projection=all",
    "magnification=1",
    "magnification=2 drift_correction drift_frames=30 projection=VAR",
};

START_TEST(two_devices_give_the_bytes_of_one)
{
    static const char *const devices[] = {"all", "1", "1,0", "0"};
    const char *text = options[_i];
    drua_image one, two;
    REQUIRE(run_on_devices("esrrf", IMAGE(movie), text, NULL, &one));
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        REQUIRE(run_on_devices("esrrf", IMAGE(movie), text, devices[k], &two));
        expect_same_bits(one, two, text, devices[k]);
        REQUIRE(run_on_devices("esrrf_from_file", NAME(path), text, devices[k], &two));
        expect_same_bits(one, two, text, devices[k]);
    }
    REQUIRE(drua_release(context, one));
    ck_assert_str_eq(drua_take_messages(context), "");
}
END_TEST

/* Rows of any length, and views with gaps between rows. */
START_TEST(small_movies_and_views)
{
    static const int extents[][3] = {{5, 4, 4}, {4, 7, 2}, {17, 16, 3}, {20, 90, 1}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        drua_image small = push_movie(extents[i][0], extents[i][1], extents[i][2], DRUA_FLOAT32), one, two;
        REQUIRE(run_on_devices("esrrf", IMAGE(small), "magnification=3 drift_correction drift_frames=1", NULL, &one));
        REQUIRE(run_on_devices("esrrf", IMAGE(small), "magnification=3 drift_correction drift_frames=1", "all", &two));
        expect_same_bits(one, two, "a small movie", "all");
    }
    drua_argument part[] = {IMAGE(movie), NEW, NUMBER(3), NUMBER(4), NUMBER(5), NUMBER(30), NUMBER(50), NUMBER(20)};
    drua_image one, two;
    REQUIRE(drua_invoke(context, "crop", part, 8, NULL));
    REQUIRE(run_on_devices("esrrf", IMAGE(part[1].image), "magnification=2", NULL, &one));
    REQUIRE(run_on_devices("esrrf", IMAGE(part[1].image), "magnification=2", "all", &two));
    expect_same_bits(one, two, "a part", "all");
}
END_TEST

/* The view moves far in all directions, so rows come from far away or from beyond the border. */
START_TEST(drift_by_many_rows)
{
    drua_argument scene[] = {NEW,         NEW,        NUMBER(48), NUMBER(64),  NUMBER(120), NUMBER(400), NUMBER(1.2),
                             NUMBER(400), NUMBER(20), NUMBER(2),  NUMBER(0.3), NUMBER(1),   NUMBER(6),   NUMBER(-14)};
    drua_image one, two;
    REQUIRE(drua_invoke(context, "blinking_emitters", scene, 14, NULL));
    for (int turn = 0; turn < 2; turn++) {
        REQUIRE(run_on_devices("esrrf", IMAGE(scene[0].image), "magnification=2 drift_correction drift_frames=20", NULL,
                               &one));
        REQUIRE(run_on_devices("esrrf", IMAGE(scene[0].image), "magnification=2 drift_correction drift_frames=20",
                               turn ? "1" : "all", &two));
        expect_same_bits(one, two, "drift", "all");
    }
}
END_TEST

/* Makes the n-th driver call fail; returns whether the run reached it. */
static bool run_with_failing_call(drua_image source, drua_image one, const char *devices, long n, int *left_out)
{
    const char *text = options[2];
    drua_image two;
    loader.fail_after(n);
    drua_status status = run_on_devices("esrrf", IMAGE(source), text, devices, &two);
    const bool fired = loader.fired();
    loader.fail_after(0);
    *left_out += strstr(drua_take_messages(context), "left out") != NULL;
    if (status != DRUA_OK && drua_is_lost(context)) {
        ck_assert_int_eq(status, DRUA_E_DEVICE);
        return fired;
    }
    if (status != DRUA_OK)
        REQUIRE(run_on_devices("esrrf", IMAGE(source), text, devices, &two));
    expect_same_bits(one, two, "a device that fails", devices);
    return fired;
}

/*
 * Which device makes the n-th call, and for which purpose, is random. Random calls therefore fail until a device has
 * been left out. Half of them are among the first calls, because most later calls only poll for completion.
 */
START_TEST(a_device_that_fails_is_left_out)
{
    enum { TRIES = 500 };
    int left_out = 0;
    long n = 1;
    drua_image one, small = push_movie(20, 40, 75, DRUA_UINT16);
    REQUIRE(run_on_devices("esrrf", IMAGE(small), options[2], NULL, &one));
    while (run_with_failing_call(small, one, "all", n, &left_out))
        n += 1 + n / 3;
    for (int tries = 0; left_out < 2 && tries < TRIES; tries++)
        run_with_failing_call(small, one, tries % 4 ? "all" : "1",
                              1 + harness_below(&chance, (int)(n >> harness_below(&chance, 8))), &left_out);
    ck_assert_int_ge(left_out, 2);
}
END_TEST

START_TEST(pieces_are_cut_where_memory_is_short)
{
    drua_image one, two;
    drua_image larger = push_movie(96, 200, 40, DRUA_UINT8);
    REQUIRE(run_on_devices("esrrf", IMAGE(larger), "magnification=4 projection=all", NULL, &one));
    REQUIRE(drua_set_memory(context, "6MB")); /* the results of the rows take 8.6 MB */
    REQUIRE(run_on_devices("esrrf", IMAGE(larger), "magnification=4 projection=all", "1", &two));
    REQUIRE(drua_set_memory(context, ""));
    ck_assert_msg(strstr(drua_take_messages(context), "too little memory"), "no part was split");
    expect_same_bits(one, two, "little memory", "1");
}
END_TEST

START_TEST(what_is_refused)
{
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=7")), "devices", "'7'",
            "drua devices");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=all,none")), "devices", "'all'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=0,nothing radius=2")),
            "'nothing'");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=0,,1")), "devices", "0,,1");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=")), "devices");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices")), "devices");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf", IMAGE(movie), NEW, NAME("devices=all keep_partial")),
            "keep_partial");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "esrrf_from_file", NAME("/no/such/file.tif"), NEW, NAME("devices=all")),
            "/no/such/file.tif");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "esrrf_sweep", IMAGE(movie), NEW, NAME("1"), NAME("1"), NAME("devices=all")),
            "devices=all");
    drua_image one; /* names in a list do not start a new option; a name with its own = does */
    REQUIRE(run_on_devices("esrrf", IMAGE(movie), "devices=pthread,portable,magnification=1", NULL, &one));
}
END_TEST

/* If the end of a file cannot be read, the call fails with the file's error, whichever device reads it. */
START_TEST(files_that_break_off)
{
    FILE *file = fopen(path, "r+b");
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    fseek(file, bytes / 2, SEEK_SET);
    for (long i = 0; i < bytes / 4; i++)
        fputc((int)(i % 251), file);
    fclose(file);
    drua_image two;
    ck_assert_int_eq(run_on_devices("esrrf_from_file", NAME(path), "magnification=1", "all", &two), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_message(), path), "%s", drua_error_message());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("devices of movies");
    TCase *devices = tcase_create("devices"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(devices, set_up, tear_down);
    tcase_add_checked_fixture(faults, set_up, tear_down);
    tcase_add_loop_test(devices, two_devices_give_the_bytes_of_one, 0, (int)(sizeof options / sizeof *options));
    tcase_add_test(devices, small_movies_and_views);
    tcase_add_test(devices, drift_by_many_rows);
    tcase_add_test(faults, a_device_that_fails_is_left_out);
    tcase_add_test(faults, pieces_are_cut_where_memory_is_short);
    tcase_add_test(devices, what_is_refused);
    tcase_add_test(faults, files_that_break_off);
    suite_add_tcase(suite, devices);
    suite_add_tcase(suite, faults);
    return harness_run(suite);
}
