/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A background thread prepares kernels, so that the next macro seldom waits. On GPUs and PoCL it first loads the
 * kernels that earlier processes used (used.c). GPUs take these only from the disk; PoCL compiles missing ones. Then
 * the thread compiles further kernels while no call is running. Families that macros use most come first. Kernels whose
 * names end in _any take longest, because they compute any chain; they come last.
 *
 * A driver compiles or loads one program at a time, so a call may have to wait for the program that is being built. The
 * thread therefore compiles further kernels only when no call has run for a while. On CPUs the compiler would compete
 * with calls for cores, so there the thread compiles only if DRUA_AHEAD gives a number of seconds to wait.
 */
#include "internal.h"

#include "alloc.h"
#include "c_locale.h"
#include "error.h"
#include "variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POLL_INTERVAL = 2000000 }; /* nanoseconds */
static const double QUIET_NANOSECONDS = 2e9, SLOW_KERNEL_FACTOR = 5;

static const char *const most_used[] = {"engine",    "chain",      "filter",  "labels", "morphology",
                                        "threshold", "projection", "measure", "image",  "geometry",
                                        "window",    "detect",     "math"};

typedef struct stillness {
    unsigned long long tickets; /* number of calls so far */
    uint64_t since; /* the time in nanoseconds at which a call was last seen */
} stillness;

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

static void wait_for_quiet(drua_device *device, stillness *quiet, double nanoseconds)
{
    while (!must_stop(device)) {
        const unsigned long long tickets = atomic_load(&device->tickets);
        const uint64_t now = drua_nanoseconds();
        if (tickets != quiet->tickets || atomic_load(&device->wanted) || drua_device_progress(device) >= 0) {
            quiet->tickets = tickets;
            quiet->since = now;
        } else if ((double)(now - quiet->since) > nanoseconds) {
            return;
        }
        nanosleep(&(struct timespec){0, POLL_INTERVAL}, NULL);
    }
}

static void read_used(drua_device *device)
{
    char name[128];
    size_t length = 0;
    char *list = drua_used_read(device, &length);
    for (size_t at = 0, end; list && at < length && device->to_load_count < DRUA_MAX_USED_KERNELS; at = end + 1) {
        for (end = at; end < length && list[end] != '\n'; end++)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - at), list + at);
        char *space = strchr(name, ' ');
        const long variant = space ? strtol(space, NULL, 10) : 0;
        if (space)
            *space = 0;
        drua_kernel *kernel = drua_kernel_find(device, name);
        if (!kernel || kernel->was_used || variant < 0 || variant >= DRUA_PROGRAM_VARIANTS)
            continue;
        kernel->was_used = true;
        device->to_load[device->to_load_count++] =
            (drua_used_kernel){(uint16_t)(kernel - device->kernels), (uint8_t)variant};
    }
    drua_free(list);
}

static void load_used(drua_device *device)
{
    drua_program_builder loader = {.only_loads = !device->compiles_at_launch}; /* PoCL builds what its disk lacks */
    cl_program program;
    for (int i = 0; i < device->to_load_count && !must_stop(device); i++)
        drua_kernel_build(device, &loader, &device->kernels[device->to_load[i].index], device->to_load[i].variant,
                          &program);
}

static void *build_ahead(void *argument)
{
    drua_device *device = argument;
    drua_program_builder builder = {.builds_ahead = true};
    /* count from now, because a process that opens a device is about to use it */
    stillness quiet = {.since = drua_nanoseconds()};
    drua_locale_enter();        /* for the lifetime of the thread */
    load_used(device);
    const size_t families = sizeof most_used / sizeof *most_used;
    for (size_t i = 0; i < 2 * families && device->ahead_after > 0; i++)
        for (size_t k = 0; k < device->kernel_count && !must_stop(device); k++) {
            drua_kernel *kernel = &device->kernels[k];
            cl_program program;
            if (strcmp(device->family[kernel->family].name, most_used[i % families]) ||
                takes_long(kernel) != (i >= families))
                continue;
            wait_for_quiet(device, &quiet,
                           takes_long(kernel) ? SLOW_KERNEL_FACTOR * device->ahead_after : device->ahead_after);
            if (!must_stop(device))
                /* ignore a failure: the call that needs the kernel reports it */
                drua_kernel_build(device, &builder, kernel, 0, &program);
        }
    drua_program_builder_close(device, &builder);
    atomic_store(&device->builder_exited, true);
    if (drua_is_leaving())
        drua_stay_until_end();
    return NULL;
}

/* Sets the idle time before kernels are compiled (0: never), and whether kernels of earlier processes are loaded. */
static void choose_ahead(drua_device *device)
{
    const char *setting = drua_variable_text(DRUA_VARIABLE_AHEAD);
    char *end;
    const double seconds = setting ? strtod(setting, &end) : 0;
    const bool is_set = setting && end > setting && !*end && seconds >= 0 && seconds < 1e9,
               uses_disk = device->info.is_gpu || device->compiles_at_launch;
    device->ahead_after = is_set ? 1e9 * seconds : device->info.is_gpu ? QUIET_NANOSECONDS : 0;
    device->keeps_used = uses_disk && !(is_set && seconds == 0);
}

void drua_device_build_ahead(drua_device *device)
{
    choose_ahead(device);
    read_used(device);
    if (device->ahead_after == 0 && device->to_load_count == 0)
        return;
    atomic_store(&device->builder_exited, false);
    device->has_builder = !drua_is_leaving() && pthread_create(&device->builder, NULL, build_ahead, device) == 0;
}

void drua_device_stop_building(drua_device *device)
{
    if (!device)
        return;
    atomic_store(&device->stop_builder, true);
    while (device->has_builder && drua_is_leaving() && !atomic_load(&device->builder_exited))
        nanosleep(&(struct timespec){0, POLL_INTERVAL}, NULL);
    if (device->has_builder && !drua_is_leaving())
        pthread_join(device->builder, NULL);
    device->has_builder = false;
}
