/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the devices of the workers. */
#include "workers.h"

#include "alloc.h"
#include "device.h"
#include "error.h"

#include <stdio.h>
#include <string.h>

void first_device(const char *devices, char *first, size_t size)
{
    drua_copy_start(first, !devices ? "" : strcmp(devices, "all") ? devices : "0", size);
    first[strcspn(first, ",")] = 0;
}

static void open_device(block_workers *c, const char *memory, const char *device)
{
    if (c->count == WORKERS_MAX) {
        workers_report(c, "device '%s' is left out: at most %d devices can work at once", device, WORKERS_MAX);
        return;
    }
    device_worker *m = &c->members[c->count];
    *m = (device_worker){.workers = c, .evaluator = &m->own};
    if (evaluator_open(device, memory, &m->own) == DRUA_OK) {
        c->count++;
        return;
    }
    workers_report(c, "device '%s' is left out: %.600s", device, drua_error_text());
    evaluator_close(&m->own);
}

/*
 * Opens all devices of the best device's model and driver. The first of them is already open. Other devices are used
 * only if the user names them.
 */
static void open_all(block_workers *c, const drua_device_info *best, const char *memory)
{
    bool skipped = false;
    for (size_t i = 0; i < drua_device_count(); i++) {
        drua_device_info info;
        char device[32];
        if (drua_device_inspect(i, &info) != DRUA_OK || !drua_device_is_alike(&info, best))
            continue;
        snprintf(device, sizeof device, "%zu", i);
        if (skipped)
            open_device(c, memory, device);
        skipped = true;
    }
}

static void open_named(block_workers *c, const char *memory, const char *devices)
{
    for (const char *at = devices; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char device[256];
        drua_copy_start(device, at, sizeof device);
        device[strcspn(device, ",")] = 0;
        if (at != devices || c->count == 0)
            open_device(c, memory, device);
    }
}

void workers_open(block_workers *c, evaluator *first, bool planner, const char *memory, const char *devices)
{
    const bool all = devices && !strcmp(devices, "all"), serves = !planner || !devices || all;
    *c = (block_workers){.count = serves};
    pthread_mutex_init(&c->lock, NULL);
    c->members[0] = (device_worker){.workers = c, .evaluator = first};
    if (all)
        open_all(c, drua_device_get_info(first->device), memory);
    else
        open_named(c, memory, devices);
    if (c->count == 0) {
        c->members[0] = (device_worker){.workers = c, .evaluator = first};
        c->count = 1;
    }
    /* opening other devices has changed the device that this thread waits for */
    drua_device_enter(drua_device_ticket(first->device));
}

void workers_close(block_workers *c)
{
    for (int i = 0; i < c->count; i++)
        evaluator_close(&c->members[i].own);
    pthread_mutex_destroy(&c->lock);
}
