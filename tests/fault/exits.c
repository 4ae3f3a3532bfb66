/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets processes exit while a compiler that frees its tables at exit (DRUA_TABLES) compiles kernels ahead. Before the
 * exit, the process may call drua_prepare_exit, lose its device, use or close the context. DRUA_ENDINGS=N: N exits in
 * total, which cycle through these ways.
 */
#include "loader.h"

#include "harness.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum way { CLOSED, PREPARED, PREPARED_AND_CLOSED, PREPARED_AND_USED, LOST, LOST_AND_CLOSED, WAYS };
enum { OUT_OF_RESOURCES = -5, MAX_PAUSE = 300 };

static uint64_t seed;

static void pause_for(int milliseconds)
{
    nanosleep(&(struct timespec){0, 1000000L * milliseconds}, NULL);
}

static void wait_for_builds(bool under_way)
{
    for (int i = 0; i < 60000 && (loader.builds() > 0) != under_way; i++)
        pause_for(1);
}

static drua_status blur_image(drua_context *context, drua_image image)
{
    drua_argument arguments[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
    const drua_status status = drua_invoke(context, "gaussian_blur", arguments, 5, NULL);
    return status == DRUA_OK ? drua_sync(context) : status;
}

/* The process's exit status: 0 if everything is correct. */
static int end_process(enum way way, int milliseconds)
{
    const float pixels[] = {1, 2, 3, 4};
    loader_find();
    static drua_context *context; /* static, so that the leak check still reaches an open context */
    context = harness_open();
    drua_image image;
    REQUIRE(drua_push(context, (drua_shape){2, 2, 1, 2}, DRUA_FLOAT32, pixels, &image));
    wait_for_builds(true);
    if (!loader.builds())
        return 2;
    pause_for(milliseconds);
    if (way == LOST || way == LOST_AND_CLOSED) {
        loader.lose(OUT_OF_RESOURCES);
        if (blur_image(context, image) == DRUA_OK)
            return 5;
    }
    const bool prepared = way == PREPARED || way == PREPARED_AND_CLOSED || way == PREPARED_AND_USED;
    if (prepared)
        drua_prepare_exit();
    if (prepared && loader.builds())
        return 3;
    if (way == PREPARED_AND_USED && (blur_image(context, image) != DRUA_E_CANCELLED || loader.builds()))
        return 4;
    if (way == CLOSED || way == PREPARED_AND_CLOSED || way == LOST_AND_CLOSED)
        drua_close(context);
    return 0;
}

START_TEST(while_compiling)
{
    setenv("DRUA_TABLES", "1", 1);
    setenv("DRUA_AHEAD", "0.05", 1);
    harness_random chance = {seed + (uint64_t)_i};
    const enum way way = (enum way)(_i % WAYS);
    const int milliseconds = harness_below(&chance, MAX_PAUSE);
    const pid_t child = fork();
    if (!child)
        exit(end_process(way, milliseconds));
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "way %d after %d ms: status %x", (int)way,
                  milliseconds, (unsigned)status);
}
END_TEST

static drua_image launched_image;

static void *launch_blur(void *context)
{
    blur_image(context, launched_image);
    return NULL;
}

/* The process's exit status: 0 if no launch is under way after the preparation. */
static int end_launching_process(void)
{
    const float pixels[] = {1, 2, 3, 4};
    pthread_t thread;
    loader_find();
    static drua_context *context;
    context = harness_open();
    REQUIRE(drua_push(context, (drua_shape){2, 2, 1, 2}, DRUA_FLOAT32, pixels, &launched_image));
    if (pthread_create(&thread, NULL, launch_blur, context))
        return 6;
    wait_for_builds(true);
    if (!loader.builds())
        return 2;
    drua_prepare_exit();
    return loader.builds() ? 3 : 0;
}

/* Drivers for CPUs compile while a kernel is launched, so an exit waits for the launch. */
START_TEST(while_launching)
{
    setenv("DRUA_TABLES", "launches", 1);
    const pid_t child = fork();
    if (!child)
        exit(end_launching_process());
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}
END_TEST

int main(void)
{
    const char *endings = getenv("DRUA_ENDINGS");
    Suite *suite = suite_create("exits");
    TCase *tests = tcase_create("exits");
    seed = harness_new_seed("exits");
    tcase_add_loop_test(tests, while_compiling, 0, endings ? atoi(endings) : WAYS);
    TCase *launches = tcase_create("launches");
    tcase_add_test(launches, while_launching);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, launches);
    return harness_run(suite);
}
