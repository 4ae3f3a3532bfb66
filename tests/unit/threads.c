/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that calls on one context from several threads run one after the other, and that each thread has its own error
 * message.
 */
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, ROUNDS = 100, LENGTH = 500 };

static drua_context *context;

/* fault: the first error, or "". Check's assertions belong to the main thread. */
typedef struct worker {
    int number;
    char fault[200];
} worker;

static bool right(worker *w, drua_status status, const char *what)
{
    if (status != DRUA_OK && !*w->fault)
        snprintf(w->fault, sizeof w->fault, "%s: %s", what, drua_error_message());
    return status == DRUA_OK;
}

static void round_of(worker *w, int round)
{
    float pixels[LENGTH], got[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        pixels[i] = (float)(i + 1000 * w->number);
    char name[32], missing[32];
    snprintf(name, sizeof name, "image %d", w->number);
    snprintf(missing, sizeof missing, "missing %d", w->number);
    drua_image image, found;
    if (!right(w, drua_push(context, reference_plane(LENGTH, 1), DRUA_FLOAT32, pixels, &image), "push") ||
        !right(w, drua_bind(context, name, image), "bind"))
        return;
    drua_argument add[] = {IMAGE(image), NEW, NUMBER(round)};
    drua_argument sum[] = {IMAGE(image), IMAGE(0), NEW};
    if (!right(w, drua_invoke(context, "add_image_and_scalar", add, 3, NULL), "add"))
        return;
    sum[1] = IMAGE(add[1].image);
    right(w, drua_invoke(context, "add_images", sum, 3, NULL), "sum");
    if (drua_find(context, missing, &found) != DRUA_E_NAME || !strstr(drua_error_message(), missing))
        snprintf(w->fault, sizeof w->fault, "the sentence of another thread: %.100s", drua_error_message());
    right(w, drua_release(context, add[1].image), "release");
    if (!right(w, drua_pull(context, sum[2].image, got), "pull"))
        return;
    for (int i = 0; i < LENGTH; i++)
        if (got[i] != 2 * pixels[i] + (float)round)
            snprintf(w->fault, sizeof w->fault, "pixel %d is %g, not %g", i, (double)got[i],
                     (double)(2 * pixels[i] + (float)round));
    right(w, drua_release(context, sum[2].image), "release");
    right(w, drua_release_name(context, name), "release name");
}

static void *run_rounds(void *argument)
{
    worker *w = argument;
    for (int round = 0; round < ROUNDS && !*w->fault; round++)
        round_of(w, round);
    return NULL;
}

START_TEST(one_context)
{
    context = harness_open();
    pthread_t threads[THREADS];
    worker workers[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_rounds, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!*workers[i].fault, "thread %d: %s", i, workers[i].fault);
    ck_assert_str_eq(drua_names(context), "");
    drua_close(context);
}
END_TEST

/* ---- concurrent macros: names, streams, images that move to the host, work in parts */

enum { MACROS = 3, MACRO_ROUNDS = 4, WIDTH = 64, DEPTH = 50, PLANE = WIDTH * WIDTH };

typedef struct stack {
    float pixels[DEPTH][PLANE], got[DEPTH][PLANE];
    bool pull;
} stack;

static void copy_plane(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    stack *s = payload;
    if (s->pull)
        memcpy((char *)s->got[plane] + inside, memory, bytes);
    else
        memcpy(memory, (const char *)s->pixels[plane] + inside, bytes);
}

static bool run_command(worker *w, const char *name, drua_argument *arguments, size_t count, drua_table **table)
{
    return right(w, drua_command(context, name, arguments, count, table), name);
}

/* Returns the sum that the macro prints. */
static double macro(worker *w, stack *s)
{
    char source[32], blurred[32], larger[32];
    snprintf(source, sizeof source, "stack %d", w->number);
    snprintf(blurred, sizeof blurred, "blurred %d", w->number);
    snprintf(larger, sizeof larger, "larger %d", w->number);
    drua_image image;
    s->pull = false;
    if (!right(w,
               drua_push_stream(context, reference_stack(WIDTH, WIDTH, DEPTH), DRUA_FLOAT32,
                                &(drua_stream){NULL, copy_plane, s}, &image),
               "push") ||
        !right(w, drua_bind(context, source, image), "bind"))
        return 0;
    drua_argument blur[] = {NAME(source), NAME(blurred), NUMBER(1), NUMBER(1), NUMBER(1)};
    drua_argument more[] = {NAME(blurred), NAME(source), NAME(larger)}, sum[] = {NAME(larger)};
    drua_argument wrong[] = {NAME("nothing"), NAME(blurred), NUMBER(1), NUMBER(1), NUMBER(1)};
    drua_table *table = NULL;
    if (!run_command(w, "CLIJ2_gaussianBlur3D", blur, 5, NULL) || !run_command(w, "CLIJ2_maximumImages", more, 3, NULL))
        return 0;
    if (drua_command(context, "CLIJ2_gaussianBlur3D", wrong, 5, NULL) != DRUA_E_NAME ||
        !strstr(drua_error_message(), "nothing"))
        snprintf(w->fault, sizeof w->fault, "another sentence: %.100s", drua_error_message());
    if (!run_command(w, "CLIJ2_sumOfAllPixels", sum, 1, &table))
        return 0;
    const double total = table->cells[0];
    drua_table_free(table);
    s->pull = true;
    right(w, drua_find(context, source, &image), "find");
    right(w, drua_pull_stream(context, image, &(drua_stream){NULL, copy_plane, s}), "pull");
    if (memcmp(s->pixels, s->got, sizeof s->got))
        snprintf(w->fault, sizeof w->fault, "other pixels came back");
    return total;
}

static stack stacks[MACROS];
static double sums[MACROS];

static void *run_macro(void *argument)
{
    worker *w = argument;
    for (int round = 0; round < MACRO_ROUNDS && !*w->fault; round++) {
        const double sum = macro(w, &stacks[w->number]);
        if (!*w->fault && sum != sums[w->number])
            snprintf(w->fault, sizeof w->fault, "round %d: the sum is %.9g, not %.9g", round, sum, sums[w->number]);
    }
    return NULL;
}

START_TEST(macros_at_once)
{
    setenv("DRUA_AS_GPU", "1", 1);
    context = harness_open();
    pthread_t threads[MACROS];
    worker workers[MACROS] = {{0}};
    for (int i = 0; i < MACROS; i++) {
        for (int z = 0; z < DEPTH; z++)
            for (int k = 0; k < PLANE; k++)
                stacks[i].pixels[z][k] = (float)((k * 7 + z * 31 + i) % 251);
        workers[i].number = i;
        sums[i] = macro(&workers[i], &stacks[i]);
        ck_assert_msg(!*workers[i].fault, "alone: %s", workers[i].fault);
    }
    REQUIRE(drua_set_memory(context, "3MB"));
    for (int i = 0; i < MACROS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_macro, &workers[i]), 0);
    for (int i = 0; i < MACROS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < MACROS; i++)
        ck_assert_msg(!*workers[i].fault, "macro %d: %s", i, workers[i].fault);
    drua_statistics s;
    drua_get_statistics(context, &s);
    ck_assert_uint_gt(s.spilled_bytes, 0);
    drua_close(context);
    unsetenv("DRUA_AS_GPU");
}
END_TEST

/* ---- a device is reopened while other threads use it */

static atomic_bool over;

/* Images from before the restart are gone; no other error may occur. */
static void *push_and_pull(void *argument)
{
    worker *w = argument;
    enum { BYTES = 1 << 20 };
    unsigned char *pixels = calloc(2, BYTES), *got = pixels + BYTES;
    while (!atomic_load(&over) && !*w->fault) {
        drua_image image, sum = 0;
        memset(pixels, ++pixels[0] | 1, BYTES);
        if (!right(w, drua_push(context, reference_plane(1024, 1024), DRUA_UINT8, pixels, &image), "push"))
            break;
        drua_argument add[] = {IMAGE(image), NEW, NUMBER(0)};
        drua_status status = drua_invoke(context, "add_image_and_scalar", add, 3, NULL);
        if (status == DRUA_OK)
            status = drua_pull(context, image, got);
        if (status == DRUA_OK && memcmp(pixels, got, BYTES))
            snprintf(w->fault, sizeof w->fault, "other pixels came back");
        if (status != DRUA_OK && status != DRUA_E_NAME)
            snprintf(w->fault, sizeof w->fault, "%s", drua_error_message());
        sum = add[1].image;
        drua_release(context, image);
        if (sum)
            drua_release(context, sum);
    }
    free(pixels);
    return NULL;
}

static void *watch_context(void *argument)
{
    worker *w = argument;
    while (!atomic_load(&over)) {
        drua_device_info info;
        drua_context_device(context, &info);
        if (drua_progress(context) > 1 || !*info.name)
            snprintf(w->fault, sizeof w->fault, "no device");
    }
    return NULL;
}

START_TEST(restarts_beside_others)
{
    enum { RESTARTS = 6, PUSHERS = 2 };
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_AHEAD", "0", 1);       /* otherwise each restart waits for a whole set of kernels to compile */
    context = harness_open();
    atomic_store(&over, false);
    pthread_t threads[PUSHERS + 1];
    worker workers[PUSHERS + 1] = {{0}};
    for (int i = 0; i <= PUSHERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, i < PUSHERS ? push_and_pull : watch_context, &workers[i]),
                         0);
    for (int i = 0; i < RESTARTS; i++)
        REQUIRE(drua_restart(context));
    atomic_store(&over, true);
    for (int i = 0; i <= PUSHERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= PUSHERS; i++)
        ck_assert_msg(!*workers[i].fault, "thread %d: %s", i, workers[i].fault);
    drua_close(context);
    unsetenv("DRUA_AS_GPU");
    unsetenv("DRUA_AHEAD");
}
END_TEST

/* ---- contexts of several threads */

/* Opens a context, convolves an image of ones with one pixel, and checks the result. */
static void *convolve(void *argument)
{
    enum { SIDE = 16 };
    worker *w = argument;
    float ones[SIDE * SIDE], got[SIDE * SIDE] = {0};
    drua_context *own;
    for (int i = 0; i < SIDE * SIDE; i++)
        ones[i] = 1;
    if (!right(w, drua_open(NULL, &own), "open"))
        return NULL;
    drua_argument arguments[] = {IMAGE(0), IMAGE(0), NEW};
    if (right(w, drua_push(own, reference_plane(SIDE, SIDE), DRUA_FLOAT32, ones, &arguments[0].image), "push") &&
        right(w, drua_push(own, reference_plane(1, 1), DRUA_FLOAT32, ones, &arguments[1].image), "push") &&
        right(w, drua_invoke(own, "convolve_fft", arguments, 3, NULL), "convolve") &&
        right(w, drua_pull(own, arguments[2].image, got), "pull"))
        for (int i = 0; i < SIDE * SIDE; i++)
            if (fabsf(got[i] - 1) > 1e-5F)
                snprintf(w->fault, sizeof w->fault, "pixel %d is %g, not 1", i, (double)got[i]);
    drua_close(own);
    return NULL;
}

/* The first calls of a process run in several threads. The thread sanitizer finds data that they share by mistake. */
START_TEST(first_calls_at_once)
{
    pthread_t threads[THREADS];
    worker workers[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, convolve, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!*workers[i].fault, "thread %d: %s", i, workers[i].fault);
}
END_TEST

static atomic_bool compiled;

static void *watch_compiler(void *argument)
{
    (void)argument;
    while (!atomic_load(&over))
        if (drua_is_compiling(context))
            atomic_store(&compiled, true);
    return NULL;
}

/* Code that contains a new number is in no cache, so it is compiled. */
START_TEST(compiling_is_told)
{
    char code[128];
    const float one = 1;
    pthread_t thread;
    struct timespec now;
    context = harness_open();
    drua_image image = harness_line(context, &one, 1);
    timespec_get(&now, TIME_UTC);
    snprintf(code, sizeof code, "WRITE_IMAGE(a, POS_a_INSTANCE(x, y, z, 0), (float)(%ld %% 7));",
             (long)(now.tv_sec ^ now.tv_nsec));
    ck_assert(!drua_is_compiling(context));
    atomic_store(&over, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, watch_compiler, NULL), 0);
    REQUIRE(INVOKE(context, "custom_operation", NAME(code), NAME(""), LIST(NAME("a"), IMAGE(image))));
    REQUIRE(drua_sync(context));
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    ck_assert(atomic_load(&compiled));
    ck_assert(!drua_is_compiling(context));
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, one_context);
    tcase_add_test(tests, macros_at_once);
    tcase_add_test(tests, restarts_beside_others);
    tcase_add_test(tests, first_calls_at_once);
    tcase_add_test(tests, compiling_is_told);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
