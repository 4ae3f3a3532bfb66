/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Learns how long kernels take, so that long ones are sent in chunks: a call can be stopped between two chunks, and no
 * chunk runs into a driver's watchdog. A kernel's time depends on its numbers, such as a radius, so the key includes
 * them. A kernel of unknown speed is sent in chunks that double.
 */
#include "internal.h"

#include "hash.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

static const double TARGET = 30e6;      /* nanoseconds per chunk */

uint64_t drua_chunk_forced(void)
{
    static uint64_t items;
    static bool known;
    if (!known) {
        const char *text = drua_variable_text(DRUA_VARIABLE_CHUNK);
        items = text ? strtoull(text, NULL, 10) : 0;
        known = true;
    }
    return items;
}

drua_rate *drua_rate_find(drua_device *device, const drua_kernel *kernel, const drua_arg *arguments)
{
    uint64_t key = drua_hash(DRUA_HASH_START, &kernel->name, sizeof kernel->name);
    for (const drua_arg *a = arguments; a->kind; a++)
        if (a->kind == DRUA_LAUNCH_INT || a->kind == DRUA_LAUNCH_FLOAT)
            key = drua_hash(key, &a->as.integer, sizeof a->as.integer);
        else if (a->kind == DRUA_LAUNCH_TABLE)
            key = drua_hash(key, &a->as.table.length, sizeof a->as.table.length);
    drua_rate *rate = &device->rates[key % DRUA_RATES];
    if (rate->key != key)
        *rate = (drua_rate){.key = key};
    return rate;
}

/* A measured time may include other work, so it is an upper bound; later measurements lower it slowly. */
void drua_rate_learn(drua_rate *rate, uint64_t items, double nanoseconds)
{
    const double now = nanoseconds / (double)items;
    rate->per_item = now > rate->per_item || rate->per_item == 0 ? now : 0.75 * rate->per_item + 0.25 * now;
}

uint64_t drua_rate_chunk(const drua_rate *rate, uint64_t before, uint64_t effort)
{
    if (rate->per_item == 0)
        return before                                         ? 2 * before
               : DRUA_HEAVY_ITEMS / effort > DRUA_LEAST_CHUNK ? DRUA_HEAVY_ITEMS / effort
                                                              : DRUA_LEAST_CHUNK;
    const double items = TARGET / rate->per_item;
    return items > 1e15 ? (uint64_t)1e15 : items < DRUA_LEAST_CHUNK ? DRUA_LEAST_CHUNK : (uint64_t)items;
}
