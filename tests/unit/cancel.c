/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that drua_cancel stops running calls soon and leaves every image unchanged. */
#include "harness.h"
#include "context.h"
#include "libtiff.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 1000, DEPTH = 5, FAST_CALLS = 200 };

static drua_context *context;
static drua_image source;
static atomic_int running;
static atomic_llong asked;

static long long milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void open_context(void)
{
    context = harness_open();
    unsigned char *pixels = reference_allocate(WIDTH * WIDTH, DEPTH);
    for (int i = 0; i < WIDTH * WIDTH * DEPTH; i++)
        pixels[i] = (unsigned char)(i % 251);
    REQUIRE(drua_push(context, reference_stack(WIDTH, WIDTH, DEPTH), DRUA_UINT8, pixels, &source));
    free(pixels);
    drua_argument arguments[] = {IMAGE(source), NEW, NUMBER(3), NUMBER(3), NUMBER(0)};
    for (int radius = 2; radius <= 3; radius++) {        /* so that nothing is compiled later */
        arguments[2].number = radius;
        REQUIRE(drua_invoke(context, "median_box", arguments, 5, NULL));
        REQUIRE(drua_sync(context));
    }
    REQUIRE(drua_release(context, arguments[1].image));
}

static void close_context(void)
{
    ck_assert_double_eq(harness_first(context, source), 0);
    drua_close(context);
}

/*
 * Cancels again and again until the work ends: a call that only sends commands may return before it sees the first
 * request.
 */
static void *cancel_later(void *unused)
{
    usleep(150000);
    atomic_store(&asked, milliseconds());
    while (atomic_load(&running)) {
        drua_cancel(context);
        usleep(1000);
    }
    return unused;
}

static void end_work(pthread_t canceller)
{
    atomic_store(&running, 0);
    pthread_join(canceller, NULL);
}

/*
 * Computes wide medians of a large stack until it is cancelled or 5 s have passed. Two calls take turns, because a GPU
 * computes a repeated identical call only once.
 */
static drua_status long_work(drua_image *destination)
{
    drua_argument arguments[] = {IMAGE(source), *destination ? IMAGE(*destination) : NEW, NUMBER(3), NUMBER(3),
                                 NUMBER(0)};
    drua_status status = DRUA_OK;
    const long long start = milliseconds();
    while (status == DRUA_OK && milliseconds() - start < 5000) {
        arguments[2].number = 5 - arguments[2].number;
        status = drua_invoke(context, "median_box", arguments, 5, NULL);
    }
    *destination = arguments[1].kind == DRUA_ARG_IMAGE ? arguments[1].image : 0;
    return status;
}

static void stops_within(drua_status status, long long max)
{
    const long long took = milliseconds() - atomic_load(&asked);
    ck_assert_msg(status == DRUA_E_CANCELLED, "status %d: %s", (int)status, drua_error_message());
    ck_assert_msg(strstr(drua_error_message(), "stopped on request"), "%s", drua_error_message());
    ck_assert_msg(took < max, "it stopped after %lld ms", took);
    printf("stopped after %lld ms\n", took);
}

START_TEST(a_wait_stops)
{
    pthread_t thread;
    drua_image result = 0;
    REQUIRE(drua_sync(context));
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, cancel_later, NULL);
    drua_status status = long_work(&result);
    if (status == DRUA_OK)
        status = drua_sync(context);
    end_work(thread);
    stops_within(status, FAST_CALLS);
}
END_TEST

static drua_libtiff *libtiff;
static __typeof__(&TIFFOpen) open_file;

static TIFF *stop_and_open(const char *path, const char *mode)
{
    drua_cancel(context);
    return open_file(path, mode);
}

/* The call is stopped while it opens the file, before pixels move. */
START_TEST(opening_a_file_stops)
{
    char path[300];
    const char *folder = getenv("TMPDIR");
    drua_image image = 0;
    snprintf(path, sizeof path, "%s/drua-cancel-%ld.tif", folder ? folder : "/tmp", (long)getpid());
    REQUIRE(drua_write_tiff(context, source, path, NULL));
    libtiff = (drua_libtiff *)(uintptr_t)drua_libtiff_load();
    open_file = libtiff->TIFFOpen;
    libtiff->TIFFOpen = stop_and_open;
    const drua_status status = drua_read_tiff(context, path, 0, 0, &image);
    libtiff->TIFFOpen = open_file;
    ck_assert_msg(status == DRUA_E_CANCELLED, "status %d", (int)status);
    ck_assert_msg(strstr(drua_error_message(), "stopped on request"), "%s", drua_error_message());
    ck_assert_uint_eq(image, 0);
    REQUIRE(drua_read_tiff(context, path, 0, 0, &image));       /* later calls succeed */
    remove(path);
    REQUIRE(drua_release(context, image));
}
END_TEST

START_TEST(a_pull_stops_and_can_be_asked_again)
{
    pthread_t thread;
    drua_image result = 0;
    unsigned char *pixels = reference_allocate(WIDTH * WIDTH, DEPTH);
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, cancel_later, NULL);
    drua_status status = long_work(&result);
    if (status == DRUA_OK)
        status = drua_pull(context, result, pixels);
    end_work(thread);
    stops_within(status, FAST_CALLS);
    drua_argument copy[] = {IMAGE(source), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    REQUIRE(drua_pull(context, copy[1].image, pixels));
    ck_assert_int_eq(pixels[252], 1);
    free(pixels);
}
END_TEST

/* A request to stop while no call runs does not affect later calls. */
START_TEST(later_calls_go_on)
{
    drua_cancel(context);
    ck_assert_double_eq(harness_first(context, source), 0);
    drua_cancel(context);
    REQUIRE(drua_sync(context));
}
END_TEST

static void *cancel_at_once(void *unused)
{
    while (atomic_load(&running))
        drua_device_cancel(context->device);
    return unused;
}

/* Several threads stop calls at once; a thread that pauses midway must not undo another's stop. */
START_TEST(a_stop_is_not_taken_back)
{
    enum { CALLS = 1000000, POLLS = 100 };
    pthread_t threads[2];
    int missed = 0;
    drua_device *device = context->device;
    atomic_store(&running, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, cancel_at_once, NULL);
    for (int i = 0; i < CALLS && !missed; i++) {
        drua_device_enter(drua_device_ticket(device));
        drua_device_cancel(device);
        for (int poll = 0; poll < POLLS; poll++)
            missed += !drua_device_wants_stop(device);
    }
    atomic_store(&running, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(missed, 0);
}
END_TEST

static void *cancel_often(void *unused)
{
    while (atomic_load(&running)) {
        drua_cancel(context);
        usleep(700);
    }
    return unused;
}

/* After a stopped call, its destination has either all old or all new pixels. */
START_TEST(images_are_as_they_were)
{
    enum { SIDE = 64 };
    pthread_t thread;
    float pixels[SIDE * SIDE], got[SIDE * SIDE];
    drua_image image = 0;
    int stopped = 0, value = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = 0;
    REQUIRE(drua_push(context, reference_plane(SIDE, SIDE), DRUA_FLOAT32, pixels, &image));
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, cancel_often, NULL);
    for (int i = 0; i < 2000; i++) {
        drua_argument add[] = {IMAGE(image), IMAGE(image), NUMBER(1)};
        drua_argument mean[] = {IMAGE(image), IMAGE(image), NUMBER(2), NUMBER(2), NUMBER(0)};
        drua_status status = drua_invoke(context, "add_image_and_scalar", add, 3, NULL);
        value += status == DRUA_OK;
        if (status == DRUA_OK)
            status = drua_invoke(context, "mean_box", mean, 5, NULL);
        stopped += status == DRUA_E_CANCELLED;
        status = drua_pull(context, image, got);
        stopped += status == DRUA_E_CANCELLED;
        for (int k = 0; k < SIDE * SIDE && status == DRUA_OK; k++)
            ck_assert_msg(got[k] == (float)value, "pixel %d is %g, not %d", k, (double)got[k], value);
    }
    atomic_store(&running, 0);
    pthread_join(thread, NULL);
    printf("%d calls stopped\n", stopped);
    REQUIRE(drua_release(context, image));
}
END_TEST

typedef struct other {
    int failures;
} other;

static void *work_aside(void *argument)
{
    other *o = argument;
    for (int i = 0; i < 50; i++) {
        drua_argument add[] = {IMAGE(source), NEW, NUMBER(1)};
        const drua_status status = drua_invoke(context, "add_image_and_scalar", add, 3, NULL);
        drua_image_info info;
        if (status != DRUA_OK || drua_get_info(context, add[1].image, &info) != DRUA_OK ||
            drua_release(context, add[1].image) != DRUA_OK)
            o->failures++;
    }
    return NULL;
}

/* An error in one thread's call does not affect the call of the other thread. */
START_TEST(two_threads)
{
    pthread_t thread;
    other o = {0};
    pthread_create(&thread, NULL, work_aside, &o);
    for (int i = 0; i < 50; i++)
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "median_box", IMAGE(source), NEW, NUMBER(-1)), "median_box", "-1");
    pthread_join(thread, NULL);
    ck_assert_int_eq(o.failures, 0);
}
END_TEST

/* A thread pushes from a source that delivers its pixels only when allowed. */
static atomic_bool asked_for_pixels, may_bring;

static int bring_late(void *payload, size_t first, size_t last)
{
    (void)payload, (void)first, (void)last;
    atomic_store(&asked_for_pixels, true);
    while (!atomic_load(&may_bring))
        usleep(1000);
    return 1;
}

static void bring(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    (void)payload, (void)plane, (void)inside;
    memset(memory, 5, bytes);
}

static void *push_slowly(void *image)
{
    const drua_stream stream = {bring_late, bring, NULL};
    drua_push_stream(context, reference_plane(WIDTH, WIDTH), DRUA_UINT8, &stream, image);
    return NULL;
}

static atomic_bool began, ended;
static drua_status result;

static void *wait_for_all(void *unused)
{
    atomic_store(&began, true);
    result = drua_sync(context);
    return unused;
}

static drua_image pushed;

static void *push_beside(void *unused)
{
    unsigned char *pixels = reference_allocate(WIDTH * WIDTH, DEPTH);
    memset(pixels, 7, WIDTH * WIDTH * DEPTH);
    atomic_store(&began, true);
    result = drua_push(context, reference_stack(WIDTH, WIDTH, DEPTH), DRUA_UINT8, pixels, &pushed);
    atomic_store(&ended, true);
    free(pixels);
    return unused;
}

static void *measure(void *unused)
{
    double bytes_per_second;
    atomic_store(&began, true);
    result = drua_measure_copy(context, 1 << 20, &bytes_per_second);
    atomic_store(&ended, true);
    return unused;
}

static void *ask_for_names(void *unused)
{
    drua_names(context);
    atomic_store(&ended, true);
    return unused;
}

/* Waits for the flag up to a time limit; returns the flag. */
static bool comes(atomic_bool *what)
{
    for (int i = 0; i < 10000 && !atomic_load(what); i++)
        usleep(1000);
    return atomic_load(what);
}

/* Starts the slow push and, once the push waits for pixels, another thread. */
static void stand_still(pthread_t *pusher, drua_image *image, pthread_t *beside, void *(*work)(void *))
{
    atomic_store(&may_bring, false);
    atomic_store(&asked_for_pixels, false);
    atomic_store(&began, false);
    atomic_store(&ended, false);
    pthread_create(pusher, NULL, push_slowly, image);
    ck_assert(comes(&asked_for_pixels));
    pthread_create(beside, NULL, work, NULL);
    ck_assert(comes(&began));
    usleep(100000);     /* until the thread waits */
}

START_TEST(others_go_on_while_one_waits)
{
    pthread_t pusher, beside, third;
    drua_image image = 0;
    stand_still(&pusher, &image, &beside, wait_for_all);
    pthread_create(&third, NULL, ask_for_names, NULL);
    const bool went_on = comes(&ended);
    atomic_store(&may_bring, true);
    pthread_join(third, NULL);
    pthread_join(beside, NULL);
    pthread_join(pusher, NULL);
    ck_assert_msg(went_on, "a call waits for pixels that another call needs");
    ck_assert_int_eq(result, DRUA_OK);
    ck_assert_double_eq(harness_first(context, image), 5);
}
END_TEST

/*
 * A call that blocks all others must not wait for another call's pixels, because delivering these may need one of the
 * blocked calls.
 */
START_TEST(a_measurement_does_not_wait_for_pixels)
{
    pthread_t pusher, beside;
    drua_image image = 0;
    stand_still(&pusher, &image, &beside, measure);
    const bool went_on = comes(&ended);
    atomic_store(&may_bring, true);
    pthread_join(beside, NULL);
    pthread_join(pusher, NULL);
    ck_assert_msg(went_on, "a measurement waits for pixels that another call needs");
    ck_assert_int_eq(result, DRUA_OK);
    ck_assert_double_eq(harness_first(context, image), 5);
}
END_TEST

/* The pushed image cannot leave the device while it is filled; the second push uses host memory. */
START_TEST(a_push_beside_another_finds_room)
{
    pthread_t pusher, beside;
    drua_image image = 0;
    REQUIRE(drua_set_memory(context, "5MB"));
    stand_still(&pusher, &image, &beside, push_beside);
    const bool went_on = comes(&ended);
    atomic_store(&may_bring, true);
    pthread_join(beside, NULL);
    pthread_join(pusher, NULL);
    ck_assert(went_on);
    ck_assert_int_eq(result, DRUA_OK);
    ck_assert_double_eq(harness_first(context, pushed), 7);
    ck_assert_double_eq(harness_first(context, image), 5);
}
END_TEST

START_TEST(who_waits_for_another_transfer_stops)
{
    pthread_t pusher, beside;
    drua_image image = 0;
    stand_still(&pusher, &image, &beside, push_beside);
    drua_cancel(context);
    const bool stopped = comes(&ended);
    atomic_store(&may_bring, true);
    pthread_join(beside, NULL);
    pthread_join(pusher, NULL);
    ck_assert_msg(stopped, "a call still waits for another call's pixels");
    ck_assert_int_eq(result, DRUA_E_CANCELLED);
}
END_TEST

static void *cancel_after_a_second(void *unused)
{
    usleep(850000);
    return cancel_later(unused);
}

static double first_of_copy(drua_image image)
{
    drua_argument copy[] = {IMAGE(image), NEW};
    REQUIRE(drua_invoke(context, "copy", copy, 2, NULL));
    const double first = harness_first(context, copy[1].image);
    REQUIRE(drua_release(context, copy[1].image));
    return first;
}

/*
 * A median that takes a CPU a minute. After the stop the device is free: in a single launch it would first
 * compute the whole median.
 */
START_TEST(the_device_is_soon_free)
{
    enum { SIDE = 512, SLICES = 100, LIMIT = 4000 };
    pthread_t thread;
    drua_image stack = 0, small = 0;
    unsigned char *pixels = reference_allocate(SIDE * SIDE, SLICES);
    for (size_t i = 0; i < (size_t)SIDE * SIDE * SLICES; i++)
        pixels[i] = (unsigned char)(i * 2654435761u >> 24);
    REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, SLICES), DRUA_UINT8, pixels, &stack));
    REQUIRE(drua_push(context, reference_plane(3, 2), DRUA_UINT8, pixels + 1, &small));
    ck_assert_double_eq(first_of_copy(small), pixels[1]); /* so that nothing is compiled later */
    drua_argument median[] = {IMAGE(stack), NEW, NUMBER(10), NUMBER(10), NUMBER(10)};
    atomic_store(&running, 1);
    pthread_create(&thread, NULL, cancel_after_a_second, NULL);
    drua_status status = drua_invoke(context, "median_sphere", median, 5, NULL);
    if (status == DRUA_OK)
        status = drua_sync(context);
    end_work(thread);
    if (status == DRUA_OK)
        printf("this device is too fast for the test\n");
    else
        ck_assert_double_eq(first_of_copy(small), pixels[1]);
    const long long took = milliseconds() - atomic_load(&asked);
    if (status != DRUA_OK)
        stops_within(status, LIMIT);
    printf("the device was free after %lld ms\n", took);
    free(pixels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cancel");
    TCase *tests = tcase_create("cancel");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, a_wait_stops);
    tcase_add_test(tests, opening_a_file_stops);
    tcase_add_test(tests, a_pull_stops_and_can_be_asked_again);
    tcase_add_test(tests, later_calls_go_on);
    tcase_add_test(tests, a_stop_is_not_taken_back);
    tcase_add_test(tests, images_are_as_they_were);
    tcase_add_test(tests, two_threads);
    tcase_add_test(tests, others_go_on_while_one_waits);
    tcase_add_test(tests, a_measurement_does_not_wait_for_pixels);
    tcase_add_test(tests, a_push_beside_another_finds_room);
    tcase_add_test(tests, who_waits_for_another_transfer_stops);
    tcase_add_test(tests, the_device_is_soon_free);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
