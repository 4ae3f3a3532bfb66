/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that drua_progress rises while a pull or drua_sync waits for work that earlier calls submitted. */
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIDE = 1000, DEPTH = 5, CALLS = 6 };

static drua_context *context;
static drua_image source;
static atomic_bool ends;

static void open_context(void)
{
    context = harness_open();
    unsigned char *pixels = reference_allocate(SIDE * SIDE, DEPTH);
    for (int i = 0; i < SIDE * SIDE * DEPTH; i++)
        pixels[i] = (unsigned char)(i * 7 % 251);
    REQUIRE(drua_push(context, reference_stack(SIDE, SIDE, DEPTH), DRUA_UINT8, pixels, &source));
    free(pixels);
}

static void close_context(void)
{
    drua_close(context);
}

/* Returns the last of several images, each computed from the previous one; the device is still working. */
static drua_image send_work(void)
{
    drua_image last = source;
    for (int i = 0; i < CALLS; i++) {
        drua_argument arguments[] = {IMAGE(last), NEW, NUMBER(3), NUMBER(3), NUMBER(0)};
        REQUIRE(drua_invoke(context, "median_box", arguments, 5, NULL));
        last = arguments[1].image;
    }
    return last;
}

typedef struct seen {
    double last;
    int between, falls; /* reads of at most 0.9; reads below the previous one */
} seen;

static void *watch_progress(void *argument)
{
    seen *s = argument;
    while (!atomic_load(&ends)) {
        const double now = drua_progress(context);
        s->between += now >= 0 && now <= 0.9;
        s->falls += now >= 0 && now < s->last;
        s->last = now >= 0 ? now : s->last;
        usleep(200);
    }
    return NULL;
}

START_TEST(rises_while_work_is_waited_for)
{
    unsigned char *pixels = reference_allocate(SIDE * SIDE, DEPTH);
    seen s = {.last = -1};
    pthread_t thread;
    atomic_store(&ends, false);
    REQUIRE(INVOKE(context, "median_box", IMAGE(source), NEW, NUMBER(3), NUMBER(3), NUMBER(0))); /* compiles */
    REQUIRE(drua_sync(context));
    const drua_image image = send_work();
    ck_assert_int_eq(pthread_create(&thread, NULL, watch_progress, &s), 0);
    const drua_status status = _i ? drua_sync(context) : drua_pull(context, image, pixels);
    atomic_store(&ends, true);
    pthread_join(thread, NULL);
    REQUIRE(status);
    ck_assert_int_gt(s.between, 0);
    ck_assert_int_eq(s.falls, 0);
    ck_assert(drua_progress(context) == -1);
    free(pixels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("progress");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, rises_while_work_is_waited_for, 0, 2);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
