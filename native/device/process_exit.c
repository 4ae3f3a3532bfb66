/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles the end of the process. Compilers keep tables that are destroyed at exit in reverse order of creation, and
 * create more whenever they compile. So at exit no thread may be inside a compiler, and no thread may end, because the
 * end of a thread frees its driver data while the driver shuts down. Drivers for CPUs compile in separate threads
 * when a kernel is first launched, so exit waits for these launches.
 */
#include "internal.h"

#include "error.h"

#include <stdlib.h>
#include <time.h>

static pthread_rwlock_t compiling = PTHREAD_RWLOCK_INITIALIZER;     /* threads inside a compiler hold it for reading */
static atomic_bool leaving;

enum { MAX_DEVICES = 16, LONGEST_WAIT = 60000, POLL_NANOSECONDS = 1000000 }; /* milliseconds, nanoseconds */
static pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const drua_device *device;
    cl_event event; /* event of the last launch that compiles */
} launched[MAX_DEVICES];

void drua_launch_compiles(const drua_device *device, cl_event event)
{
    pthread_mutex_lock(&launch_lock);
    int i = 0;
    while (i < MAX_DEVICES && launched[i].device != device)
        i++;
    for (int k = 0; i == MAX_DEVICES && k < MAX_DEVICES; k++)
        if (!launched[k].device)
            i = k;
    if (i < MAX_DEVICES) {
        if (launched[i].event)
            device->cl->clReleaseEvent(launched[i].event);
        if (event && device->cl->clRetainEvent(event) != CL_SUCCESS)
            event = NULL;
        launched[i].device = event ? device : NULL;
        launched[i].event = event;
    }
    pthread_mutex_unlock(&launch_lock);
}

static bool is_under_way(int i)
{
    cl_int state;
    return launched[i].event &&
           launched[i].device->cl->clGetEventInfo(launched[i].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                                  &state, NULL) == CL_SUCCESS &&
           state > CL_COMPLETE;
}

static void wait_for_launches(void)
{
    pthread_mutex_lock(&launch_lock);
    for (int i = 0, polls = 0; i < MAX_DEVICES; i++)
        for (; polls < LONGEST_WAIT && is_under_way(i); polls++)
            nanosleep(&(struct timespec){0, POLL_NANOSECONDS}, NULL);
    pthread_mutex_unlock(&launch_lock);
}

void drua_device_prepare_exit(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool waited;
    if (drua_device_is_forked()) /* after a fork, the compiling threads are in the parent process */
        return;
    atomic_store(&leaving, true);
    pthread_mutex_lock(&lock);
    if (!waited) {
        pthread_rwlock_wrlock(&compiling);      /* never released */
        wait_for_launches();
    }
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
/* Windows ends all other threads, with the locks they hold, before libraries learn of the exit */
#if !defined(_WIN32)
    atexit(drua_device_prepare_exit);
#endif
    pthread_rwlock_unlock(&compiling);
}

drua_status drua_launches_begin(void)
{
    DRUA_TRY(drua_compiler_enter());
    drua_signals_save();
    return DRUA_OK;
}

void drua_launches_end(const drua_device *device, cl_command_queue queue)
{
    cl_event last;
    drua_signals_restore();
    if (device->cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &last) == CL_SUCCESS) {
        drua_launch_compiles(device, last);
        device->cl->clReleaseEvent(last);
    }
    drua_compiler_exit();
}

void drua_stay_until_end(void)
{
    for (;;)
        nanosleep(&(struct timespec){3600, 0}, NULL);
}
