/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices that help the engine of a context with one call, each with an engine of its own. They stay open for the next
 * call. */
#ifndef DRUA_RUN_OTHERS_H
#define DRUA_RUN_OTHERS_H

#include "engine.h"

#include <pthread.h>

typedef struct drua_other {
    struct drua_other *next;
    drua_device_info info;
    pthread_mutex_t lock; /* the engine's */
    drua_device *device; /* NULL: not open */
    drua_engine engine;
    bool failed; /* it is opened anew next time */
} drua_other;

typedef struct drua_others {
    drua_other *first;
} drua_others;

/* The entry of a device; its engine is not open yet where it never helped. Under the lock of `engine`. */
drua_status drua_others_find(drua_engine *engine, size_t index, drua_other **other);

/* Opens it if it is not open; a thread that runs calls there. Its budget is `kilobytes`, 0: the usual one. */
drua_status drua_other_open(drua_other *other, uint64_t kilobytes);

/* Closes those that failed, or all. Under the lock of `engine`; nobody else uses them. */
void drua_others_drop_failed(drua_engine *engine);
void drua_others_close(drua_engine *engine);

#endif
