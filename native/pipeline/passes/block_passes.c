/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_passes.h"
#include "pass_parts.h"
#include "passes.h"

#include "alloc.h"
#include "clock.h"
#include "device.h"
#include "error.h"
#include "file.h"
#include "registry.h"

#include <inttypes.h>
#include <string.h>

/* A result that waits until the results of all earlier blocks have been added. */
typedef struct waiting_result {
    drua_bytes found;
    bool present;
} waiting_result;

typedef struct pass_state {
    job *job;
    const graph *graph;
    const int *values;
    int count;
    const int64_t *step;
    const block_pass *pass;
    drua_box all;
    int64_t blocks;
    pass_results *results; /* NULL: results are added immediately */
    bool helps; /* also processes blocks of other processes' shares */
    int64_t next; /* the next block of this process's share to examine */
    bool *taken; /* blocks that this process has taken */
    uint64_t random;
    waiting_result *waiting;
    int64_t added; /* number of blocks added */
    drua_blocks_progress progress;
    drua_status status; /* status of the first failed block */
    char sentence[WORKERS_SENTENCE];
} pass_state;

static void free_block(block_item *item)
{
    pass_block *b = (pass_block *)item;
    boxes_free(&item->boxes);
    inputs_free(&item->in);
    for (int i = 0; i < PASS_VALUES; i++)
        block_memory_give(b->pixels[i]);
    drua_free(b->found.data);
    drua_free(b);
}

/* ---- reading */

static uint64_t bytes_of(const graph *g, int value, const drua_box *box)
{
    return (uint64_t)drua_box_pixels(box) * drua_type_size(g->values[value].image->type);
}

static drua_status read_inputs(pass_state *p, pass_block *b)
{
    const job *j = p->job;
    const graph *g = p->graph;
    block_item *item = &b->item;
    DRUA_TRY(boxes_find(g, p->values, p->count, &b->box, &item->boxes));
    for (int i = 0; i < graph_inputs(g); i++)
        if (item->boxes.used[graph_input(g, i)])
            item->bytes += bytes_of(g, graph_input(g, i), &item->boxes.have[graph_input(g, i)]);
    const block_sources sources = job_sources(j);
    return inputs_read(&sources, j->memory, g, j->volume % j->channels, j->volume / j->channels, &item->boxes,
                       &item->in);
}

/* Within a share, blocks are numbered consecutively over all channels and frames. */
static bool is_own(const pass_state *p, int64_t block)
{
    const drua_blocks_share *s = p->job->share;
    const int64_t number = p->job->volume * p->blocks + block;
    if (!s)
        return true;
    if (p->helps)
        return s->parts > 0 ? number % s->parts == s->part : s->end == 0;
    return number >= s->first && (s->end == 0 || number < s->end) &&
           (s->parts < 1 || (number - s->first) % s->parts == s->part);
}

static bool is_open(const pass_state *p, int64_t block)
{
    return !p->taken[block] && !(p->results && pass_results_has(p->results, block));
}

/*
 * Returns an unfinished block, starting at a random position, so that two helping processes seldom choose the same
 * block.
 */
static int64_t random_open_block(pass_state *p)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    const int64_t first = (int64_t)((p->random >> 33) % (uint64_t)p->blocks);
    for (int64_t i = 0; i < p->blocks; i++)
        if (is_open(p, (first + i) % p->blocks))
            return (first + i) % p->blocks;
    return -1;
}

/*
 * Returns the next block and marks it as taken. Skips blocks that other processes have finished since the last call. A
 * failure to read their records is reported at the end of the pass.
 */
static int64_t next_block(pass_state *p)
{
    int64_t block;
    if (p->results)
        pass_results_refresh(p->results, 1);
    while (p->next < p->blocks && !(is_own(p, p->next) && is_open(p, p->next)))
        p->next++;
    block = p->next < p->blocks ? p->next : p->helps ? random_open_block(p) : -1;
    if (block >= 0)
        p->taken[block] = true;
    return block;
}

static block_item *read_block(void *payload)
{
    pass_state *p = payload;
    const int64_t block = next_block(p);
    pass_block *b = block >= 0 ? drua_alloc(sizeof *b) : NULL;
    if (!b)
        return NULL; /* if memory is full, final_status reports the missing blocks at the end */
    b->item.block = block;
    b->pass = p->pass;
    b->own = b->box = drua_box_part(&p->all, p->step, b->item.block);
    for (int axis = 0; axis < 3 && p->pass->overlaps; axis++)
        b->box.first[axis] -= b->own.first[axis] > 0;
    const drua_status status = read_inputs(p, b);
    if (status != DRUA_OK)
        item_fail(&b->item, status);
    return &b->item;
}

/* ---- computing on a device */

/*
 * Returns the index of an input whose box equals the box of the block; -1 if a device must compute or crop the value.
 */
static int input_of(const pass_state *p, const pass_block *b, int value)
{
    const drua_box *have = &b->item.boxes.have[value];
    for (int i = 0; i < graph_inputs(p->graph); i++)
        if (graph_input(p->graph, i) == value && !memcmp(have->first, b->box.first, sizeof have->first) &&
            !memcmp(have->end, b->box.end, sizeof have->end))
            return i;
    return -1;
}

/* Computes values on a device into host memory, in parts if the device has too little memory. */
static drua_status compute_pixels(pass_state *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    int made[PASS_VALUES], count = 0, parts = 0;
    void *pixels[PASS_VALUES];
    for (int i = 0; i < p->count; i++) {
        const size_t bytes = bytes_of(p->graph, p->values[i], &b->box);
        if (input_of(p, b, p->values[i]) >= 0)
            continue;
        if (!b->pixels[i] && !(b->pixels[i] = block_memory_take(p->job->memory, bytes)))
            return drua_fail_memory(bytes);
        made[count] = p->values[i];
        pixels[count++] = b->pixels[i];
    }
    if (!count)
        return DRUA_OK;
    const evaluation v = {p->graph, made, count, &b->item.boxes, &b->item.in};
    DRUA_TRY(evaluate_in_parts(e, &v, pixels, seconds, &parts));
    if (parts > 1)
        workers_report(p->job->workers,
                       "block %" PRId64
                       " of a pass was done in %d parts because the device %s has too little memory for it",
                       b->item.block, parts, drua_device_get_info(e->device)->name);
    return DRUA_OK;
}

/*
 * Takes the pixels of each value: computed on a device or, if the value is an input, moved from it without a copy. A
 * value that occurs twice is copied.
 */
static drua_status take_pixels(pass_state *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    DRUA_TRY(compute_pixels(p, e, b, seconds));
    for (int i = 0; i < p->count; i++) {
        const int input = input_of(p, b, p->values[i]);
        const size_t bytes = bytes_of(p->graph, p->values[i], &b->box);
        if (input < 0)
            continue;
        if (i > 0 && p->values[i] == p->values[0]) {
            b->pixels[i] = block_memory_take(p->job->memory, bytes);
            if (!b->pixels[i])
                return drua_fail_memory(bytes);
            memcpy(b->pixels[i], b->pixels[0], bytes);
            continue;
        }
        b->pixels[i] = b->item.in.pixels[input];
        b->item.in.pixels[input] = NULL;
    }
    return DRUA_OK;
}

/*
 * For a block that the device cannot compute at once: computes its images in parts into host memory, then uploads them
 * whole.
 */
static drua_status compute_images_in_parts(pass_state *p, evaluator *e, pass_block *b, drua_value **images,
                                           block_seconds *seconds)
{
    drua_status status = compute_pixels(p, e, b, seconds);
    pthread_mutex_lock(&e->lock);
    for (int i = 0; i < p->count; i++) {
        const int input = input_of(p, b, p->values[i]);
        if (status == DRUA_OK)
            status = evaluator_upload(e, &b->box, p->graph->values[p->values[i]].image,
                                      input < 0 ? b->pixels[i] : b->item.in.pixels[input], &images[i]);
        block_memory_give(b->pixels[i]);
        b->pixels[i] = NULL;
    }
    pthread_mutex_unlock(&e->lock);
    return status;
}

static drua_status measure_images(pass_state *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    drua_value *images[PASS_VALUES] = {NULL};
    const evaluation v = {p->graph, p->values, p->count, &b->item.boxes, &b->item.in};
    drua_status status = evaluate_values(e, &v, images, seconds);
    if (status == DRUA_E_MEMORY)
        status = compute_images_in_parts(p, e, b, images, seconds);
    pthread_mutex_lock(&e->lock);
    const double start = drua_seconds();
    if (status == DRUA_OK)
        status = p->pass->measure(e, images, p->pass->payload, &b->found);
    seconds->compute += drua_seconds() - start;
    for (int i = 0; i < p->count; i++)
        drua_value_release(&e->engine, images[i]);
    pthread_mutex_unlock(&e->lock);
    return status;
}

static drua_status compute_block(void *payload, evaluator *e, block_item *item)
{
    pass_state *p = payload;
    pass_block *b = (pass_block *)item;
    block_seconds seconds = {0};
    const drua_status status = p->pass->measure ? measure_images(p, e, b, &seconds) : take_pixels(p, e, b, &seconds);
    item->seconds.transfer = seconds.up + seconds.down;
    item->seconds.compute = seconds.compute;
    return status;
}

/* ---- results */

/* Adds results in block order, so that sums do not depend on the order of completion. */
static drua_status add_in_order(pass_state *p, pass_block *b)
{
    drua_status status = DRUA_OK;
    p->waiting[b->item.block] = (waiting_result){b->found, true};
    b->found = (drua_bytes){0};
    for (waiting_result *e; status == DRUA_OK && p->added < p->blocks && (e = &p->waiting[p->added])->present;
         p->added++) {
        status = p->pass->add(&e->found, p->pass->payload);
        drua_free(e->found.data);
        e->found = (drua_bytes){0};
    }
    return status;
}

static void flush_results(const pass_state *p)
{
    drua_folder_settle(p->job->folder);
    pass_results_settle(p->results);
}

/*
 * Called after `keep`, so that a record is written only after the block's data. Every 32 records, flushes the data and
 * then the records to the disk.
 */
static drua_status store_result(pass_state *p, const pass_block *b)
{
    enum { BATCH = 32 };
    DRUA_TRY(pass_results_add(p->results, b->item.block, &b->found));
    if (p->progress.made % BATCH == BATCH - 1)
        flush_results(p);
    if (p->helps)
        p->progress.done = pass_results_count(p->results) - 1; /* workers_run counts the current block afterwards */
    return DRUA_OK;
}

static void take_block(void *payload, block_item *item)
{
    pass_state *p = payload;
    pass_block *b = (pass_block *)item;
    drua_status status = item->status;
    if (status == DRUA_OK && p->pass->keep)
        status = p->pass->keep(b, p->pass->payload);
    if (status == DRUA_OK && p->results)
        status = store_result(p, b);
    else if (status == DRUA_OK && p->pass->add)
        status = add_in_order(p, b);
    if (status == DRUA_OK)
        return;
    if (item->status == DRUA_OK)
        item_fail(item, status);
    workers_stop(p->job->workers);
    if (p->status == DRUA_OK) {
        p->status = item->status;
        memcpy(p->sentence, item->sentence, WORKERS_SENTENCE);
    }
}

/* ---- one pass */

/* Estimates how much host memory the blocks of one device need. */
static drua_status find_host_bytes(const pass_state *p, uint64_t *host)
{
    const drua_box box = middle_block(p->all.end, p->step);
    block_boxes boxes;
    const drua_status status = boxes_find(p->graph, p->values, p->count, &box, &boxes);
    if (status == DRUA_OK) {
        block_bytes bytes = boxes_bytes(p->graph, p->values, p->count, &boxes);
        const uint64_t found = p->pass->found_bytes * (uint64_t)drua_box_pixels(&box);
        bytes.made = bytes.made > found ? bytes.made : found;
        *host = job_host_bytes(&bytes);
    }
    boxes_free(&boxes);
    return status;
}

static drua_status final_status(const pass_state *p)
{
    const drua_blocks_progress *progress = &p->progress;
    if (p->status != DRUA_OK)
        return drua_fail(p->status, "%s", p->sentence);
    if (p->job->workers->refused)
        return drua_fail(DRUA_E_CANCELLED,
                         "stopped while measuring, at block %" PRId64 " of %" PRId64
                         "; run the same command again to continue",
                         progress->done, progress->blocks);
    for (int64_t block = 0; block < p->blocks; block++)
        if ((p->helps || is_own(p, block)) && is_open(p, block))
            return drua_fail_memory(sizeof(pass_block));
    return DRUA_OK;
}

static drua_status run_pass_blocks(pass_state *p)
{
    job *j = p->job;
    block_steps steps = {.read = read_block,
                         .compute = compute_block,
                         .take = take_block,
                         .free = free_block,
                         .payload = p,
                         .host_limit = job_host_limit(j),
                         .progress = &p->progress,
                         .watch = j->watch,
                         .watcher = j->payload};
    DRUA_TRY(find_host_bytes(p, &steps.host_bytes));
    DRUA_TRY(job_open_workers(j));
    const drua_status status = workers_run(j->workers, &steps);
    if (p->results)
        flush_results(p);
    return status == DRUA_OK ? final_status(p) : status;
}

/* Processes the unfinished blocks that this process is responsible for. */
static drua_status process_blocks(pass_state *p)
{
    const size_t taken = (size_t)p->blocks * sizeof *p->taken, waiting = (size_t)p->blocks * sizeof *p->waiting;
    drua_status status = DRUA_OK;
    p->progress = (drua_blocks_progress){.what = p->pass->what, .limit = "read"};
    p->next = 0;
    p->taken = drua_alloc(taken);
    p->waiting = p->results ? NULL : drua_alloc(waiting);
    if (!p->taken || (!p->results && !p->waiting))
        status = drua_fail_memory(taken + waiting);
    for (int64_t block = 0; block < p->blocks && status == DRUA_OK; block++)
        if (p->helps || is_own(p, block)) {
            p->progress.blocks++;
            p->progress.done += !is_open(p, block);
        }
    if (status == DRUA_OK && p->progress.done < p->progress.blocks)
        status = run_pass_blocks(p);
    for (int64_t block = 0; block < p->blocks && p->waiting; block++)
        drua_free(p->waiting[block].found.data);
    drua_free(p->waiting);
    drua_free(p->taken);
    return status;
}

/* ---- sharing between processes */

void pass_skip(job *j, int count)
{
    j->pass += count;
}

/* All channels and frames have the same passes, so only the first volume is counted. */
static drua_status count_pass(pass_state *p)
{
    job *j = p->job;
    block_plan *text = &j->text;
    if (!j->fresh || j->volume > 0)
        return DRUA_OK;
    plan_pass *grown = drua_realloc(text->passes, (size_t)(text->pass_count + 1) * sizeof *grown), *made;
    if (!grown)
        return drua_fail_memory(sizeof *grown);
    text->passes = grown;
    made = &grown[text->pass_count];
    *made = (plan_pass){.what = drua_copy_text(p->pass->what), .store = p->pass->store, .count = p->count};
    memcpy(made->values, p->values, (size_t)p->count * sizeof *made->values);
    memcpy(made->extent, p->all.end, sizeof made->extent);
    memcpy(made->step, p->step, sizeof made->step);
    text->pass_count += made->what != NULL;
    return made->what ? DRUA_OK : drua_fail_memory(1);
}

static bool is_expected(const pass_state *p)
{
    const block_plan *text = &p->job->text;
    const plan_pass *due = p->job->pass <= text->pass_count ? &text->passes[p->job->pass - 1] : NULL;
    return due && !strcmp(due->what, p->pass->what) && due->store.number == p->pass->store.number &&
           due->store.image == p->pass->store.image && !memcmp(due->extent, p->all.end, sizeof due->extent) &&
           !memcmp(due->step, p->step, sizeof due->step);
}

static drua_status wait_for_others(job *j)
{
    j->waits = true;
    return drua_fail(DRUA_E_CANCELLED,
                     "pass %d must be finished by other processes first; run the same command again later", j->pass);
}

/* Joins the results of all blocks in block order. */
static drua_status join_results(pass_state *p, const char *folder, const char *hash)
{
    drua_bytes bytes = {0};
    drua_status status = DRUA_OK;
    for (int64_t block = 0; block < p->blocks && status == DRUA_OK; block++) {
        status = pass_results_get(p->results, block, &bytes);
        if (status == DRUA_OK)
            status = p->pass->add(&bytes, p->pass->payload);
    }
    drua_free(bytes.data);
    bytes = (drua_bytes){0};
    if (status == DRUA_OK)
        status = p->pass->save(p->pass->payload, &bytes);
    if (status == DRUA_OK)
        status = pass_joined_write(folder, hash, &bytes);
    drua_free(bytes.data);
    return status;
}

/* Processes blocks until all blocks are finished or the share is done. */
static drua_status process_share(pass_state *p)
{
    DRUA_TRY(process_blocks(p));
    DRUA_TRY(pass_results_refresh(p->results, 0));
    return pass_results_count(p->results) == p->blocks ? DRUA_OK : wait_for_others(p->job);
}

static drua_status add_results_of_shares(pass_state *p)
{
    char folder[PASS_PATH], hash[DRUA_SHA256_TEXT], about[500];
    drua_bytes joined = {0};
    job *j = p->job;
    snprintf(about, sizeof about, "pass %d: %.100s %d, %d in %" PRId64 " %" PRId64 " %" PRId64 "%s", j->pass,
             p->pass->what, p->values[0], p->count > 1 ? p->values[1] : -1, p->step[0], p->step[1], p->step[2],
             p->pass->about);
    pass_folder(j->folder, j->pass, &p->pass->store, j->volume, folder);
    DRUA_TRY(pass_hash(j, p->graph, about, hash));
    if (pass_joined_read(folder, hash, &joined)) {
        const drua_status status = p->pass->load(p->pass->payload, &joined);
        drua_free(joined.data);
        return status;
    }
    drua_status status = pass_results_open(folder, hash, p->blocks, &p->results);
    if (status == DRUA_OK)
        status = process_share(p);
    if (status == DRUA_OK)
        status = join_results(p, folder, hash);
    pass_results_close(p->results);
    return status;
}

/* In a pass before the requested one, this process computes all unfinished blocks, also those of other shares. */
static drua_status process_shared_pass(pass_state *p)
{
    job *j = p->job;
    const int64_t due = j->share ? j->share->pass : 0;
    if (!is_expected(p))
        return drua_fail(DRUA_E_UNSUPPORTED, "the number of passes of this pipeline depends on the results of earlier "
                                             "passes; make the plan without --share");
    if (due && j->pass > due)
        return wait_for_others(j);
    p->helps = j->pass != due;
    p->random = drua_nanoseconds() + (uint64_t)drua_process_number();
    return p->results ? process_share(p) : add_results_of_shares(p);
}

drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3],
                     const block_pass *pass)
{
    pass_state p = {
        .job = j, .graph = g, .values = values, .count = count, .step = step, .pass = pass, .results = pass->results};
    p.all = drua_box_of(g->values[values[0]].image->shape.extent);
    DRUA_TRY(job_check_blocks(j, p.all.end, step));
    p.blocks = drua_box_parts(&p.all, step);
    pass_skip(j, 1);
    return j->passes == PASSES_COUNTED  ? count_pass(&p)
           : j->passes == PASSES_SHARED ? process_shared_pass(&p)
                                        : process_blocks(&p);
}

drua_status pass_block_extent(job *j, const graph *g, const int *values, int count, int64_t max_pixels, int64_t step[3])
{
    const block_limits limits = job_limits(j);
    block_bytes bytes;
    memset(step, 0, 3 * sizeof *step);
    DRUA_TRY(choose_block(g, values, count, &limits, step, &bytes));
    while (step[0] * step[1] * step[2] > max_pixels) {
        const int longest = step[2] > step[1] && step[2] > step[0] ? 2 : step[1] > step[0] ? 1 : 0;
        step[longest] = (step[longest] + 1) / 2;
    }
    return DRUA_OK;
}
