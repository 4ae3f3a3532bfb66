/* SPDX-License-Identifier: BSD-3-Clause */
#include "others.h"

#include "alloc.h"
#include "engine_calls.h"
#include "error.h"

#include <stdio.h>
#include <string.h>

drua_status drua_others_find(drua_engine *engine, size_t index, drua_other **out)
{
    drua_device_info info;
    DRUA_TRY(drua_device_inspect(index, &info));
    if (!engine->others && !(engine->others = drua_alloc(sizeof *engine->others)))
        return drua_fail_memory(sizeof *engine->others);
    drua_other *other = engine->others->first;
    while (other && strcmp(other->info.address, info.address) != 0)
        other = other->next;
    if (!other) {
        other = drua_alloc(sizeof *other);
        if (!other)
            return drua_fail_memory(sizeof *other);
        pthread_mutex_init(&other->lock, NULL);
        other->info = info;
        other->next = engine->others->first;
        engine->others->first = other;
    }
    *out = other;
    return DRUA_OK;
}

static void close_device(drua_other *other)
{
    if (other->device) {
        drua_device_stop_building(other->device);
        drua_engine_close(&other->engine);
        drua_device_close(other->device);
    }
    other->device = NULL;
    other->failed = false;
}

/*
 * Opens the engine of another device. It uses defaults instead of measurements, so that results do not depend on
 * timing.
 */
static drua_status open_engine(drua_other *other)
{
    DRUA_TRY(drua_engine_open(&other->engine, other->device, &other->lock));
    drua_engine_use_presets(&other->engine);
    return DRUA_OK;
}

drua_status drua_other_open(drua_other *other, uint64_t kilobytes)
{
    char budget[32] = "";
    drua_status status = DRUA_OK;
    if (!other->device) {
        status = drua_device_open(other->info.address, &other->device);
        /* a note says that drua_device_open has chosen another device */
        if (status == DRUA_OK && *drua_device_note(other->device))
            status = drua_fail(DRUA_E_DEVICE, "%s is no longer available; check this device, or choose others",
                               other->info.name);
    }
    if (status == DRUA_OK && !other->engine.device)
        status = open_engine(other);
    if (kilobytes)
        snprintf(budget, sizeof budget, "%lluKB", (unsigned long long)kilobytes);
    if (status == DRUA_OK)
        status = drua_device_set_budget(other->device, budget);
    if (status != DRUA_OK)
        other->failed = true;
    return status;
}

void drua_others_drop_failed(drua_engine *engine)
{
    for (drua_other *other = engine->others ? engine->others->first : NULL; other; other = other->next)
        if (other->failed) {
            close_device(other);
            other->engine = (drua_engine){0};
        }
}

void drua_others_close(drua_engine *engine)
{
    for (drua_other *other = engine->others ? engine->others->first : NULL, *next; other; other = next) {
        next = other->next;
        close_device(other);
        pthread_mutex_destroy(&other->lock);
        drua_free(other);
    }
    drua_free(engine->others);
    engine->others = NULL;
}
