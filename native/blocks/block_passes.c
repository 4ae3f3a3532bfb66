/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_passes.h"

#include "alloc.h"
#include "clock.h"
#include "device.h"
#include "error.h"
#include "registry.h"

#include <inttypes.h>
#include <string.h>

typedef struct passing {
    job *job;
    const graph *graph;
    const int *values;
    int count;
    const int64_t *step;
    const block_pass *pass;
    drua_box all;
    int64_t next; /* block to be looked at */
    void **waiting; /* what was found in blocks before which others are missing */
    int64_t added; /* blocks */
    drua_blocks_progress progress;
    drua_status status; /* of the first block that failed */
    char sentence[CREW_SENTENCE];
} passing;

static bool is_done(const passing *p, int64_t number)
{
    return p->pass->is_done && p->pass->is_done(number, p->pass->payload);
}

static void drop(const block_pass *pass, void *found)
{
    if (pass->drop && found)
        pass->drop(found);
    else
        drua_free(found);
}

static void free_block(crew_item *item)
{
    pass_block *b = (pass_block *)item;
    boxes_free(&item->boxes);
    inputs_free(&item->in);
    for (int i = 0; i < PASS_VALUES; i++)
        drua_free(b->pixels[i]);
    drop(b->pass, b->found);
    drua_free(b);
}

/* ---- read */

static uint64_t bytes_of(const graph *g, int value, const drua_box *box)
{
    return (uint64_t)drua_box_pixels(box) * drua_type_size(g->values[value].image->type);
}

static drua_status fill(passing *p, pass_block *b)
{
    const job *j = p->job;
    const graph *g = p->graph;
    crew_item *item = &b->item;
    DRUA_TRY(boxes_find(g, p->values, p->count, &b->box, &item->boxes));
    for (int i = 0; i < graph_inputs(g); i++)
        if (item->boxes.used[graph_input(g, i)])
            item->bytes += bytes_of(g, graph_input(g, i), &item->boxes.have[graph_input(g, i)]);
    return inputs_read(j->source, g, j->volume % j->channels, j->volume / j->channels, &item->boxes, &item->in);
}

static crew_item *read_block(void *payload)
{
    passing *p = payload;
    while (p->next < p->progress.blocks && is_done(p, p->next))
        p->next++;
    pass_block *b = p->next < p->progress.blocks ? drua_alloc(sizeof *b) : NULL;
    if (!b)
        return NULL; /* where memory is full, blocks are missed at the end */
    b->item.block = p->next++;
    b->pass = p->pass;
    b->box = drua_box_part(&p->all, p->step, b->item.block);
    const drua_status status = fill(p, b);
    if (status != DRUA_OK)
        crew_fail(&b->item, status);
    return &b->item;
}

/* ---- on a device */

/* The number of an input that has just the box of the block; -1: a device makes the value, or cuts it out. */
static int input_of(const passing *p, const pass_block *b, int value)
{
    const drua_box *have = &b->item.boxes.have[value];
    for (int i = 0; i < graph_inputs(p->graph); i++)
        if (graph_input(p->graph, i) == value && !memcmp(have->first, b->box.first, sizeof have->first) &&
            !memcmp(have->end, b->box.end, sizeof have->end))
            return i;
    return -1;
}

/* Brings values that a device makes into the computer's memory, in parts where the device has too little. */
static drua_status fetch(passing *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    int made[PASS_VALUES], count = 0, parts = 0;
    void *pixels[PASS_VALUES];
    for (int i = 0; i < p->count; i++) {
        const size_t bytes = bytes_of(p->graph, p->values[i], &b->box);
        if (input_of(p, b, p->values[i]) >= 0)
            continue;
        if (!b->pixels[i] && !(b->pixels[i] = drua_alloc(bytes)))
            return drua_fail_memory(bytes);
        made[count] = p->values[i];
        pixels[count++] = b->pixels[i];
    }
    if (!count)
        return DRUA_OK;
    DRUA_TRY(evaluate_in_parts(e, p->graph, made, count, &b->item.boxes, &b->item.in, pixels, seconds, &parts));
    if (parts > 1)
        crew_say(p->job->crew, "block %" PRId64 " of a pass was done in %d parts, as the device %s had too little memory for it", b->item.block,
                 parts, drua_device_get_info(e->device)->name);
    return DRUA_OK;
}

/* What was read needs no device, and is not copied. */
static drua_status take_pixels(passing *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    DRUA_TRY(fetch(p, e, b, seconds));
    for (int i = 0; i < p->count; i++) {
        const int input = input_of(p, b, p->values[i]);
        const size_t bytes = bytes_of(p->graph, p->values[i], &b->box);
        if (input < 0)
            continue;
        if (i > 0 && p->values[i] == p->values[0]) {
            b->pixels[i] = drua_alloc(bytes);
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

/* The images of a block that is too large for the device, by way of the computer's memory. */
static drua_status make_in_parts(passing *p, evaluator *e, pass_block *b, drua_value **images, block_seconds *seconds)
{
    drua_status status = fetch(p, e, b, seconds);
    pthread_mutex_lock(&e->lock);
    for (int i = 0; i < p->count; i++) {
        const int input = input_of(p, b, p->values[i]);
        if (status == DRUA_OK)
            status =
                evaluator_upload(e, &b->box, p->graph->values[p->values[i]].image, input < 0 ? b->pixels[i] : b->item.in.pixels[input], &images[i]);
        drua_free(b->pixels[i]);
        b->pixels[i] = NULL;
    }
    pthread_mutex_unlock(&e->lock);
    return status;
}

static drua_status look(passing *p, evaluator *e, pass_block *b, block_seconds *seconds)
{
    drua_value *images[PASS_VALUES] = {NULL};
    drua_status status = evaluate_values(e, p->graph, p->values, p->count, &b->item.boxes, &b->item.in, images, seconds);
    if (status == DRUA_E_MEMORY)
        status = make_in_parts(p, e, b, images, seconds);
    pthread_mutex_lock(&e->lock);
    const double start = drua_seconds();
    if (status == DRUA_OK)
        status = p->pass->look(e, images, p->pass->payload, &b->found);
    seconds->compute += drua_seconds() - start;
    for (int i = 0; i < p->count; i++)
        drua_value_release(&e->engine, images[i]);
    pthread_mutex_unlock(&e->lock);
    return status;
}

static drua_status compute_block(void *payload, evaluator *e, crew_item *item)
{
    passing *p = payload;
    pass_block *b = (pass_block *)item;
    block_seconds seconds = {0};
    const drua_status status = p->pass->look ? look(p, e, b, &seconds) : take_pixels(p, e, b, &seconds);
    item->seconds.transfer = seconds.up + seconds.down;
    item->seconds.compute = seconds.compute;
    return status;
}

/* ---- taken */

/* Sums are the same for every order in which blocks come: a block waits for those before it. */
static drua_status add_in_order(passing *p, pass_block *b)
{
    drua_status status = DRUA_OK;
    p->waiting[b->item.block] = b->found;
    b->found = NULL;
    for (void **found; status == DRUA_OK && p->added < p->progress.blocks && *(found = &p->waiting[p->added]); p->added++) {
        status = p->pass->add(*found, p->pass->payload);
        drop(p->pass, *found);
        *found = NULL;
    }
    return status;
}

static void take_block(void *payload, crew_item *item)
{
    passing *p = payload;
    pass_block *b = (pass_block *)item;
    drua_status status = item->status;
    if (status == DRUA_OK && p->pass->keep)
        status = p->pass->keep(b, p->pass->payload);
    if (status == DRUA_OK && p->pass->add)
        status = add_in_order(p, b);
    if (status == DRUA_OK)
        return;
    if (item->status == DRUA_OK)
        crew_fail(item, status);
    crew_stop(p->job->crew);
    if (p->status == DRUA_OK) {
        p->status = item->status;
        memcpy(p->sentence, item->sentence, CREW_SENTENCE);
    }
}

/* ---- the pass */

/* Of the computer, for one device. */
static drua_status find_host_bytes(const passing *p, uint64_t *host)
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

static drua_status verdict(const passing *p)
{
    const drua_blocks_progress *progress = &p->progress;
    if (p->status != DRUA_OK)
        return drua_fail(p->status, "%s", p->sentence);
    if (p->job->crew->refused)
        return drua_fail(DRUA_E_CANCELLED, "stopped at block %" PRId64 " of %" PRId64 " that are measured first; give the same command again",
                         progress->done, progress->blocks);
    return progress->done == progress->blocks ? DRUA_OK : drua_fail_memory(sizeof(pass_block));
}

static drua_status run(passing *p)
{
    job *j = p->job;
    crew_work work = {.read = read_block,
                      .compute = compute_block,
                      .take = take_block,
                      .free = free_block,
                      .payload = p,
                      .host_limit = job_limits(j).host,
                      .progress = &p->progress,
                      .watch = j->watch,
                      .watcher = j->payload};
    DRUA_TRY(find_host_bytes(p, &work.host_bytes));
    DRUA_TRY(job_open_crew(j));
    DRUA_TRY(crew_run(j->crew, &work));
    return verdict(p);
}

drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *pass)
{
    passing p = {.job = j, .graph = g, .values = values, .count = count, .step = step, .pass = pass};
    p.all = drua_box_of(g->values[values[0]].image->shape.extent);
    p.progress = (drua_blocks_progress){.what = pass->what, .limit = "read", .blocks = drua_box_parts(&p.all, step)};
    const int64_t blocks = p.progress.blocks;
    for (int64_t number = 0; number < blocks; number++)
        p.progress.done += is_done(&p, number);
    if (p.progress.done == blocks)
        return DRUA_OK;
    p.waiting = drua_alloc((size_t)blocks * sizeof *p.waiting);
    const drua_status status = p.waiting ? run(&p) : drua_fail_memory((size_t)blocks * sizeof *p.waiting);
    for (int64_t number = 0; number < blocks && p.waiting; number++)
        drop(pass, p.waiting[number]);
    drua_free(p.waiting);
    return status;
}

drua_status pass_step(job *j, const graph *g, const int *values, int count, int64_t most_pixels, int64_t step[3])
{
    const block_limits limits = job_limits(j);
    block_bytes bytes;
    memset(step, 0, 3 * sizeof *step);
    DRUA_TRY(choose_block(g, values, count, &limits, step, &bytes));
    while (step[0] * step[1] * step[2] > most_pixels) {
        const int longest = step[2] > step[1] && step[2] > step[0] ? 2 : step[1] > step[0] ? 1 : 0;
        step[longest] = (step[longest] + 1) / 2;
    }
    return DRUA_OK;
}

drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count, drua_type type,
                      drua_bound bound[DRUA_PLAN_PARAMS])
{
    const drua_op *op = drua_find_op(operation);
    memset(bound, 0, DRUA_PLAN_PARAMS * sizeof *bound);
    bound[0].value = image;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_kind kind = op->params[i].kind;
        bound[i].is_set = true;
        if (kind == DRUA_KIND_IMAGE_OUT)
            bound[i].type = type;
        if ((kind == DRUA_KIND_NUMBER || kind == DRUA_KIND_INTEGER || kind == DRUA_KIND_BOOLEAN) && count > 0) {
            bound[i].number = *numbers++;
            count--;
        }
    }
    return drua_engine_call(&e->engine, op, bound, NULL);
}
