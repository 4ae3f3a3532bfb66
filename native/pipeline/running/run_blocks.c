/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the blocks of a plan: reads them, computes them on all devices, writes and records them. A failed block also
 * goes to the writer, which counts it, so that the other blocks continue.
 */
#include "run_blocks.h"
#include "finish_blocks.h"
#include "job_outputs.h"
#include "levels.h"
#include "open_job.h"
#include "share_passes.h"
#include "workers.h"

#include "alloc.h"
#include "c_locale.h"
#include "device.h"
#include "error.h"
#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A block in flight. */
typedef struct block_work {
    block_item item; /* must be the first member */
    uint32_t attempt;
    block_place place;
    void *made[JOB_OUTPUTS];
    drua_box level[JOB_OUTPUTS]; /* boxes of the first smaller level, if the block makes it */
    void *lower[JOB_OUTPUTS]; /* pixels of these boxes; NULL: finish makes the level */
} block_work;

typedef struct runner {
    job *job;
    const journal_state *state;
    const drua_blocks_share *share;
    int64_t next; /* the next block to examine */
    drua_zarr_out *outs[JOB_OUTPUTS];
    level_maker levels[JOB_OUTPUTS];
    drua_zarr *back[JOB_OUTPUTS]; /* the written outputs, opened for reading */
    journal *journal;
    int64_t written;
    drua_blocks_progress progress;
    drua_status status; /* status of the first failed block */
    int64_t failed_block;
    char sentence[WORKERS_SENTENCE];
} runner;

/* ---- blocks in flight */

static void free_work(block_item *item)
{
    block_work *w = (block_work *)item;
    boxes_free(&item->boxes);
    inputs_free(&item->in);
    for (int i = 0; i < JOB_OUTPUTS; i++) {
        block_memory_give(w->made[i]);
        block_memory_give(w->lower[i]);
    }
    drua_free(w);
}

/* Returns whether a block belongs to the share. */
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

static drua_status read_inputs(runner *r, block_work *w)
{
    job *j = r->job;
    const graph *g = w->place.graph;
    block_item *item = &w->item;
    DRUA_TRY(boxes_find(g, j->outputs, j->output_count, &w->place.box, &item->boxes));
    for (int i = 0; i < j->output_count; i++) {
        const size_t bytes = bytes_of(g, j->outputs[i], &w->place.box);
        w->made[i] = block_memory_take(j->memory, bytes);
        if (!w->made[i])
            return drua_fail_memory(bytes);
        item->bytes += bytes;
    }
    for (int i = 0; i < graph_inputs(g); i++)
        item->bytes += bytes_of(g, graph_input(g, i), &item->boxes.have[graph_input(g, i)]);
    const block_sources sources = job_sources(j);
    return inputs_read(&sources, j->memory, g, w->place.channel, w->place.frame, &item->boxes, &item->in);
}

static block_item *read_block(void *payload)
{
    runner *r = payload;
    while (r->next < r->job->blocks && (!is_wanted(r, r->next) || r->state->blocks[r->next].state == BLOCK_DONE))
        r->next++;
    block_work *w = r->next < r->job->blocks ? drua_alloc(sizeof *w) : NULL;
    if (!w)
        return NULL; /* if memory is full, final_status reports the missing blocks at the end */
    w->item.block = r->next++;
    w->attempt = r->state->blocks[w->item.block].attempt + 1;
    w->place = job_block(r->job, w->item.block);
    const drua_status status = read_inputs(r, w);
    if (status != DRUA_OK)
        item_fail(&w->item, status);
    return &w->item;
}

/* ---- computing on a device */

static drua_status compute_outputs(runner *r, evaluator *e, block_work *w)
{
    const job *j = r->job;
    block_item *item = &w->item;
    block_seconds seconds = {0};
    int parts = 0;
    const evaluation v = {w->place.graph, j->outputs, j->output_count, &item->boxes, &item->in};
    const drua_status status = evaluate_in_parts(e, &v, w->made, &seconds, &parts);
    item->seconds.transfer = seconds.up + seconds.down;
    item->seconds.compute = seconds.compute;
    if (parts > 1)
        workers_report(j->workers,
                       "block %" PRId64 " was done in %d parts because the device %s has too little memory for it",
                       item->block, parts, drua_device_get_info(e->device)->name);
    return status;
}

/* If the device's memory is too small for the smaller level, finish makes that level. */
static drua_status make_levels(const runner *r, evaluator *e, block_work *w)
{
    for (int i = 0; i < r->job->output_count; i++) {
        if (!r->levels[i].works)
            continue;
        block_memory_give(w->lower[i]); /* a device that failed has left these pixels */
        const drua_status status =
            level_maker_make(&r->levels[i], e, r->job->memory, &w->place.box, w->made[i], &w->level[i], &w->lower[i]);
        if (status != DRUA_OK) {
            block_memory_give(w->lower[i]);
            w->lower[i] = NULL;
        }
        if (status != DRUA_OK && status != DRUA_E_MEMORY)
            return status;
    }
    return DRUA_OK;
}

static drua_status compute_block(void *payload, evaluator *e, block_item *item)
{
    runner *r = payload;
    block_work *w = (block_work *)item;
    DRUA_TRY(compute_outputs(r, e, w));
    return make_levels(r, e, w);
}

/* ---- writing */

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

/* Fails with DRUA_E_AWAY if an output has disappeared. Files would then lie in the empty mount point of its disk. */
static drua_status check_outputs(const runner *r)
{
    for (int i = 0; i < r->job->output_count; i++)
        DRUA_TRY(drua_zarr_check(r->back[i]));
    return DRUA_OK;
}

static drua_status write_files(runner *r, const block_work *w, block_record *record)
{
    const drua_zarr_box box = file_box(&w->place);
    for (int i = 0; i < r->job->output_count; i++)
        DRUA_TRY(write_output(r, w, i, &box));
    return job_sum(r->back, r->job->output_count, &box, &record->crc, &record->bytes);
}

/* Records the block after its files have their final names, so that the record is true even if the process crashes. */
static drua_status write_block(runner *r, block_work *w)
{
    block_record record = {.block = w->item.block, .state = BLOCK_DONE, .attempt = w->attempt};
    DRUA_TRY(check_outputs(r));
    const drua_status status = write_files(r, w, &record);
    DRUA_TRY(check_outputs(r));
    return status == DRUA_OK ? journal_add(r->journal, &record) : status;
}

/*
 * Writes a block, or counts it as failed. Stops the run after errors that would also stop the next block: a full disk,
 * or an input that has disappeared.
 */
static void take_block(void *payload, block_item *item)
{
    enum { BATCH = 32 };
    runner *r = payload;
    if (item->status == DRUA_OK) {
        const drua_status status = write_block(r, (block_work *)item);
        if (status != DRUA_OK) {
            item_fail(item, status);
            workers_stop(r->job->workers);
        }
    }
    if (item->status == DRUA_E_AWAY)
        workers_stop(r->job->workers);
    if (item->status == DRUA_OK && ++r->written % BATCH == 0)
        job_settle(r->job, r->journal);
    if (item->status != DRUA_OK && r->status == DRUA_OK) {
        r->status = item->status;
        r->failed_block = item->block;
        memcpy(r->sentence, item->sentence, WORKERS_SENTENCE);
    }
}

/* ---- running */

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

/* Returns the final status and sets its error message. */
static drua_status final_status(const runner *r)
{
    const drua_blocks_progress *p = &r->progress;
    if (r->status != DRUA_OK)
        return drua_fail(r->status,
                         "block %" PRId64 ": %s (%" PRId64 " of %" PRId64 " blocks failed, %" PRId64 " are done)",
                         r->failed_block, r->sentence, p->failed, p->blocks, p->done);
    if (p->done < p->blocks)
        return drua_fail(DRUA_E_CANCELLED,
                         "stopped with %" PRId64 " of %" PRId64 " blocks done; run the same command again to continue",
                         p->done, p->blocks);
    return DRUA_OK;
}

static drua_status run_blocks(runner *r, drua_blocks_watch watch, void *payload)
{
    job *j = r->job;
    const block_steps steps = {.read = read_block,
                               .compute = compute_block,
                               .take = take_block,
                               .free = free_work,
                               .payload = r,
                               .host_bytes = j->text.host_bytes,
                               .host_limit = job_host_limit(j),
                               .progress = &r->progress,
                               .watch = watch,
                               .watcher = payload};
    DRUA_TRY(job_open_workers(j));
    const drua_status status = workers_run(j->workers, &steps);
    job_settle(j, r->journal);
    return status;
}

static drua_status run_open_share(runner *r, drua_blocks_watch watch, void *payload)
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
        status = run_blocks(r, watch, payload);
    journal_close(r->journal);
    close_outputs(r);
    return status == DRUA_OK ? final_status(r) : status;
}

drua_status job_check_share(const drua_blocks_share *s, int64_t blocks)
{
    if (s->first < 0 || s->end < 0 || s->end > blocks || (s->end > 0 && s->first >= s->end))
        return drua_fail(DRUA_E_ARGUMENT,
                         "blocks %" PRId64 ":%" PRId64 " are not in the plan; choose blocks within 0:%" PRId64,
                         s->first, s->end, blocks);
    if (s->parts > 0 && (s->part < 0 || s->part >= s->parts))
        return drua_fail(DRUA_E_ARGUMENT,
                         "part %" PRId64 " of %" PRId64 " does not exist; choose a part from 0 to %" PRId64, s->part,
                         s->parts, s->parts - 1);
    return DRUA_OK;
}

static drua_status run_share(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload)
{
    job j;
    journal_state state;
    runner r = {.job = &j, .state = &state, .share = share};
    char device[256];
    first_device(share->devices, device, sizeof device);
    drua_status status = job_load(&j, plan, device);
    j.devices = share->devices;
    if (status == DRUA_OK)
        status = job_check_share(share, j.blocks);
    if (status == DRUA_OK)
        status = job_check_input(&j, share);
    if (status == DRUA_OK) {
        status = journal_read(j.folder, j.text.all, j.blocks, &state);
        if (status == DRUA_OK)
            status = run_open_share(&r, watch, payload);
        journal_state_free(&state);
    }
    job_close(&j);
    return status;
}

drua_status drua_blocks_run(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload)
{
    bool more;
    drua_locale_enter();
    drua_status status = passes_share(plan, share, watch, payload, &more);
    if (status == DRUA_OK && more)
        status = run_share(plan, share, watch, payload);
    drua_locale_leave();
    return status;
}
