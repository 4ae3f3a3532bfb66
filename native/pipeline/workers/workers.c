/* SPDX-License-Identifier: BSD-3-Clause */
#include "workers.h"

#include "c_locale.h"
#include "clock.h"
#include "codec_times.h"
#include "cores.h"
#include "device.h"
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_stopped(block_workers *c)
{
    pthread_mutex_lock(&c->lock);
    const bool stops = c->stop;
    pthread_mutex_unlock(&c->lock);
    return stops;
}

void workers_stop(block_workers *c)
{
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_mutex_unlock(&c->lock);
}

void workers_report(block_workers *c, const char *format, ...)
{
    va_list arguments;
    pthread_mutex_lock(&c->lock);
    const size_t used = strlen(c->line);
    if (used + 2 < sizeof c->line) {
        c->line[used] = '\n';
        va_start(arguments, format);
        vsnprintf(c->line + used + (used > 0), sizeof c->line - used - 1, format, arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&c->lock);
}

void item_fail(block_item *item, drua_status status)
{
    item->status = status;
    drua_copy_start(item->sentence, drua_error_text(), WORKERS_SENTENCE);
}

/* ---- the reading thread */

/* Returns codec time in wall-clock seconds: the sum over all cores, divided by their number. */
static double codec_seconds(bool decodes)
{
    double decode, encode;
    drua_codec_seconds(&decode, &encode);
    return (decodes ? decode : encode) / drua_cores();
}

/* Splits the time since `start` into codec time and the rest. */
static void share_time(double start, double codec_before, bool decodes, double *rest, double *codec)
{
    const double all = drua_seconds() - start, used = codec_seconds(decodes) - codec_before;
    *codec = used < all ? used : all;
    *rest = all - *codec;
}

static void *read_items(void *payload)
{
    block_workers *c = payload;
    const block_steps *w = c->work;
    drua_locale_enter();
    while (!is_stopped(c)) {
        const double start = drua_seconds(), decoded = codec_seconds(true);
        block_item *item = w->read(w->payload);
        if (!item)
            break;
        share_time(start, decoded, true, &item->seconds.read, &item->seconds.decode);
        queue_put(&c->ready, item);
    }
    queue_end(&c->ready);
    drua_locale_leave();
    return NULL;
}

/* ---- the threads of devices */

/* Leaves a failed device out. Returns whether other devices are left; the last device keeps its block, which fails. */
static bool leave_out(device_worker *m)
{
    block_workers *c = m->workers;
    pthread_mutex_lock(&c->lock);
    const bool others = c->left > 1;
    c->left--;
    pthread_mutex_unlock(&c->lock);
    if (others)
        workers_report(c, "the device %s failed and is left out; another device repeats its block: %.600s",
                       drua_device_get_info(m->evaluator->device)->name, drua_error_text());
    else
        workers_stop(c);
    return others;
}

/* Takes and holds the next block; NULL if there are no more blocks. */
static block_item *take_item(device_worker *m)
{
    rates_wait(&m->workers->rates, m->number);
    block_item *item = queue_hold(&m->workers->ready);
    if (item)
        rates_take(&m->workers->rates, m->number);
    return item;
}

/* Computes blocks until there are no more. A device that fails returns its block to the queue. */
static void *compute_items(void *payload)
{
    device_worker *m = payload;
    block_workers *c = m->workers;
    drua_locale_enter();
    drua_device_enter(drua_device_ticket(m->evaluator->device));
    for (block_item *item; !m->left_out && (item = take_item(m)) != NULL;) {
        const drua_status status =
            item->status == DRUA_OK ? c->work->compute(c->work->payload, m->evaluator, item) : DRUA_OK;
        if (status == DRUA_E_DEVICE && leave_out(m)) {
            queue_give_back(&c->ready, item);
            m->left_out = true;
            continue;
        }
        if (status != DRUA_OK)
            item_fail(item, status);
        inputs_free(&item->in);
        rates_done(&c->rates, m->number);
        queue_let_go(&c->ready);
        queue_put(&c->made, item);
    }
    rates_leave(&c->rates, m->number, m->left_out);
    queue_end(&c->made);
    drua_locale_leave();
    return NULL;
}

/* ---- the caller's thread */

/* Returns the bottleneck: the slowest step of the slowest thread (reading, device or writing). */
static const char *limit_of(const drua_blocks_seconds *s, int devices)
{
    const double reader = s->read + s->decode, device = (s->transfer + s->compute) / devices,
                 writer = s->encode + s->write;
    if (device >= reader && device >= writer)
        return s->compute >= s->transfer ? "compute" : "transfer";
    if (reader >= writer)
        return s->read >= s->decode ? "read" : "decode";
    return s->write >= s->encode ? "write" : "encode";
}

static void count_block(block_workers *c, const block_item *item)
{
    drua_blocks_progress *p = c->work->progress;
    p->split.read += item->seconds.read;
    p->split.decode += item->seconds.decode;
    p->split.transfer += item->seconds.transfer;
    p->split.compute += item->seconds.compute;
    p->split.encode += item->seconds.encode;
    p->split.write += item->seconds.write;
    p->limit = limit_of(&p->split, c->serving_count);
    p->seconds = drua_seconds() - c->begun;
    rates_written(&c->rates);
    p->left = rates_left(&c->rates, p->blocks - p->done - p->failed - 1); /* the current block is not counted yet */
    if (item->status == DRUA_OK) {
        p->done++;
        p->made++;
        p->bytes += item->bytes;
    } else {
        p->failed++;
    }
}

/* Reports progress together with the messages of all threads. */
static void report_progress(block_workers *c)
{
    const block_steps *w = c->work;
    char line[WORKERS_SENTENCE];
    pthread_mutex_lock(&c->lock);
    memcpy(line, c->line, sizeof line);
    c->line[0] = 0;
    pthread_mutex_unlock(&c->lock);
    w->progress->line = *line ? line : NULL;
    if (w->watch && !w->watch(w->watcher, w->progress)) {
        c->refused = true;
        workers_stop(c);
    }
    w->progress->line = NULL;
}

static void take_items(block_workers *c)
{
    const block_steps *w = c->work;
    for (block_item *item; (item = queue_take(&c->made)) != NULL; w->free(item)) {
        const double start = drua_seconds(), encoded = codec_seconds(false);
        w->take(w->payload, item);
        share_time(start, encoded, false, &item->seconds.write, &item->seconds.encode);
        count_block(c, item);
        report_progress(c);
    }
}

/* ---- running the steps */

/*
 * Chooses how many devices work: as many as memory allows. Each further device holds one more block, which takes at
 * most a third of the memory that one device and the queues use.
 */
static void choose_serving(block_workers *c)
{
    const uint64_t one = c->work->host_bytes, max = c->work->host_limit;
    c->serving_count = 0;
    for (int i = 0; i < c->count; i++) {
        device_worker *m = &c->members[i];
        if (m->left_out)
            continue;
        if (c->serving_count == 0 || one + (uint64_t)c->serving_count * (one / 3) <= max) {
            m->number = c->serving_count;
            c->serving[c->serving_count++] = m;
        } else if (!m->has_no_room) {
            m->has_no_room = true;
            workers_report(
                c,
                "device '%s' is left out: the allowed host memory has no space for another block; allow more "
                "with --host-memory",
                m->evaluator->device_name);
        }
    }
}

/* Starts a thread for each serving device and returns the number of threads that started. */
static int start_devices(block_workers *c)
{
    int count = 0;
    while (count < c->serving_count &&
           pthread_create(&c->serving[count]->thread, NULL, compute_items, c->serving[count]) == 0)
        count++;
    for (int i = count; i < c->serving_count; i++) {
        queue_end(&c->made);
        rates_leave(&c->rates, i, false);
    }
    pthread_mutex_lock(&c->lock);
    c->left -= c->serving_count - count;
    pthread_mutex_unlock(&c->lock);
    return count;
}

drua_status workers_run(block_workers *c, const block_steps *w)
{
    pthread_t reader;
    drua_status status = DRUA_OK;
    c->work = w;
    c->stop = c->refused = false;
    choose_serving(c);
    c->left = c->serving_count;
    rates_open(&c->rates, c->serving_count, w->progress->blocks - w->progress->done);
    queue_open(&c->ready, BLOCKS_READ, 1);
    queue_open(&c->made, BLOCKS_MADE, c->serving_count);
    c->begun = drua_seconds();
    const bool reads = pthread_create(&reader, NULL, read_items, c) == 0;
    if (!reads)
        queue_end(&c->ready);
    const int devices = start_devices(c);
    if (!reads || !devices) {
        status = drua_fail(
            DRUA_E_MEMORY,
            "the computer cannot start another thread; close other programs, then run the same command again");
        workers_stop(c);
        for (block_item *item; (item = queue_take(&c->ready)) != NULL;)
            w->free(item);
    }
    take_items(c);
    if (reads)
        pthread_join(reader, NULL);
    for (int i = 0; i < devices; i++)
        pthread_join(c->serving[i]->thread, NULL);
    queue_close(&c->ready);
    queue_close(&c->made);
    rates_close(&c->rates);
    return status;
}
