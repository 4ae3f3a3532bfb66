/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Devices that help the engine of a context with one call, each with a separate engine. They stay open for the next
 * call.
 */
#ifndef DRUA_RUN_OTHERS_H
#define DRUA_RUN_OTHERS_H

#include "engine.h"

#include <pthread.h>

typedef struct drua_other {
    struct drua_other *next;
    drua_device_info info;
    pthread_mutex_t lock; /* lock of the engine */
    drua_device *device; /* NULL: not open */
    drua_engine engine;
    bool failed; /* the next call opens it again */
} drua_other;

typedef struct drua_others {
    drua_other *first;
} drua_others;

/*
 * Finds the entry of a device; its engine is not open if the device never helped. Call it under the lock of `engine`.
 */
drua_status drua_others_find(drua_engine *engine, size_t index, drua_other **other);

/*
 * Opens the engine unless it is open. The thread that runs calls on the device calls this function. The budget is
 * `kilobytes`; 0: the default.
 */
drua_status drua_other_open(drua_other *other, uint64_t kilobytes);

/*
 * drua_others_drop_failed closes the engines that failed, drua_others_close all engines. Call both under the lock of
 * `engine`, while no thread uses an engine of the others.
 */
void drua_others_drop_failed(drua_engine *engine);
void drua_others_close(drua_engine *engine);

#endif
