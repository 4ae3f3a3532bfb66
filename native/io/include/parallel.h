/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the same function on many items, on all cores. */
#ifndef DRUA_IO_PARALLEL_H
#define DRUA_IO_PARALLEL_H

#include <drua/types.h>

/** Returns the number of threads, including the caller, that will work on `count` items: at least 1. */
int drua_parallel_workers(int64_t count);

/**
 * Calls `work` once for each item from 0 to count - 1, roughly in this order; `worker` is below
 * drua_parallel_workers(count). After a failure no further items begin. Returns the status of the first failure and
 * sets its error message.
 */
drua_status drua_parallel(int64_t count, drua_status (*work)(void *payload, int worker, int64_t item), void *payload);

#endif
