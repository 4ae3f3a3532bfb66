/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process. Compilers keep tables that are undone at exit, those that were made last first, and make more whenever they compile.
 * So no thread may be inside a compiler then, and none may end, which undoes what a driver keeps for it, while the driver goes.
 */
#include "internal.h"

#include "error.h"

#include <stdlib.h>
#include <time.h>

static pthread_rwlock_t compiling = PTHREAD_RWLOCK_INITIALIZER;     /* held for reading by those inside a compiler */
static atomic_bool leaving;

void drua_device_prepare_exit(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool waited;
    atomic_store(&leaving, true);
    pthread_mutex_lock(&lock);
    if (!waited)
        pthread_rwlock_wrlock(&compiling);      /* for good */
    waited = true;
    pthread_mutex_unlock(&lock);
}

bool drua_is_leaving(void)
{
    return atomic_load(&leaving);
}

drua_status drua_compiler_enter(void)
{
    const bool goes_on = !drua_is_leaving() && !pthread_rwlock_tryrdlock(&compiling);
    return goes_on ? DRUA_OK : drua_fail(DRUA_E_CANCELLED, "the program is about to end, so nothing more is compiled");
}

void drua_compiler_exit(void)
{
#if !defined(_WIN32)        /* which ends all other threads, with what they hold, before libraries hear of the end */
    atexit(drua_device_prepare_exit);
#endif
    pthread_rwlock_unlock(&compiling);
}

void drua_stay_until_end(void)
{
    for (;;)
        nanosleep(&(struct timespec){3600, 0}, NULL);
}
