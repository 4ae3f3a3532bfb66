/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that drua_cancel stops running calls soon and leaves every image unchanged. */
#include "harness.h"
#include "context.h"
#include "internal.h"
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

/*
 * The context's OpenCL functions, two of them replaced. While `held` is set, no command seems to end, so only a stop
 * ends a wait. This does not depend on the load of the computer.
 */
static drua_opencl functions;
static const drua_opencl *driver;
static atomic_bool held;
static bool holds_chunks; /* sets `held` when a kernel is sent in more than ten chunks */
static int sent = -1; /* thousandths of that kernel that were sent before its last chunk */

static CL_API_ENTRY cl_int CL_API_CALL ask_event(cl_event event, cl_event_info what, size_t size, void *value,
                                                 size_t *used)
{
    if (!atomic_load(&held) || what != CL_EVENT_COMMAND_EXECUTION_STATUS)
        return driver->clGetEventInfo(event, what, size, value, used);
    *(cl_int *)value = CL_RUNNING;
    return CL_SUCCESS;
}

static CL_API_ENTRY cl_int CL_API_CALL counted_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                      const size_t *from, const size_t *items, const size_t *group,
                                                      cl_uint count, const cl_event *waits, cl_event *event)
{
    const cl_int code =
        driver->clEnqueueNDRangeKernel(queue, kernel, dimensions, from, items, group, count, waits, event);
    const int launched = atomic_load(&context->device->launched);
    if (holds_chunks && launched >= 0 && launched < 100)
        atomic_store(&held, true);
    if (atomic_load(&held))
        sent = launched;
    return code;
}

static void replace_functions(drua_device *device)
{
    driver = device->cl;
    functions = *driver;
    functions.clGetEventInfo = ask_event;
    functions.clEnqueueNDRangeKernel = counted_launch;
    device->cl = &functions;
}

/* A CPU that is treated as a GPU does not count as a GPU here. */
static bool is_real_gpu(void)
{
    return context->device->info.is_gpu && !getenv("DRUA_AS_GPU");
}

static long long milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void open_context(void)
{
    context = harness_open();
    replace_functions(context->device);
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
static void cancel_until_the_work_ends(void)
{
    atomic_store(&asked, milliseconds());
    while (atomic_load(&running)) {
        drua_cancel(context);
        usleep(1000);
    }
}

static void *cancel_later(void *unused)
{
    usleep(150000); /* usually until the call waits */
    cancel_until_the_work_ends();
    return unused;
}

static void begin_work(pthread_t *canceller, void *(*cancel)(void *))
{
    atomic_store(&running, 1);
    pthread_create(canceller, NULL, cancel, NULL);
}

static void end_work(pthread_t canceller)
{
    atomic_store(&running, 0);
    pthread_join(canceller, NULL);
    atomic_store(&held, false);
}

/* Checks that the call was stopped. Its duration is checked only on GPUs, because other programs delay a CPU. */
static void has_stopped(drua_status status)
{
    const long long took = milliseconds() - atomic_load(&asked);
    ck_assert_msg(status == DRUA_E_CANCELLED, "status %d: %s", (int)status, drua_error_message());
    ck_assert_msg(strstr(drua_error_message(), "stopped on request"), "%s", drua_error_message());
    ck_assert_msg(took < FAST_CALLS || !is_real_gpu(), "it stopped after %lld ms", took);
    printf("stopped after %lld ms\n", took);
}

START_TEST(a_wait_stops)
{
    pthread_t thread;
    REQUIRE(drua_sync(context));
    atomic_store(&held, true);
    begin_work(&thread, cancel_later);
    drua_status status = INVOKE(context, "median_box", IMAGE(source), NEW, NUMBER(3), NUMBER(3), NUMBER(0));
    if (status == DRUA_OK)
        status = drua_sync(context);
    end_work(thread);
    has_stopped(status);
    REQUIRE(drua_sync(context));
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
    unsigned char *pixels = reference_allocate(WIDTH * WIDTH, DEPTH);
    drua_argument median[] = {IMAGE(source), NEW, NUMBER(3), NUMBER(3), NUMBER(0)};
    atomic_store(&held, true);
    begin_work(&thread, cancel_later);
    drua_status status = drua_invoke(context, "median_box", median, 5, NULL);
    if (status == DRUA_OK)
        status = drua_pull(context, median[1].image, pixels);
    end_work(thread);
    has_stopped(status);
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
    for (int i = 0; i < 60000 && !atomic_load(what); i++)
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
    usleep(100000); /* usually until the thread waits */
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
    for (int i = 0; i < 60000 && !atomic_load(&ended); i++) { /* the thread may not have begun its call yet */
        drua_cancel(context);
        usleep(1000);
    }
    const bool stopped = atomic_load(&ended);
    atomic_store(&may_bring, true);
    pthread_join(beside, NULL);
    pthread_join(pusher, NULL);
    ck_assert_msg(stopped, "a call still waits for another call's pixels");
    ck_assert_int_eq(result, DRUA_E_CANCELLED);
}
END_TEST

static void *cancel_when_held(void *unused)
{
    while (atomic_load(&running) && !atomic_load(&held))
        usleep(1000);
    cancel_until_the_work_ends();
    return unused;
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
 * A median that takes a minute on a CPU is stopped after its first chunks. Most chunks are not sent yet, so the device
 * is soon free; a single launch would compute the whole median first. A fast GPU may already have all chunks.
 */
START_TEST(the_device_is_soon_free)
{
    enum { SIDE = 512, SLICES = 100 };
    pthread_t thread;
    drua_image stack = 0, small = 0;
    unsigned char *pixels = reference_allocate(SIDE * SIDE, SLICES);
    for (size_t i = 0; i < (size_t)SIDE * SIDE * SLICES; i++)
        pixels[i] = (unsigned char)(i * 2654435761u >> 24);
    REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, SLICES), DRUA_UINT8, pixels, &stack));
    REQUIRE(drua_push(context, reference_plane(3, 2), DRUA_UINT8, pixels + 1, &small));
    REQUIRE(drua_sync(context));
    drua_argument median[] = {IMAGE(stack), NEW, NUMBER(10), NUMBER(10), NUMBER(10)};
    sent = -1;
    holds_chunks = true;
    begin_work(&thread, cancel_when_held);
    drua_status status = drua_invoke(context, "median_sphere", median, 5, NULL);
    if (status == DRUA_OK)
        status = drua_sync(context);
    end_work(thread);
    holds_chunks = false;
    if (status != DRUA_OK)
        has_stopped(status);
    ck_assert_msg(is_real_gpu() || (sent >= 0 && sent < 500), "%d thousandths were sent before the stop", sent);
    ck_assert_double_eq(first_of_copy(small), pixels[1]);
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
