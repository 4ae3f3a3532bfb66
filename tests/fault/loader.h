/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to the OpenCL loader of shim.c in the running program. */
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

/** Looks up these functions. Fails the test if the process uses another loader. */
void loader_find(void);

/**
 * Makes the first driver call fail, then the n-th call for numbers n that grow by a factor of 1 + 1 / `apart`.
 * Ends when `attempt` reports that the n-th call was not reached. Which device makes the n-th call, and for what, is
 * random. Random calls then fail until `attempt` has counted a device that was left out.
 */
void loader_fail_until_left_out(bool (*attempt)(long n, int *left_out), long apart);

/** After all contexts are closed: fails if any OpenCL object is alive. The message names `what` and `n`. */
void loader_expect_nothing_left(const char *what, long n);

/** Fails if device memory ever exceeded the budget plus the bytes that other contexts hold. */
void loader_expect_peak(uint64_t budget, uint64_t others);

#endif
