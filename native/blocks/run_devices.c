/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a run: each pulls blocks in a thread and an engine of its own. */
#include "runner.h"

#include "alloc.h"
#include "c_locale.h"
#include "device.h"
#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- which */

void first_device(const char *wishes, char *first, size_t size)
{
    drua_copy_start(first, !wishes ? "" : strcmp(wishes, "all") ? wishes : "0", size);
    first[strcspn(first, ",")] = 0;
}

/* Each device has a block in hand, which is a third at most of what one device and its queues take. */
static bool has_room(const runner *r)
{
    const uint64_t one = r->job->text.host_bytes, most = job_limits(r->job).host;
    return r->device_count < RUN_DEVICES && one + (uint64_t)r->device_count * (one / 3) <= most;
}

static void open_device(runner *r, const char *wish)
{
    run_device *d = &r->devices[r->device_count];
    if (!has_room(r)) {
        runner_say(r, "device '%s' is left out: the computer's memory that may be used has no room for another block; allow more with --host-memory", wish);
        return;
    }
    *d = (run_device){.runner = r, .number = r->device_count, .evaluator = &d->own};
    if (evaluator_open(wish, r->job->text.memory, &d->own) == DRUA_OK) {
        r->device_count++;
        return;
    }
    runner_say(r, "device '%s' is left out: %.600s", wish, drua_error_text());
    evaluator_close(&d->own);
}

bool drua_blocks_are_one_kind(const drua_device_info *a, const drua_device_info *b)
{
    return drua_device_is_one_kind(a, b);
}

/* Devices of other kinds serve only where they are named. */
static void open_all(runner *r)
{
    const drua_device_info *best = drua_device_get_info(r->job->main.device);
    bool skipped = false;
    for (size_t i = 0; i < drua_device_count(); i++) {
        drua_device_info info;
        char wish[32];
        if (drua_device_describe(i, &info) != DRUA_OK || !drua_blocks_are_one_kind(&info, best))
            continue;
        snprintf(wish, sizeof wish, "%zu", i);
        if (skipped)
            open_device(r, wish);
        skipped = true;         /* the first of its kind is the job's */
    }
}

void runner_open_devices(runner *r)
{
    const char *wishes = r->share->devices;
    r->devices[0] = (run_device){.runner = r, .evaluator = &r->job->main};
    r->device_count = 1;
    if (wishes && !strcmp(wishes, "all")) {
        open_all(r);
        return;
    }
    for (const char *at = wishes ? strchr(wishes, ',') : NULL; at; at = strchr(at + 1, ',')) {
        char wish[256];
        drua_copy_start(wish, at + 1, sizeof wish);
        wish[strcspn(wish, ",")] = 0;
        open_device(r, wish);
    }
}

void runner_close_devices(runner *r)
{
    for (int i = 1; i < r->device_count; i++)
        evaluator_close(&r->devices[i].own);
}

/* ---- one of them */

static drua_status compute(run_device *d, block_work *w)
{
    const job *j = d->runner->job;
    block_seconds seconds = {0};
    int parts = 0;
    const drua_status status =
        evaluate_in_parts(d->evaluator, w->place.graph, j->outputs, j->output_count, &w->boxes, &w->in, w->made, &seconds, &parts);
    w->seconds.transfer = seconds.up + seconds.down;
    w->seconds.compute = seconds.compute;
    if (parts > 1)
        runner_say(d->runner, "block %" PRId64 " was done in %d parts, as the device %s had too little memory for it", w->block, parts,
                   drua_device_get_info(d->evaluator->device)->name);
    return status;
}

/* A level that the device has no memory for is left to the end. */
static drua_status make_levels(run_device *d, block_work *w)
{
    const runner *r = d->runner;
    for (int i = 0; i < r->job->output_count; i++) {
        if (!r->levels[i].works)
            continue;
        const drua_status status = level_maker_make(&r->levels[i], d->evaluator, &w->place.box, w->made[i], &w->level[i], &w->lower[i]);
        if (status != DRUA_OK) {
            drua_free(w->lower[i]);
            w->lower[i] = NULL;
        }
        if (status != DRUA_OK && status != DRUA_E_MEMORY)
            return status;
    }
    return DRUA_OK;
}

/* Whether there are others to go on; the last device keeps its block and fails it. */
static bool leave_out(run_device *d)
{
    runner *r = d->runner;
    pthread_mutex_lock(&r->lock);
    const bool others = r->devices_left > 1;
    r->devices_left--;
    pthread_mutex_unlock(&r->lock);
    if (others)
        runner_say(r, "the device %s failed and is left out; another one does its block: %.600s", drua_device_get_info(d->evaluator->device)->name, drua_error_text());
    else
        runner_stop(r);
    return others;
}

/* The next block, in the device's hand; NULL when there will be none. */
static block_work *take_block(run_device *d)
{
    rates_wait(&d->runner->rates, d->number);
    block_work *w = queue_hold(&d->runner->ready);
    if (w)
        rates_take(&d->runner->rates, d->number);
    return w;
}

void *compute_blocks(void *payload)
{
    run_device *d = payload;
    runner *r = d->runner;
    bool serves = true;
    drua_locale_enter();
    drua_device_enter(drua_device_ticket(d->evaluator->device));
    for (block_work *w; serves && (w = take_block(d)) != NULL;) {
        drua_status status = w->status == DRUA_OK ? compute(d, w) : DRUA_OK;
        if (status == DRUA_OK && w->status == DRUA_OK)
            status = make_levels(d, w);
        if (status == DRUA_E_DEVICE && leave_out(d)) {
            queue_give_back(&r->ready, w);
            serves = false;
            continue;
        }
        if (status != DRUA_OK)
            work_fail(w, status);
        rates_done(&r->rates, d->number);
        queue_let_go(&r->ready);
        queue_put(&r->made, w);
    }
    rates_leave(&r->rates, d->number, !serves);
    queue_end(&r->made);
    drua_locale_leave();
    return NULL;
}
