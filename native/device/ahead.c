/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels are built by a thread of their own from the start on, those of families that macros use most first, so that the first
 * call seldom waits; what is in use comes first, and kernels for any function, which take longest, come last. A driver compiles or loads
 * one program at a time, so a call may wait for what is built then: nothing is begun where calls are likely. On processors the compiler
 * would take the cores that the work needs: there only if DRUA_AHEAD=1.
 */
#include "internal.h"

#include "c_locale.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nanoseconds. */
enum { BETWEEN_LOOKS = 1000000 };
static const uint64_t A_WHILE = 250000000, LONG = 10000000000;

static const char *const most_used[] = {"engine", "chain",   "filter",  "labels",   "morphology", "threshold", "projection",
                                        "measure", "image", "geometry", "window",  "detect",     "math"};

static bool takes_long(const drua_kernel *kernel)
{
    static const char ending[] = "_any";
    const size_t length = sizeof ending - 1;
    return kernel->length > length && !memcmp(kernel->name + kernel->length - length, ending, length);
}

static bool must_stop(const drua_device *device)
{
    return atomic_load(&device->stop_builder) || drua_is_leaving();
}

static void *build(void *argument)
{
    drua_device *device = argument;
    drua_workshop workshop = {.builds_ahead = true};
    drua_locale_enter();        /* for as long as the thread lives */
    const size_t families = sizeof most_used / sizeof *most_used;
    for (size_t i = 0; i < 2 * families; i++)
        for (size_t k = 0; k < device->kernel_count && !must_stop(device); k++) {
            drua_kernel *kernel = &device->kernels[k];
            cl_program program;
            if (strcmp(device->family[kernel->family].name, most_used[i % families]) || takes_long(kernel) != (i >= families))
                continue;
            while (!drua_compiler_is_idle(device, takes_long(kernel) ? LONG : A_WHILE) && !must_stop(device))
                nanosleep(&(struct timespec){0, BETWEEN_LOOKS}, NULL);
            drua_kernel_build(device, &workshop, kernel, 0, &program);      /* who needs it finds out why it failed */
        }
    drua_workshop_close(device, &workshop);
    atomic_store(&device->builder_left, true);
    if (drua_is_leaving())
        drua_stay_until_end();
    return NULL;
}

void drua_device_build_ahead(drua_device *device)
{
    const char *wish = getenv("DRUA_AHEAD");
    if (wish && *wish ? !strcmp(wish, "0") : !device->info.is_gpu)
        return;
    atomic_store(&device->builder_left, false);
    atomic_store(&device->last_wanted, drua_nanoseconds());     /* who opens a device is about to use it */
    device->has_builder = !drua_is_leaving() && pthread_create(&device->builder, NULL, build, device) == 0;
}

void drua_device_stop_building(drua_device *device)
{
    if (!device)
        return;
    atomic_store(&device->stop_builder, true);
    while (device->has_builder && drua_is_leaving() && !atomic_load(&device->builder_left))
        nanosleep(&(struct timespec){0, BETWEEN_LOOKS}, NULL);
    if (device->has_builder && !drua_is_leaving())
        pthread_join(device->builder, NULL);
    device->has_builder = false;
}
