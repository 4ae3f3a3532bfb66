/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels are built by a thread of their own from the start on, those of families that macros use most first, so that the first
 * call seldom waits; what is in use comes first, and kernels for any function, which take longest, come last. On processors the
 * compiler would take the cores that the work needs: there only if DRUA_AHEAD=1.
 * A process must not end while a driver compiles, so its end waits for the program in hand, and before the end of what the
 * compiler has made for itself, which is undone first if it was made last.
 */
#include "internal.h"

#include "c_locale.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { A_WHILE = 1000000 };     /* nanoseconds between looks for whether what is in use is compiled */

static const char *const most_used[] = {"engine", "chain",   "filter",  "labels",   "morphology", "threshold", "projection",
                                        "measure", "image", "geometry", "window",  "detect",     "math"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int running;
static bool leaving;

static void leave(void)
{
    pthread_mutex_lock(&lock);
    leaving = true;
    while (running)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

static void watch_exit(void)
{
    atexit(leave);
}

static bool must_stop(drua_device *device)
{
    pthread_mutex_lock(&lock);
    const bool stop = leaving || atomic_load(&device->stop_builder);
    pthread_mutex_unlock(&lock);
    return stop;
}

static bool takes_long(const drua_kernel *kernel)
{
    static const char ending[] = "_any";
    const size_t length = sizeof ending - 1;
    return kernel->length > length && !memcmp(kernel->name + kernel->length - length, ending, length);
}

static void *build(void *argument)
{
    drua_device *device = argument;
    drua_workshop workshop = {.builds_ahead = true};
    drua_locale_enter();        /* for as long as the thread lives */
    int before = -1;
    const size_t families = sizeof most_used / sizeof *most_used;
    for (size_t i = 0; i < 2 * families; i++)
        for (size_t k = 0; k < device->kernel_count && !must_stop(device); k++) {
            drua_kernel *kernel = &device->kernels[k];
            cl_program program;
            if (strcmp(device->family[kernel->family].name, most_used[i % families]) || takes_long(kernel) != (i >= families))
                continue;
            while (!drua_compiler_is_idle(device) && !must_stop(device))
                nanosleep(&(struct timespec){0, A_WHILE}, NULL);
            drua_kernel_build(device, &workshop, kernel, 0, &program);      /* who needs it finds out why it failed */
            if (kernel->family != before)
                atexit(leave);
            before = kernel->family;
        }
    drua_workshop_close(device, &workshop);
    pthread_mutex_lock(&lock);
    running--;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void drua_device_build_ahead(drua_device *device)
{
    const char *wish = getenv("DRUA_AHEAD");
    if (wish && *wish ? !strcmp(wish, "0") : !device->info.is_gpu)
        return;
    pthread_once(&once, watch_exit);
    pthread_mutex_lock(&lock);
    device->has_builder = !leaving && pthread_create(&device->builder, NULL, build, device) == 0;
    running += device->has_builder;
    pthread_mutex_unlock(&lock);
}

void drua_device_stop_building(drua_device *device)
{
    if (!device)
        return;
    atomic_store(&device->stop_builder, true);
    if (device->has_builder)
        pthread_join(device->builder, NULL);
    device->has_builder = false;
}
