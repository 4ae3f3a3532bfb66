/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels.h"

#include "alloc.h"
#include "c_locale.h"
#include "clock.h"
#include "error.h"
#include "queue.h"

#include <stdio.h>
#include <string.h>

enum { LEVEL_SENTENCE = 2048 };

/* ---- the graph of a level */

static drua_status no_number(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                             double *number)
{
    (void)payload;
    (void)g;
    (void)bound;
    (void)value;
    *number = 0;
    return drua_fail(DRUA_E_INTERNAL, "internal error: %s needs a number of the image, which levels do not have",
                     op->name);
}

static drua_status record_level(job *j, const drua_zarr_out *out, int level, graph *g)
{
    const drua_zarr_metadata *from = drua_zarr_out_metadata(out, level - 1), *to = drua_zarr_out_metadata(out, level);
    const graph_measure none = {.measure = no_number};
    char macro[200];
    int factor[3];
    script s;
    for (int axis = 0; axis < 3; axis++)
        factor[axis] = to->shape.extent[axis] < from->shape.extent[axis] ? 2 : 1;
    snprintf(macro, sizeof macro, "Ext.Drua_push(a); Ext.Drua_%s(a, b, %d, %d, %d); Ext.Drua_pull(b);",
             from->labels ? "binMode" : "binMean", factor[0], factor[1], factor[2]);
    DRUA_TRY(script_parse(macro, &s));
    const drua_status status =
        graph_record(&j->main.engine, &s, &(graph_named){.metadata = from, .channel = -1}, 1, &none, g);
    script_free(&s);
    return status;
}

/* ---- one level, box by box: one thread reads, the caller's thread computes, another thread writes */

typedef struct level_work {
    drua_zarr_box place;
    block_boxes boxes;
    block_inputs in;
    void *made;
    drua_status status;
    char sentence[LEVEL_SENTENCE];
} level_work;

typedef struct level_job {
    job *job;
    drua_zarr_out *out;
    int level;
    graph graph;
    int64_t step[3];
    drua_zarr *above;
    block_queue ready, made;
    pthread_mutex_t lock; /* protects the fields below */
    drua_status status; /* status of the first failed box */
    char sentence[LEVEL_SENTENCE];
    drua_blocks_seconds seconds;
} level_job;

static int made_value(const level_job *l)
{
    return l->graph.outputs[0].value;
}

static bool has_failed(level_job *l)
{
    pthread_mutex_lock(&l->lock);
    const bool failed = l->status != DRUA_OK;
    pthread_mutex_unlock(&l->lock);
    return failed;
}

static void fail_level(level_job *l, drua_status status, const char *sentence)
{
    pthread_mutex_lock(&l->lock);
    if (l->status == DRUA_OK) {
        l->status = status;
        drua_copy_start(l->sentence, sentence, LEVEL_SENTENCE);
    }
    pthread_mutex_unlock(&l->lock);
}

static void free_work(level_work *w)
{
    boxes_free(&w->boxes);
    inputs_free(&w->in);
    block_memory_give(w->made);
    drua_free(w);
}

static drua_status read_box(level_job *l, level_work *w)
{
    const graph *g = &l->graph;
    const int value = made_value(l);
    drua_box box;
    memcpy(box.first, w->place.first, sizeof box.first);
    memcpy(box.end, w->place.end, sizeof box.end);
    DRUA_TRY(boxes_find(g, &value, 1, &box, &w->boxes));
    const drua_box *read = &w->boxes.have[g->input];
    const size_t size = drua_type_size(g->values[value].image->type), bytes = (size_t)drua_box_pixels(read) * size;
    drua_zarr_box from = {.channel = w->place.channel, .frame = w->place.frame};
    memcpy(from.first, read->first, sizeof from.first);
    memcpy(from.end, read->end, sizeof from.end);
    w->in.pixels[0] = block_memory_take(l->job->memory, bytes);
    w->made = block_memory_take(l->job->memory, (size_t)drua_box_pixels(&box) * size);
    return w->in.pixels[0] && w->made ? drua_zarr_read(l->above, &from, w->in.pixels[0]) : drua_fail_memory(bytes);
}

/* Reads the boxes that the level still lacks; boxes that an earlier run or the blocks have written are kept. */
static void *read_boxes(void *payload)
{
    level_job *l = payload;
    const drua_zarr_metadata *f = drua_zarr_out_metadata(l->out, l->level);
    const drua_box all = drua_box_of(f->shape.extent);
    const int64_t count = drua_box_parts(&all, l->step);
    drua_locale_enter();
    for (int64_t i = 0; i < count * f->channels * f->frames && !has_failed(l); i++) {
        const drua_box box = drua_box_part(&all, l->step, i % count);
        drua_zarr_box place = {.channel = i / count % f->channels, .frame = i / count / f->channels};
        memcpy(place.first, box.first, sizeof place.first);
        memcpy(place.end, box.end, sizeof place.end);
        if (drua_zarr_has(l->out, l->level, &place))
            continue;
        const double start = drua_seconds();
        level_work *w = drua_alloc(sizeof *w);
        if (!w) {
            fail_level(l, DRUA_E_MEMORY, "host memory is full; close other programs, then run the same command again");
            break;
        }
        w->place = place;
        const drua_status status = read_box(l, w);
        if (status != DRUA_OK)
            fail_level(l, status, drua_error_text());
        l->seconds.read += drua_seconds() - start;
        if (status == DRUA_OK)
            queue_put(&l->ready, w);
        else
            free_work(w);
    }
    queue_end(&l->ready);
    drua_locale_leave();
    return NULL;
}

static void *write_boxes(void *payload)
{
    level_job *l = payload;
    drua_locale_enter();
    for (level_work *w; (w = queue_take(&l->made)) != NULL; free_work(w)) {
        const double start = drua_seconds();
        if (!has_failed(l) && drua_zarr_write(l->out, l->level, &w->place, w->made) != DRUA_OK)
            fail_level(l, DRUA_E_ARGUMENT, drua_error_text());
        l->seconds.write += drua_seconds() - start;
    }
    drua_locale_leave();
    return NULL;
}

static void compute_boxes(level_job *l)
{
    const int value = made_value(l);
    for (level_work *w; (w = queue_take(&l->ready)) != NULL;) {
        block_seconds seconds = {0};
        const evaluation v = {&l->graph, &value, 1, &w->boxes, &w->in};
        const drua_status status = has_failed(l) ? DRUA_OK : evaluate_block(&l->job->main, &v, &w->made, &seconds);
        if (status != DRUA_OK)
            fail_level(l, status, drua_error_text());
        l->seconds.compute += seconds.compute;
        l->seconds.transfer += seconds.up + seconds.down;
        inputs_free(&w->in);
        queue_put(&l->made, w);
    }
    queue_end(&l->made);
}

static drua_status run_threads(level_job *l)
{
    pthread_t reader, writer;
    queue_open(&l->ready, 1, 1);
    queue_open(&l->made, 1, 1);
    pthread_mutex_init(&l->lock, NULL);
    const bool writes = pthread_create(&writer, NULL, write_boxes, l) == 0;
    const bool reads = writes && pthread_create(&reader, NULL, read_boxes, l) == 0;
    if (!reads) {
        fail_level(l, DRUA_E_MEMORY,
                   "the computer cannot start another thread; close other programs, then run the same command again");
        queue_end(&l->ready);
    }
    compute_boxes(l);
    if (reads)
        pthread_join(reader, NULL);
    if (writes)
        pthread_join(writer, NULL);
    pthread_mutex_destroy(&l->lock);
    queue_close(&l->ready);
    queue_close(&l->made);
    return l->status == DRUA_OK ? DRUA_OK : drua_fail(l->status, "%s", l->sentence);
}

static void add_seconds(drua_blocks_seconds *to, const drua_blocks_seconds *more)
{
    to->read += more->read;
    to->transfer += more->transfer;
    to->compute += more->compute;
    to->write += more->write;
}

drua_status level_make(job *j, drua_zarr_out *out, int level, drua_blocks_seconds *split)
{
    level_job l = {.job = j, .out = out, .level = level};
    block_limits limits = job_limits(j);
    block_bytes bytes;
    memcpy(limits.file, drua_zarr_out_metadata(out, level)->file.extent, sizeof limits.file);
    drua_status status = record_level(j, out, level, &l.graph);
    if (status == DRUA_OK)
        status = choose_block(&l.graph, &l.graph.outputs[0].value, 1, &limits, l.step, &bytes);
    if (status == DRUA_OK)
        status = drua_zarr_reopen(out, level - 1, &l.above);
    if (status == DRUA_OK)
        status = run_threads(&l);
    add_seconds(split, &l.seconds);
    drua_zarr_close(l.above);
    graph_free(&l.graph);
    return status;
}

/* ---- the first smaller level, made with the blocks */

static drua_status find_box(const level_maker *m, const drua_box *block, block_boxes *boxes, drua_box *box)
{
    const int value = m->graph.outputs[0].value;
    const drua_shape from = m->graph.values[m->graph.input].image->shape, to = m->graph.values[value].image->shape;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t factor = to.extent[axis] < from.extent[axis] ? 2 : 1;
        box->first[axis] = block->first[axis] / factor;
        box->end[axis] = (block->end[axis] + factor - 1) / factor;
    }
    return boxes_find(&m->graph, &value, 1, box, boxes);
}

/* Checks whether each block covers whole files of the level, so that no file needs pixels of two blocks. */
drua_status level_maker_open(job *j, drua_zarr_out *out, level_maker *m)
{
    const drua_zarr_metadata *above = drua_zarr_out_metadata(out, 0);
    if (above->levels < 2)
        return DRUA_OK;
    const drua_zarr_metadata *f = drua_zarr_out_metadata(out, 1);
    m->works = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t factor = f->shape.extent[axis] < above->shape.extent[axis] ? 2 : 1;
        m->works &= j->text.block[axis] >= above->shape.extent[axis] ||
                    j->text.block[axis] % (factor * f->file.extent[axis]) == 0;
    }
    return m->works ? record_level(j, out, 1, &m->graph) : DRUA_OK;
}

void level_maker_close(level_maker *m)
{
    graph_free(&m->graph);
}

drua_status level_maker_make(const level_maker *m, evaluator *e, block_memory *memory, const drua_box *block,
                             void *pixels, drua_box *box, void **made)
{
    const graph *g = &m->graph;
    const int value = g->outputs[0].value;
    block_boxes boxes;
    block_seconds seconds = {0};
    block_inputs in = {.pixels = {pixels}};
    drua_status status = find_box(m, block, &boxes, box);
    const size_t bytes = (size_t)drua_box_pixels(box) * drua_type_size(g->values[value].image->type);
    *made = block_memory_take(memory, bytes);
    if (status == DRUA_OK && memcmp(&boxes.have[g->input], block, sizeof *block))
        status = drua_fail(DRUA_E_INTERNAL, "internal error: a smaller level needs pixels outside the block");
    else if (status == DRUA_OK)
        status = *made ? evaluate_block(e, &(evaluation){g, &value, 1, &boxes, &in}, made, &seconds)
                       : drua_fail_memory(bytes);
    boxes_free(&boxes);
    return status;
}
