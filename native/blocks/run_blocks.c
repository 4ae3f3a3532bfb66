/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the blocks of a plan: one thread reads, one for each device computes, the caller's writes, with bounded queues between. A block that fails is
 * carried on to the writer, which counts it, so that the others go on.
 */
#include "runner.h"

#include "alloc.h"
#include "c_locale.h"
#include "clock.h"
#include "codec_times.h"
#include "cores.h"
#include "device.h"
#include "error.h"
#include "file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool runner_is_stopped(runner *r)
{
    pthread_mutex_lock(&r->lock);
    const bool stops = r->stop;
    pthread_mutex_unlock(&r->lock);
    return stops;
}

void runner_stop(runner *r)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_mutex_unlock(&r->lock);
}

void runner_say(runner *r, const char *format, ...)
{
    va_list arguments;
    pthread_mutex_lock(&r->lock);
    const size_t used = strlen(r->line);
    if (used + 2 < sizeof r->line) {
        r->line[used] = '\n';
        va_start(arguments, format);
        vsnprintf(r->line + used + (used > 0), sizeof r->line - used - 1, format, arguments);
        va_end(arguments);
    }
    pthread_mutex_unlock(&r->lock);
}

/* ---- blocks on their way */

void work_fail(block_work *w, drua_status status)
{
    w->status = status;
    drua_copy_start(w->sentence, drua_error_text(), SENTENCE);
}

static void free_work(block_work *w)
{
    boxes_free(&w->boxes);
    inputs_free(&w->in);
    for (int i = 0; i < JOB_OUTPUTS; i++) {
        drua_free(w->made[i]);
        drua_free(w->lower[i]);
    }
    drua_free(w);
}

/* Blocks of the share that are not done. */
static bool is_wanted(const runner *r, int64_t block)
{
    const drua_blocks_share *s = r->share;
    const int64_t first = s->first, end = s->end > 0 ? s->end : r->job->blocks;
    return block >= first && block < end && (s->parts < 1 || (block - first) % s->parts == s->part);
}

static size_t bytes_of(const graph *g, int value, const drua_box *box)
{
    return (size_t)drua_box_pixels(box) * drua_type_size(g->values[value].image->type);
}

static drua_status read_block(runner *r, block_work *w)
{
    job *j = r->job;
    const graph *g = w->place.graph;
    DRUA_TRY(boxes_find(g, j->outputs, j->output_count, &w->place.box, &w->boxes));
    for (int i = 0; i < j->output_count; i++) {
        w->made[i] = drua_alloc(bytes_of(g, j->outputs[i], &w->place.box));
        if (!w->made[i])
            return drua_fail_memory(bytes_of(g, j->outputs[i], &w->place.box));
    }
    return inputs_read(j->source, g, w->place.channel, w->place.frame, &w->boxes, &w->in);
}

/* Seconds of one core; cores share the work. */
static double codec_seconds(bool decodes)
{
    double decode, encode;
    drua_codec_seconds(&decode, &encode);
    return (decodes ? decode : encode) / drua_cores();
}

/* Splits the time since `start` into that of the codec and the rest. */
static void share_time(double start, double codec_before, bool decodes, double *rest, double *codec)
{
    const double all = drua_seconds() - start, used = codec_seconds(decodes) - codec_before;
    *codec = used < all ? used : all;
    *rest = all - *codec;
}

/* The thread that reads. */
static void *read_blocks(void *payload)
{
    runner *r = payload;
    drua_locale_enter();
    for (int64_t block = 0; block < r->job->blocks && !runner_is_stopped(r); block++) {
        if (!is_wanted(r, block) || r->state->blocks[block].state == BLOCK_DONE)
            continue;
        block_work *w = drua_alloc(sizeof *w);
        if (!w) {
            runner_stop(r);
            break;
        }
        const double start = drua_seconds(), decoded = codec_seconds(true);
        w->block = block;
        w->attempt = r->state->blocks[block].attempt + 1;
        w->place = job_block(r->job, block);
        const drua_status status = read_block(r, w);
        if (status != DRUA_OK)
            work_fail(w, status);
        share_time(start, decoded, true, &w->seconds.read, &w->seconds.decode);
        queue_put(&r->ready, w);
    }
    queue_end(&r->ready);
    drua_locale_leave();
    return NULL;
}

/* ---- the writer */

static drua_zarr_box file_box(const block_place *place)
{
    drua_zarr_box box = {.channel = place->channel, .frame = place->frame};
    memcpy(box.first, place->box.first, sizeof box.first);
    memcpy(box.end, place->box.end, sizeof box.end);
    return box;
}

static drua_status write_output(runner *r, const block_work *w, int output, const drua_zarr_box *box)
{
    drua_zarr_box lower = *box;
    memcpy(lower.first, w->level[output].first, sizeof lower.first);
    memcpy(lower.end, w->level[output].end, sizeof lower.end);
    DRUA_TRY(drua_zarr_write(r->outs[output], 0, box, w->made[output]));
    return w->lower[output] ? drua_zarr_write(r->outs[output], 1, &lower, w->lower[output]) : DRUA_OK;
}

/* The record comes after the files have their names: what it says is true whenever the process dies. */
static drua_status write_block(runner *r, block_work *w)
{
    const drua_zarr_box box = file_box(&w->place);
    block_record record = {.block = w->block, .state = BLOCK_DONE, .attempt = w->attempt};
    for (int i = 0; i < r->job->output_count; i++)
        DRUA_TRY(write_output(r, w, i, &box));
    DRUA_TRY(job_sum(r->back, r->job->output_count, &box, &record.crc, &record.bytes));
    return journal_add(r->journal, &record);
}

static void count_bytes(runner *r, const block_work *w)
{
    const job *j = r->job;
    const graph *g = w->place.graph;
    for (int i = 0; i < graph_inputs(g); i++)
        r->progress.bytes += bytes_of(g, graph_input(g, i), &w->boxes.have[graph_input(g, i)]);
    for (int i = 0; i < j->output_count; i++)
        r->progress.bytes += bytes_of(g, j->outputs[i], &w->place.box);
}

/* What the run waits for: the thread that reads, the devices, or the thread that writes, and there what takes longest. */
static const char *limit_of(const drua_blocks_seconds *s, int devices)
{
    const double reader = s->read + s->decode, device = (s->transfer + s->compute) / devices, writer = s->encode + s->write;
    if (device >= reader && device >= writer)
        return s->compute >= s->transfer ? "compute" : "transfer";
    if (reader >= writer)
        return s->read >= s->decode ? "read" : "decode";
    return s->write >= s->encode ? "write" : "encode";
}

static void count(runner *r, const block_work *w)
{
    drua_blocks_progress *p = &r->progress;
    p->split.read += w->seconds.read;
    p->split.decode += w->seconds.decode;
    p->split.transfer += w->seconds.transfer;
    p->split.compute += w->seconds.compute;
    p->split.encode += w->seconds.encode;
    p->split.write += w->seconds.write;
    p->limit = limit_of(&p->split, r->device_count);
    p->seconds = drua_seconds() - r->begun;
    rates_written(&r->rates);
    p->left = rates_left(&r->rates, p->blocks - p->done - p->failed - 1); /* without this one */
    if (w->status == DRUA_OK) {
        p->done++;
        p->made++;
        count_bytes(r, w);
        return;
    }
    p->failed++;
    if (r->status == DRUA_OK) {
        r->status = w->status;
        r->failed_block = w->block;
        memcpy(r->sentence, w->sentence, SENTENCE);
    }
}

/* Lines that threads have left go along. */
static void show(runner *r)
{
    char line[SENTENCE];
    pthread_mutex_lock(&r->lock);
    memcpy(line, r->line, SENTENCE);
    r->line[0] = 0;
    pthread_mutex_unlock(&r->lock);
    r->progress.line = *line ? line : NULL;
    if (r->watch && !r->watch(r->payload, &r->progress))
        runner_stop(r);
    r->progress.line = NULL;
}

/* A disk that takes no more will not take the next block either. */
static void write_blocks(runner *r)
{
    enum { BATCH = 32 };
    for (block_work *w; (w = queue_take(&r->made)) != NULL; free_work(w)) {
        const double start = drua_seconds(), encoded = codec_seconds(false);
        if (w->status == DRUA_OK) {
            const drua_status status = write_block(r, w);
            if (status != DRUA_OK) {
                work_fail(w, status);
                runner_stop(r);
            }
        }
        share_time(start, encoded, false, &w->seconds.write, &w->seconds.encode);
        count(r, w);
        if (r->progress.made % BATCH == 0 && r->progress.made)
            job_settle(r->job, r->journal);
        show(r);
    }
    job_settle(r->job, r->journal);
}

/* ---- the run */

static drua_status open_outputs(runner *r)
{
    for (int i = 0; i < r->job->output_count; i++) {
        char path[JOB_PATH];
        job_output_path(r->job, i, path);
        DRUA_TRY(drua_zarr_resume(path, &r->outs[i]));
        DRUA_TRY(drua_zarr_reopen(r->outs[i], 0, &r->back[i]));
        DRUA_TRY(level_maker_open(r->job, r->outs[i], &r->levels[i]));
    }
    return DRUA_OK;
}

static void close_outputs(runner *r)
{
    for (int i = 0; i < r->job->output_count; i++) {
        level_maker_close(&r->levels[i]);
        drua_zarr_close(r->back[i]);
        if (r->outs[i])
            drua_zarr_finish(r->outs[i], DRUA_E_CANCELLED);
    }
}

/* As many devices as there are threads for; 0: none. */
static int start_devices(runner *r)
{
    int count = 0;
    while (count < r->device_count && pthread_create(&r->devices[count].thread, NULL, compute_blocks, &r->devices[count]) == 0)
        count++;
    for (int i = count; i < r->device_count; i++)
        queue_end(&r->made);
    return count;
}

static drua_status run_threads(runner *r)
{
    pthread_t reader;
    drua_status status = DRUA_OK;
    runner_open_devices(r);
    r->devices_left = r->device_count;
    rates_open(&r->rates, r->device_count, r->progress.blocks - r->progress.done);
    queue_open(&r->ready, BLOCKS_READ, 1);
    queue_open(&r->made, BLOCKS_MADE, r->device_count);
    r->begun = drua_seconds();
    const bool reads = pthread_create(&reader, NULL, read_blocks, r) == 0;
    if (!reads)
        queue_end(&r->ready);
    const int devices = start_devices(r);
    if (!reads || !devices) {
        status = drua_fail(DRUA_E_MEMORY, "the computer has no room for another thread");
        runner_stop(r);
        for (block_work *w; (w = queue_take(&r->ready)) != NULL;)
            free_work(w);
    }
    write_blocks(r);
    if (reads)
        pthread_join(reader, NULL);
    for (int i = 0; i < devices; i++)
        pthread_join(r->devices[i].thread, NULL);
    queue_close(&r->ready);
    queue_close(&r->made);
    rates_close(&r->rates);
    runner_close_devices(r);
    return status;
}

/* What is to be said at the end. */
static drua_status verdict(const runner *r)
{
    const drua_blocks_progress *p = &r->progress;
    if (r->status != DRUA_OK)
        return drua_fail(r->status, "block %" PRId64 ": %s (%" PRId64 " of %" PRId64 " blocks failed, %" PRId64 " are done)", r->failed_block, r->sentence, p->failed, p->blocks,
                         p->done);
    if (p->done < p->blocks)
        return drua_fail(DRUA_E_CANCELLED, "stopped with %" PRId64 " of %" PRId64 " blocks done; run the plan again", p->done, p->blocks);
    return DRUA_OK;
}

static drua_status run(runner *r)
{
    job *j = r->job;
    for (int64_t block = 0; block < j->blocks; block++)
        if (is_wanted(r, block)) {
            r->progress.blocks++;
            r->progress.done += r->state->blocks[block].state == BLOCK_DONE;
        }
    r->progress.what = "blocks";
    r->progress.limit = "read";
    if (r->progress.done == r->progress.blocks)
        return DRUA_OK;
    drua_status status = open_outputs(r);
    if (status == DRUA_OK)
        status = journal_open(j->folder, j->text.all, &r->journal);
    if (status == DRUA_OK)
        status = run_threads(r);
    journal_close(r->journal);
    close_outputs(r);
    return status == DRUA_OK ? verdict(r) : status;
}

static drua_status check_share(const drua_blocks_share *s, int64_t blocks)
{
    if (s->first < 0 || s->end < 0 || s->end > blocks || (s->end > 0 && s->first >= s->end))
        return drua_fail(DRUA_E_ARGUMENT, "blocks %" PRId64 ":%" PRId64 " are not of the plan, which has the blocks 0:%" PRId64, s->first, s->end, blocks);
    if (s->parts > 0 && (s->part < 0 || s->part >= s->parts))
        return drua_fail(DRUA_E_ARGUMENT, "part %" PRId64 " of %" PRId64 " is none: parts count from 0", s->part, s->parts);
    return DRUA_OK;
}

drua_status drua_blocks_run(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload)
{
    job j;
    journal_state state;
    runner r = {.job = &j, .state = &state, .share = share, .watch = watch, .payload = payload};
    drua_locale_enter();
    pthread_mutex_init(&r.lock, NULL);
    char device[256];
    first_device(share->devices, device, sizeof device);
    drua_status status = job_load(&j, plan, device);
    if (status == DRUA_OK)
        status = check_share(share, j.blocks);
    if (status == DRUA_OK) {
        status = journal_read(j.folder, j.text.all, j.blocks, &state);
        if (status == DRUA_OK)
            status = run(&r);
        journal_state_free(&state);
    }
    pthread_mutex_destroy(&r.lock);
    job_close(&j);
    drua_locale_leave();
    return status;
}
