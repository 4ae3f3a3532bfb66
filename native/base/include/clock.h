/* SPDX-License-Identifier: BSD-3-Clause */
/* Time that passes evenly, whatever happens to the clock on the wall. */
#ifndef DRUA_BASE_CLOCK_H
#define DRUA_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** Nanoseconds since some moment in the past. Any thread. */
uint64_t drua_nanoseconds(void);

/** The same in seconds. */
double drua_seconds(void);

/** A condition that drua_condition_wait can wait for. */
void drua_condition_init(pthread_cond_t *condition);

/** Waits at most so many nanoseconds; false if they have passed. The caller holds the lock. */
bool drua_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t nanoseconds);

#endif
