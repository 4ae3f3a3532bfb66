/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats the same work many times; neither the device's nor the process's memory grows. */
#include "limited.h"

#include "context.h"
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature) /* Clang */
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif

enum { PAGES = IS_SANITIZED ? 1 << 17 : 256 }; /* sanitizers keep freed memory and records about accesses */

static long resident_pages(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident;
}

static void twenty_calls(drua_context *context, drua_image source)
{
    drua_image made[20], from = source;
    int output = 1;
    for (int i = 0; i < 20; i++) {
        switch (i % 5) {
        case 0: STEP(made[i], "add_image_and_scalar", IMAGE(from), NEW, NUMBER(1)); break;
        case 1: STEP(made[i], "maximum_box", IMAGE(from), NEW, NUMBER(1), NUMBER(1), NUMBER(0)); break;
        case 2: STEP(made[i], "multiply_image_and_scalar", IMAGE(from), NEW, NUMBER(0.5)); break;
        case 3: STEP(made[i], "copy", IMAGE(from), NEW); break;
        default: STEP(made[i], "flip", IMAGE(from), NEW, NUMBER(1), NUMBER(0), NUMBER(0)); break;
        }
        from = made[i];
    }
    float pixels[64];
    REQUIRE(drua_pull(context, from, pixels));
    for (int i = 0; i < 20; i++)
        REQUIRE(drua_release(context, made[i]));
}

START_TEST(nothing_grows)
{
    enum { WARM_UP = 500, REPETITIONS = 10000 };
    setenv("DRUA_CHAINS", "interpret", 1);      /* a compiler that starts midway allocates memory once */
    setenv("DRUA_OPTIMIZE", "now", 1);
    loader_find();
    drua_context *context = harness_open();
    const float numbers[64] = {1, 2, 3};
    const drua_image source = harness_line(context, numbers, 64);
    uint64_t bytes = 0, pooled = 0, slots = 0, used;
    long long objects = 0, events = 0;
    long pages = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        twenty_calls(context, source);
        if (i == WARM_UP) {
            REQUIRE(drua_sync(context));
            bytes = limited_statistics(context).device_bytes;
            drua_device_memory(context->device, &used, &pooled);
            slots = context->slot_count;
            objects = loader.live_objects();
            events = loader.live_events();
            pages = resident_pages();
        }
    }
    REQUIRE(drua_sync(context));
    const uint64_t pooled_before = pooled;
    drua_device_memory(context->device, &used, &pooled);
    ck_assert_uint_eq(pooled, pooled_before);
    ck_assert_int_eq(loader.live_objects(), objects);
    ck_assert_msg(loader.live_events() <= events + 2, "%lld references to events became %lld", events,
                  loader.live_events());
    ck_assert_uint_eq(limited_statistics(context).device_bytes, bytes);
    ck_assert_uint_eq(context->slot_count, slots);
    ck_assert_msg(resident_pages() - pages < PAGES, "the process grew by %ld pages", resident_pages() - pages);
    drua_close(context);
    unsetenv("DRUA_CHAINS");
    unsetenv("DRUA_OPTIMIZE");
}
END_TEST

static drua_context *shared;
static drua_image described;

static void *ask_for_text(void *unused)
{
    const char *text;
    drua_get_metadata(shared, described, &text);
    return unused;
}

/* A thread's error text is freed with the thread. */
START_TEST(threads_leave_nothing)
{
    enum { WARM_UP = 20, THREADS = 200, LENGTH = 1 << 20 };
    long pages = 0;
    char *text = malloc(LENGTH);
    const float number = 1;
    memset(text, 'x', LENGTH);
    text[LENGTH - 1] = 0;
    loader_find();
    shared = harness_open();
    described = harness_line(shared, &number, 1);
    REQUIRE(drua_set_metadata(shared, described, text));
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, ask_for_text, NULL), 0);
        pthread_join(thread, NULL);
        if (i == WARM_UP)
            pages = resident_pages();
    }
    ck_assert_msg(resident_pages() - pages < PAGES, "the process grew by %ld pages", resident_pages() - pages);
    drua_close(shared);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth");
    TCase *tests = tcase_create("growth");
    tcase_set_timeout(tests, 900);
    tcase_add_test(tests, nothing_grows);
    tcase_add_test(tests, threads_leave_nothing);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
