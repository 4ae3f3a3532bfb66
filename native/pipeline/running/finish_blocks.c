/* SPDX-License-Identifier: BSD-3-Clause */
/* Finishes a plan: checks all files, makes smaller levels, and gives outputs their names. */
#include "finish_blocks.h"
#include "block_pipeline.h"
#include "finish_tiff.h"
#include "job_outputs.h"
#include "levels.h"
#include "open_job.h"
#include "passes.h"
#include "provenance.h"
#include "remove_plan.h"

#include "alloc.h"
#include "c_locale.h"
#include "clock.h"
#include "error.h"
#include "file.h"
#include "quote.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- files of blocks */

drua_status job_sum(drua_zarr *const *outputs, int count, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes)
{
    if (crc)
        *crc = 0;
    *bytes = 0;
    for (int i = 0; i < count; i++) {
        uint32_t one;
        uint64_t length;
        DRUA_TRY(drua_zarr_sum(outputs[i], box, crc ? &one : NULL, &length));
        if (crc)
            *crc = 31 * *crc + one;
        *bytes += length;
    }
    return DRUA_OK;
}

void job_settle(const job *j, journal *records)
{
    char path[JOB_PATH];
    job_output_path(j, 0, path);
    drua_folder_settle(drua_file_is_folder(j->folder) ? j->folder : path);
    journal_settle(records);
}

/* ---- finishing */

/* The progress callback, its start time and the current report. */
typedef struct watcher {
    drua_blocks_watch watch;
    void *payload;
    double begun;
    drua_blocks_progress progress;
} watcher;

static drua_status report_progress(watcher *a, uint64_t bytes)
{
    drua_blocks_progress *p = &a->progress;
    p->done++;
    p->made++;
    p->bytes += bytes;
    p->seconds = drua_seconds() - a->begun;
    return !a->watch || a->watch(a->payload, p)
               ? DRUA_OK
               : drua_fail(DRUA_E_CANCELLED, "stopped at %" PRId64 " of %" PRId64 " %s; run the same command again",
                           p->done, p->blocks, p->what);
}

/* Returns whether an output is complete. If the chunks of a TIFF have their final name, the TIFF is still missing. */
static bool is_whole(const job *j, int output)
{
    char path[JOB_PATH];
    block_source *source = NULL;
    job_output_path(j, output, path);
    const bool whole = !(job_makes_tiff(j) && drua_file_is_folder(path)) &&
                       source_open(job_makes_tiff(j) ? j->text.output : path, "", 0, 0, &source) == DRUA_OK;
    source_close(source);
    return whole;
}

static bool is_written(const job *j, int output)
{
    char path[JOB_PATH + 16];
    job_output_path(j, output, path);
    strcat(path, ".writing");
    return drua_file_is_folder(path);
}

/* Returns whether this output is still to be finished: its blocks have no final name, or its TIFF is not written. */
static bool is_unfinished(const job *j, int output)
{
    char path[JOB_PATH];
    job_output_path(j, output, path);
    return is_written(j, output) || (job_makes_tiff(j) && drua_file_is_folder(path));
}

/* Returns whether the image in chunks has its final name, or is part of a finished TIFF. */
static bool has_final_name(const job *j, int output)
{
    char path[JOB_PATH];
    drua_zarr *named = NULL;
    job_output_path(j, output, path);
    const bool found =
        drua_zarr_open(path, 0, &named) == DRUA_OK || (job_makes_tiff(j) && journal_is_finished(j->folder));
    drua_zarr_close(named);
    return found;
}

/*
 * Returns whether the folder with the temporary name holds no image, although the image has its final name. A run
 * leaves this folder if it writes a file while another process renames the folder.
 */
static bool is_remnant(const job *j, int output)
{
    char path[JOB_PATH];
    drua_zarr_out *unfinished;
    job_output_path(j, output, path);
    if (!is_written(j, output))
        return false;
    if (drua_zarr_resume(path, &unfinished) != DRUA_OK)
        return has_final_name(j, output);
    drua_zarr_finish(unfinished, DRUA_E_CANCELLED);
    return false;
}

static void discard_remnant(const job *j, int output)
{
    char path[JOB_PATH];
    job_output_path(j, output, path);
    if (is_remnant(j, output))
        drua_zarr_discard(path);
}

static bool any_has_name(const job *j)
{
    bool named = false;
    for (int i = 0; i < j->output_count; i++)
        named |= !is_written(j, i);
    return named;
}

bool job_is_finished(const job *j)
{
    bool finished = journal_is_finished(j->folder); /* otherwise this may be the image that the plan replaces */
    for (int i = 0; i < j->output_count && finished; i++)
        finished = !is_written(j, i) && is_whole(j, i);
    return finished;
}

static drua_status finish_output(job *j, int output, watcher *a)
{
    char path[JOB_PATH];
    drua_zarr_out *out;
    job_output_path(j, output, path);
    discard_remnant(j, output);
    if (!is_written(j, output)) {
        drua_zarr_clean(path); /* an earlier run has finished this output */
        return DRUA_OK;
    }
    DRUA_TRY(drua_zarr_resume(path, &out));
    drua_zarr_set_replaces(out, j->text.replaces);
    const int levels = drua_zarr_out_metadata(out, 0)->levels;
    drua_status status = levels > 1 && !j->main.is_open ? evaluator_open(NULL, j->text.memory, &j->main) : DRUA_OK;
    a->progress.blocks = levels - 1;
    a->progress.done = a->progress.made = 0;
    for (int level = 1; level < levels && status == DRUA_OK; level++) {
        const drua_zarr_metadata *f = drua_zarr_out_metadata(out, level);
        status = level_make(j, out, level, &a->progress.split);
        if (status == DRUA_OK)
            status = report_progress(a, (uint64_t)f->channels * (uint64_t)f->frames *
                                            (uint64_t)(f->shape.width * f->shape.height * f->shape.depth) *
                                            drua_type_size(f->type));
    }
    if (status == DRUA_OK) /* blocks do not read this group, so its loss would go unnoticed */
        status = job_write_labels_group(j, output);
    const drua_status end = drua_zarr_finish(out, status == DRUA_OK ? DRUA_OK : DRUA_E_CANCELLED);
    return status == DRUA_OK ? end : status;
}

static drua_status all_done(const job *j, const journal_state *state)
{
    if (state->done == j->blocks)
        return DRUA_OK;
    return drua_fail(DRUA_E_CANCELLED,
                     "%" PRId64 " of %" PRId64 " blocks are not done; run the plan until all are done, then finish it",
                     j->blocks - state->done, j->blocks);
}

/* Labels get their names before the image in whose folder they lie. */
static drua_status finish_outputs(job *j, watcher *a)
{
    for (int images = 0; images < 2; images++)
        for (int i = 0; i < j->output_count; i++)
            if ((job_image_of(j, i) < 0) == images)
                DRUA_TRY(finish_output(j, i, a));
    return job_makes_tiff(j) ? finish_tiff_write(j) : DRUA_OK;
}

/* Makes the folder of several images a group that lists them. */
static drua_status write_collection(const job *j)
{
    const char *names[JOB_OUTPUTS];
    int count = 0;
    if (j->output_count < 2 || job_has_main_image(j))
        return DRUA_OK;
    for (int i = 0; i < j->output_count; i++)
        if (job_image_of(j, i) < 0)
            names[count++] = strrchr(j->text.paths[i], '/') + 1;
    return drua_zarr_write_collection(j->text.output, j->text.version, names, count);
}

/* Does what remains when the outputs have their final names; several processes may do it. */
static drua_status finish_rest(const job *j, const journal_state *state)
{
    drua_status status = label_tables_finish(j);
    if (status == DRUA_OK)
        status = write_collection(j);
    if (status == DRUA_OK)
        status = provenance_write(j);
    if (status == DRUA_OK)
        status = journal_mark_finished(j->folder);
    if (status != DRUA_OK && !journal_is_finished(j->folder)) /* otherwise another process has written the tables */
        return status;
    stored_images_remove(j);
    if (job_makes_tiff(j))
        DRUA_TRY(finish_tiff_clean(j));
    return journal_merge(j->folder, j->text.all, state);
}

/* Opens a plan and its journal. From here until leave() the locale writes decimal points. */
static drua_status load_plan(const char *plan, job *j, journal_state *state)
{
    *state = (journal_state){.blocks = NULL};
    drua_locale_enter();
    drua_status status = job_load_text(j, plan);
    if (status == DRUA_OK) {
        status = j->text.pass_count
                     ? drua_fail(DRUA_E_CANCELLED,
                                 "the passes of '%.600s' are not finished; run the plan until they are", plan)
                     : journal_read(j->folder, j->text.all, j->blocks, state);
        if (status != DRUA_OK)
            job_close(j);
    }
    if (status != DRUA_OK) {
        journal_state_free(state);
        drua_locale_leave();
    }
    return status;
}

static void close_plan(job *j, journal_state *state)
{
    journal_state_free(state);
    job_close(j);
    drua_locale_leave();
}

/* ---- removing a plan */

static bool no_name(const char *name)
{
    (void)name;
    return false;
}

void drua_blocks_forget(const char *plan)
{
    job j = {.graphs = NULL};
    job_set_paths(&j, plan);
    journal_remove(j.folder);
    passes_forget(j.folder);
    input_record_remove(j.folder);
    drua_file_remove_folder(j.folder, no_name);
    drua_file_remove(j.path);
}

void drua_blocks_withdraw(const char *plan)
{
    job j;
    journal_state state;
    char path[JOB_PATH], some[256];
    if (load_plan(plan, &j, &state) != DRUA_OK)
        return;
    const bool has_work = drua_file_find_unknown(j.folder, input_record_is_ours, some);
    for (int i = 0; i < j.output_count && !has_work; i++) {
        job_output_path(&j, i, path);
        drua_zarr_discard(path);
    }
    if (!has_work && j.output_count > 1)
        drua_file_remove_folder(j.text.output, no_name);
    close_plan(&j, &state);
    if (!has_work)
        drua_blocks_forget(plan);
}

/* ---- verifying */

typedef struct check {
    job *job;
    const journal_state *state;
    bool reads; /* reads the files; otherwise compares only their lengths */
    bool named; /* an output has its final name, so no run can repair it */
    drua_zarr *files[JOB_OUTPUTS];
    journal *journal; /* records lost blocks; NULL until the first one */
    int64_t lost, first;
} check;

static drua_status open_output(check *c, int output)
{
    char path[JOB_PATH];
    drua_zarr_out *out;
    job_output_path(c->job, output, path);
    if (drua_zarr_resume(path, &out) == DRUA_OK) {
        const drua_status status = drua_zarr_reopen(out, 0, &c->files[output]);
        drua_zarr_finish(out, DRUA_E_CANCELLED);
        return status;
    }
    c->named = true;
    if (drua_zarr_open(path, 0, &c->files[output]) != DRUA_OK)
        return drua_fail(DRUA_E_ARGUMENT,
                         "the output '%.600s' is missing or incomplete, both as a finished and as an unfinished image; "
                         "make the plan again with drua plan --anew",
                         path);
    drua_zarr_expect_all(c->files[output]);
    return DRUA_OK;
}

static drua_status check_block(check *c, int64_t block)
{
    const block_record *known = &c->state->blocks[block];
    const block_place place = job_block(c->job, block);
    drua_zarr_box box = {.channel = place.channel, .frame = place.frame};
    uint32_t crc;
    uint64_t bytes;
    memcpy(box.first, place.box.first, sizeof box.first);
    memcpy(box.end, place.box.end, sizeof box.end);
    if (job_sum(c->files, c->job->output_count, &box, c->reads ? &crc : NULL, &bytes) == DRUA_OK &&
        journal_knows(c->state, block, c->reads ? &crc : NULL, bytes))
        return DRUA_OK;
    for (int i = 0; i < c->job->output_count; i++)
        DRUA_TRY(drua_zarr_check(c->files[i])); /* if the whole output has disappeared, its blocks are not lost */
    block_record lost = *known;
    lost.state = BLOCK_LOST;
    c->first = c->lost++ ? c->first : block;
    if (c->named || any_has_name(c->job))
        return DRUA_OK;
    if (!c->journal)
        DRUA_TRY(journal_open(c->job->folder, c->job->text.all, &c->journal));
    return journal_add(c->journal, &lost);
}

static drua_status verify_blocks(check *c, watcher *a)
{
    for (int i = 0; i < c->job->output_count; i++)
        DRUA_TRY(open_output(c, i));
    for (int64_t block = 0; block < c->job->blocks; block++) {
        if (c->state->blocks[block].state != BLOCK_DONE)
            continue;
        DRUA_TRY(check_block(c, block));
        DRUA_TRY(report_progress(a, c->reads ? c->state->blocks[block].bytes : 0));
    }
    if (!c->lost)
        return DRUA_OK;
    const block_place place = job_block(c->job, c->first);
    return drua_fail(DRUA_E_ARGUMENT,
                     "the files of %" PRId64 " blocks have changed since they were written. The first is block %" PRId64
                     " at x, y, z %" PRId64 ", %" PRId64 ", %" PRId64 " of channel %" PRId64 ", frame %" PRId64 "; %s",
                     c->lost, c->first, place.box.first[0], place.box.first[1], place.box.first[2], place.channel + 1,
                     place.frame + 1,
                     c->named ? "the output already has its final name, so make the plan again with drua plan --anew"
                              : "run the plan again to repeat these blocks");
}

/* Verifies all blocks, except those of a finished TIFF, which has no blocks. */
static drua_status verify_all(job *j, const journal_state *state, bool reads, drua_blocks_watch watch, void *payload)
{
    check c = {.job = j, .state = state, .reads = reads};
    watcher a = {watch, payload, drua_seconds(), {.what = "blocks", .blocks = state->done, .limit = "read"}};
    if (job_makes_tiff(j) && job_is_finished(j))
        return DRUA_OK;
    const drua_status status = verify_blocks(&c, &a);
    for (int i = 0; i < j->output_count; i++)
        drua_zarr_close(c.files[i]);
    if (c.journal)
        journal_close(c.journal);
    return status;
}

drua_status drua_blocks_verify(const char *plan, drua_blocks_watch watch, void *payload)
{
    job j;
    journal_state state;
    DRUA_TRY(load_plan(plan, &j, &state));
    const drua_status status = verify_all(&j, &state, true, watch, payload);
    close_plan(&j, &state);
    return status;
}

/*
 * Gives outputs their names only if all blocks exist and the input has not changed since blocks read it. Until then, a
 * run can repeat lost blocks.
 */
static drua_status verify_and_finish(job *j, const journal_state *state, bool verify, watcher *a)
{
    DRUA_TRY(all_done(j, state));
    if (verify && !job_is_finished(j))
        DRUA_TRY(job_check_input(j, NULL));
    for (int i = 0; i < j->output_count && !verify; i++)
        /* the image with the final name may be the one that the plan replaces */
        verify = (!is_written(j, i) || is_remnant(j, i)) && !journal_is_finished(j->folder);
    DRUA_TRY(verify_all(j, state, verify, a->watch, a->payload));
    return finish_outputs(j, a);
}

/* ---- concurrent finishing */

static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){0, 100000000}, NULL);
}

/* Ignores a failure if it happened because another process finishes the same plan within two seconds. */
static drua_status judge_failure(const job *j, const bool *open, drua_status status)
{
    enum { ATTEMPTS = 20 };
    char message[1024];
    bool was_open = false, named = false, finished = false;
    snprintf(message, sizeof message, "%s", drua_error_text());
    for (int attempt = 0; attempt < ATTEMPTS && !finished; attempt++) {
        if (attempt)
            wait_a_moment();
        for (int i = 0; i < j->output_count; i++) {
            was_open |= open[i];
            named |= open[i] && !is_written(j, i) && !job_makes_tiff(j) && has_final_name(j, i);
        }
        finished = was_open && journal_is_finished(j->folder);
    }
    for (int i = 0; i < j->output_count && finished; i++)
        discard_remnant(j, i);
    if (finished)
        return DRUA_OK;
    return named ? drua_fail(DRUA_E_CANCELLED,
                             "another process is finishing the plan '%.600s'; run the same command again after that "
                             "process has ended",
                             j->path)
                 : drua_fail(status, "%s", message);
}

drua_status drua_blocks_finish(const char *plan, bool verify, drua_blocks_watch watch, void *payload)
{
    job j;
    journal_state state;
    bool open[JOB_OUTPUTS] = {false};
    DRUA_TRY(load_plan(plan, &j, &state));
    watcher a = {watch, payload, drua_seconds(), {.what = "levels", .limit = "compute"}};
    for (int i = 0; i < j.output_count; i++)
        open[i] = is_unfinished(&j, i);
    drua_status status = verify_and_finish(&j, &state, verify, &a);
    if (status == DRUA_E_ARGUMENT || status == DRUA_E_AWAY)
        status = judge_failure(&j, open, status);
    if (status == DRUA_OK)
        status = finish_rest(&j, &state);
    close_plan(&j, &state);
    return status;
}
