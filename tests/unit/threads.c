/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on one context from several threads run one after the other; sentences belong to the thread. */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 100, LENGTH = 500 };

static drua_context *context;

/* The first thing that went wrong, or "". Check's assertions belong to the main thread. */
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
            snprintf(w->fault, sizeof w->fault, "pixel %d is %g, not %g", i, (double)got[i], (double)(2 * pixels[i] + (float)round));
    right(w, drua_release(context, sum[2].image), "release");
    right(w, drua_release_name(context, name), "release name");
}

static void *work(void *argument)
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
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!*workers[i].fault, "thread %d: %s", i, workers[i].fault);
    ck_assert_str_eq(drua_names(context), "");
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, one_context);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
