/* SPDX-License-Identifier: BSD-3-Clause */
#include "device_rates.h"

#include "clock.h"

/* If more blocks than this are left, every device gets some of them. */
enum { PLENTY = 256 };

void rates_open(device_rates *r, int devices, int64_t blocks)
{
    *r = (device_rates){.count = devices < RATES_MAX ? devices : RATES_MAX, .waiting = blocks};
    pthread_mutex_init(&r->lock, NULL);
    drua_condition_init(&r->changed);
}

void rates_close(device_rates *r)
{
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->changed);
}

/* Updates a measured time. The first block of a device is ignored, because its time includes compiling kernels. */
static double update_time(double known, double seen)
{
    return known > 0 ? known + (seen - known) / 4 : seen;
}

/* ---- which device takes the last blocks */

/* Seconds per block for a device. A device that is late with its current block counts as that slow. */
static double seconds_of(const device_rate *d, double now)
{
    const double late = d->busy ? now - d->since : 0;
    return late > d->seconds ? late : d->seconds;
}

bool rates_leaves_to_others(const device_rate *devices, int count, int device, int64_t waiting, double now)
{
    double seconds[RATES_MAX], free_at[RATES_MAX], end = 0;
    const double own = devices[device].seconds;
    int others = 0;
    if (own <= 0 || waiting < 1 || waiting > PLENTY)
        return false;
    for (int i = 0; i < count; i++) {
        const device_rate *d = &devices[i];
        if (i == device || d->gone || d->seconds <= 0)
            continue;
        seconds[others] = seconds_of(d, now);
        free_at[others] = d->busy ? seconds[others] - (now - d->since) : 0;
        others++;
    }
    for (int64_t block = 0; block < waiting && others; block++) {
        int first = 0;
        for (int i = 1; i < others; i++)
            first = free_at[i] + seconds[i] < free_at[first] + seconds[first] ? i : first;
        free_at[first] += seconds[first];
        end = free_at[first] > end ? free_at[first] : end;
    }
    return others && end < own;
}

/* Waits for a change, for a limited time: a device may become late without any change. */
static void wait_for_change(device_rates *r, double seconds)
{
    drua_condition_wait(&r->changed, &r->lock, (uint64_t)(1e9 * (seconds < 1 ? seconds : 1)));
}

bool rates_leaves(device_rates *r, int device)
{
    pthread_mutex_lock(&r->lock);
    const bool leaves = rates_leaves_to_others(r->devices, r->count, device, r->waiting, drua_seconds());
    pthread_mutex_unlock(&r->lock);
    return leaves;
}

void rates_wait(device_rates *r, int device)
{
    pthread_mutex_lock(&r->lock);
    while (rates_leaves_to_others(r->devices, r->count, device, r->waiting, drua_seconds()))
        wait_for_change(r, r->devices[device].seconds);
    pthread_mutex_unlock(&r->lock);
}

/* ---- events */

void rates_take(device_rates *r, int device)
{
    pthread_mutex_lock(&r->lock);
    r->waiting--;
    r->devices[device].busy = true;
    r->devices[device].since = drua_seconds();
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void rates_done(device_rates *r, int device)
{
    pthread_mutex_lock(&r->lock);
    device_rate *d = &r->devices[device];
    if (d->blocks++)
        d->seconds = update_time(d->seconds, drua_seconds() - d->since);
    d->busy = false;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void rates_leave(device_rates *r, int device, bool gives_back)
{
    pthread_mutex_lock(&r->lock);
    r->waiting += gives_back;
    r->devices[device].busy = false;
    r->devices[device].gone = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void rates_written(device_rates *r)
{
    const double now = drua_seconds();
    pthread_mutex_lock(&r->lock);
    if (r->written > 0)
        r->pace = update_time(r->pace, now - r->written);
    r->written = now;
    pthread_mutex_unlock(&r->lock);
}

/* Uses the rate of all devices together, or the rate of reading and writing if that is lower. */
double rates_left(device_rates *r, int64_t blocks)
{
    double per_second = 0, each;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->count; i++)
        if (!r->devices[i].gone && r->devices[i].seconds > 0)
            per_second += 1 / r->devices[i].seconds;
    each = per_second > 0 && 1 / per_second > r->pace ? 1 / per_second : r->pace;
    pthread_mutex_unlock(&r->lock);
    return each * (double)blocks;
}
