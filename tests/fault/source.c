/* SPDX-License-Identifier: BSD-3-Clause */
#include "source.h"

#include "loader.h"

#include "alloc.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

static long armed;

static void arm_memory(long n)
{
    armed = n;
    drua_alloc_fail_after(n);
}

/*
 * Makes as many further allocations as the fault waits for. If one of them fails, the fault was still pending, so the
 * call had not reached it.
 */
static bool memory_fired(void)
{
    bool pending = false;
    for (long i = 0; i < armed && !pending; i++) {
        void *block = drua_alloc(1);
        pending = !block;
        drua_free(block);
    }
    drua_alloc_fail_after(0);
    return !pending;
}

static void arm_driver(long n)
{
    loader.fail_after(n);
}

static bool driver_fired(void)
{
    const bool fired = loader.fired();
    loader.fail_after(0);
    return fired;
}

enum { MEMORY, DRIVER, SOURCES };

static const fault_source sources[SOURCES] = {
    [MEMORY] = {"allocation", arm_memory, memory_fired}, [DRIVER] = {"OpenCL call", arm_driver, driver_fired}};

const fault_source *fault_start(int number)
{
    loader_find();
    drua_command_count();       /* builds the index of commands, which happens once per process */
    return &sources[number];
}

void fault_add(TCase *tests, const TTest *test, int shares)
{
    const char *only = getenv("DRUA_FAULTS");
    const int first = only && !strcmp(only, "driver") ? DRIVER : MEMORY,
              end = only && !strcmp(only, "memory") ? DRIVER : SOURCES;
    tcase_add_loop_test(tests, test, first * shares, end * shares);
}
