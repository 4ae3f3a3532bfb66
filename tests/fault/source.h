/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of step-by-step faults: an allocation on the host, or an OpenCL call. */
#ifndef DRUA_TESTS_SOURCE_H
#define DRUA_TESTS_SOURCE_H

#include "harness.h"

typedef struct fault_source {
    const char *what;
    void (*arm)(long n);        /**< makes the n-th step from now on fail (1: the next) */
    bool (*fired)(void);        /**< whether the n-th step was reached; disarms the fault */
} fault_source;

/** Prepares and returns a source: 0 memory, 1 driver. */
const fault_source *fault_start(int number);

/**
 * Adds the test `shares` times for each source, or only for the source that DRUA_FAULTS names (memory or driver). In
 * the test, `_i` is the source's number times `shares` plus the share's number, which counts from 0.
 */
void fault_add(TCase *tests, const TTest *test, int shares);

#endif
