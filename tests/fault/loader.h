/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL loader of shim.c as the running program has it. */
#ifndef DRUA_TESTS_LOADER_H
#define DRUA_TESTS_LOADER_H

#include <stdbool.h>
#include <stdint.h>

/** The functions of shim.h. */
extern struct loader {
    void (*fail_after)(long n), (*break_after)(long n), (*lose)(int code), (*limit_blocks)(long long bytes),
        (*forget_peak)(void);
    void (*lose_context)(long which, long after);
    void (*call_after)(long n, void (*function)(void));
    int (*fired)(void), (*builds)(void);
    long long (*live_bytes)(void), (*live_objects)(void), (*live_events)(void), (*peak_bytes)(void);
} loader;

/** Fails the test if the process runs with another loader. */
void loader_find(void);

/**
 * Makes the first call of the driver fail, then later ones, each further on by an `apart`-th of those before, until
 * `attempt` says that the n-th was not reached. Which device makes the n-th call, and for what, is chance: then calls
 * at random, until `attempt` has counted a device that was left out.
 */
void loader_fail_until_left_out(bool (*attempt)(long n, int *left_out), long apart);

/** After all contexts are closed: nothing of OpenCL is alive. The message names `what` and `n`. */
void loader_expect_nothing_left(const char *what, long n);

/** Never more bytes on the device than the budget and what other contexts hold. */
void loader_expect_peak(uint64_t budget, uint64_t others);

#endif
