/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic time, independent of the system's clock. */
#ifndef DRUA_BASE_CLOCK_H
#define DRUA_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Monotonic time in nanoseconds from an arbitrary start. Any thread. */
uint64_t drua_nanoseconds(void);

/** Monotonic time in seconds from an arbitrary start. Any thread. */
double drua_seconds(void);

/** Initializes a condition for drua_condition_wait. */
void drua_condition_init(pthread_cond_t *condition);

/** Waits for at most this many nanoseconds. Returns false if they have passed. The caller holds the lock. */
bool drua_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t nanoseconds);

#endif
