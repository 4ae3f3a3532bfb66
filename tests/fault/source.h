/* SPDX-License-Identifier: BSD-3-Clause */
/* What can fail, step by step: an allocation on the host, or an OpenCL call. */
#ifndef DRUA_TESTS_SOURCE_H
#define DRUA_TESTS_SOURCE_H

#include "harness.h"

typedef struct fault_source {
    const char *what;
    void (*arm)(long n);        /**< the n-th step from now on fails (1: the next) */
    bool (*fired)(void);        /**< whether there was one; and disarms */
} fault_source;

/** The source of that number, ready for use: 0 memory, 1 driver. */
const fault_source *fault_start(int number);

/**
 * Adds the test so many times for each source, or for the one that DRUA_FAULTS names: memory or driver. In the test
 * `_i` is the number of the source, times `shares`, and from 0 on that of the share.
 */
void fault_add(TCase *tests, const TTest *test, int shares);

#endif
