/* SPDX-License-Identifier: BSD-3-Clause */
#include "block_passes.h"

#include "alloc.h"
#include "c_locale.h"
#include "clock.h"
#include "error.h"
#include "queue.h"
#include "registry.h"

#include <inttypes.h>
#include <string.h>

enum { PASS_VALUES = 2, PASS_SENTENCE = 2048 };

/* A block that is read. */
typedef struct pass_work {
    int64_t number;
    drua_box box;
    block_boxes boxes;
    block_inputs in;
    drua_status status;
    char sentence[PASS_SENTENCE];
} pass_work;

typedef struct passing {
    job *job;
    const graph *graph;
    const int *values;
    int count;
    const int64_t *step;
    const block_pass *pass;
    drua_box all;
    int64_t blocks;
    block_queue ready;
    pthread_mutex_t lock; /* of the next one */
    bool stop;
    drua_blocks_progress progress;
    double begun;
} passing;

static bool stops(passing *p, bool now)
{
    pthread_mutex_lock(&p->lock);
    p->stop |= now;
    const bool stop = p->stop;
    pthread_mutex_unlock(&p->lock);
    return stop;
}

static bool is_done(const passing *p, int64_t number)
{
    return p->pass->is_done && p->pass->is_done(number, p->pass->payload);
}

static void free_work(pass_work *w)
{
    boxes_free(&w->boxes);
    inputs_free(&w->in);
    drua_free(w);
}

static void *read_blocks(void *payload)
{
    passing *p = payload;
    job *j = p->job;
    drua_locale_enter();
    for (int64_t number = 0; number < p->blocks && !stops(p, false); number++) {
        if (is_done(p, number))
            continue;
        pass_work *w = drua_alloc(sizeof *w);
        if (!w)
            break; /* the block is missed at the end */
        w->number = number;
        w->box = drua_box_part(&p->all, p->step, number);
        w->status = boxes_find(p->graph, p->values, p->count, &w->box, &w->boxes);
        if (w->status == DRUA_OK)
            w->status = inputs_read(j->source, p->graph, j->volume % j->channels, j->volume / j->channels, &w->boxes, &w->in);
        if (w->status != DRUA_OK)
            drua_copy_start(w->sentence, drua_error_text(), PASS_SENTENCE);
        queue_put(&p->ready, w);
    }
    queue_end(&p->ready);
    drua_locale_leave();
    return NULL;
}

static drua_status tell(passing *p)
{
    p->progress.done++;
    p->progress.made++;
    p->progress.seconds = drua_seconds() - p->begun;
    if (!p->job->watch || p->job->watch(p->job->payload, &p->progress))
        return DRUA_OK;
    return drua_fail(DRUA_E_CANCELLED, "stopped at block %" PRId64 " of %" PRId64 " that are measured first; give the same command again",
                     p->progress.done, p->progress.blocks);
}

static drua_status take(passing *p, pass_work *w)
{
    job *j = p->job;
    drua_value *images[PASS_VALUES] = {NULL};
    block_seconds seconds = {0};
    if (w->status != DRUA_OK)
        return drua_fail(w->status, "%s", w->sentence);
    drua_status status = evaluate_values(&j->main, p->graph, p->values, p->count, &w->boxes, &w->in, images, &seconds);
    pthread_mutex_lock(&j->main.lock);
    if (status == DRUA_OK)
        status = p->pass->take(j, images, &w->box, w->number, p->pass->payload);
    for (int i = 0; i < p->count; i++)
        drua_value_release(&j->main.engine, images[i]);
    pthread_mutex_unlock(&j->main.lock);
    return status == DRUA_OK ? tell(p) : status;
}

static drua_status take_all(passing *p)
{
    drua_status status = DRUA_OK;
    for (pass_work *w; (w = queue_take(&p->ready)) != NULL; free_work(w)) {
        if (status == DRUA_OK)
            status = take(p, w);
        if (status != DRUA_OK)
            stops(p, true);
    }
    if (status == DRUA_OK && p->progress.done < p->progress.blocks)
        return drua_fail_memory(sizeof(pass_work));
    return status;
}

drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *pass)
{
    passing p = {.job = j, .graph = g, .values = values, .count = count, .step = step, .pass = pass, .begun = drua_seconds()};
    pthread_t reader;
    p.all = drua_box_of(g->values[values[0]].image->shape.extent);
    p.blocks = drua_box_parts(&p.all, step);
    p.progress = (drua_blocks_progress){.what = pass->what, .limit = "read", .blocks = p.blocks};
    for (int64_t number = 0; number < p.blocks; number++)
        p.progress.done += is_done(&p, number);
    if (p.progress.done == p.blocks)
        return DRUA_OK;
    pthread_mutex_init(&p.lock, NULL);
    queue_open(&p.ready, 1, 1);
    drua_status status = DRUA_OK;
    if (pthread_create(&reader, NULL, read_blocks, &p) == 0) {
        status = take_all(&p);
        pthread_join(reader, NULL);
    } else {
        status = drua_fail(DRUA_E_MEMORY, "the computer has no room for another thread");
    }
    queue_close(&p.ready);
    pthread_mutex_destroy(&p.lock);
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
