/* SPDX-License-Identifier: BSD-3-Clause */
/* The same work on many items, by all cores. */
#ifndef DRUA_IO_PARALLEL_H
#define DRUA_IO_PARALLEL_H

#include <drua/types.h>

/** Threads that will work on so many items, the caller's among them: at least 1. */
int drua_parallel_workers(int64_t count);

/**
 * Calls `work` for the items 0 to count - 1, each once, in about this order; `worker` is below
 * drua_parallel_workers(count). After a failure no more items begin; the first one's status and sentence come back.
 */
drua_status drua_parallel(int64_t count, drua_status (*work)(void *payload, int worker, int64_t item), void *payload);

#endif
