/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include <time.h>

enum { SECOND = 1000000000 };

uint64_t drua_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

double drua_seconds(void)
{
    return 1e-9 * (double)drua_nanoseconds();
}

#ifdef __APPLE__        /* there conditions have no selectable clock, but can wait for a relative time */

void drua_condition_init(pthread_cond_t *condition)
{
    pthread_cond_init(condition, NULL);
}

bool drua_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t nanoseconds)
{
    const struct timespec length = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
    return pthread_cond_timedwait_relative_np(condition, lock, &length) == 0;
}

#else

void drua_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool drua_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t nanoseconds)
{
    const uint64_t at = drua_nanoseconds() + nanoseconds;
    const struct timespec end = {(time_t)(at / SECOND), (long)(at % SECOND)};
    return pthread_cond_timedwait(condition, lock, &end) == 0;
}

#endif
