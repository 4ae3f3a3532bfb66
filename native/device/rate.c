/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Learns how long kernels take, so that long ones are sent in chunks: a call can be stopped between two chunks, and no
 * chunk runs into a driver's watchdog. A kernel's time depends on its numbers, such as a radius, so the key includes
 * them. A kernel of unknown speed is sent in chunks that double, and at most two of them are in the queue.
 */
#include "internal.h"

#include "hash.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

/*
 * Nanoseconds per chunk. A chunk on a CPU is longer, because each ends when the slowest core has finished its
 * last group, and PoCL compiles a kernel again for launches that do not begin at 0.
 */
static double target_duration(const drua_device *device)
{
    return device->info.is_gpu ? 30e6 : 200e6;
}

/* Typical work-items whose time is short in any case on a CPU: a kernel of unknown speed is not divided then. */
static const uint64_t SHORT_ITEMS = 1 << 27;

/* The smallest number of work-items in a chunk: few on a CPU, where a work-item may take long. */
static uint64_t min_chunk(const drua_device *device)
{
    return device->info.is_gpu ? DRUA_MIN_CHUNK : DRUA_MIN_CHUNK >> 6;
}

/* A GPU does many turns of a loop in the time of a typical work-item, which moves pixels. */
uint64_t drua_grid_effort(const drua_device *device, const drua_grid *grid)
{
    const int64_t turns = device->info.is_gpu ? grid->turns / 16 : grid->turns;
    const int64_t effort = grid->effort > turns ? grid->effort : turns;
    return effort > 1 ? (uint64_t)effort : 1;
}

uint64_t drua_chunk_forced(void)
{
    const char *text = drua_variable_text(DRUA_VARIABLE_CHUNK);
    return text ? strtoull(text, NULL, 10) : 0;
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

bool drua_rate_is_short(const drua_device *device, const drua_rate *rate, uint64_t items, uint64_t effort)
{
    if (device->info.is_gpu)
        return false;
    return rate->per_item > 0 ? rate->per_item * (double)items < 2 * target_duration(device)
                              : items < SHORT_ITEMS / effort;
}

uint64_t drua_rate_chunk(const drua_device *device, const drua_rate *rate, uint64_t before, uint64_t effort)
{
    const uint64_t min = min_chunk(device), first = DRUA_HEAVY_ITEMS / effort;
    if (rate->per_item == 0)
        return before ? 2 * before : first > min ? first : min;
    const double items = target_duration(device) / rate->per_item;
    return items > 1e15 ? (uint64_t)1e15 : items < (double)min ? min : (uint64_t)items;
}
