/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of all pixels, block by block: each is a pass over the input. */
#include "job.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <math.h>
#include <string.h>

/* What is done with the pixels of each block. */
typedef struct pass {
    drua_status (*take)(evaluator *e, drua_value *image, void *result);
    void *result;
} pass;

/* ---- passes */

static drua_status take_block(job *j, const graph *g, int value, const block_boxes *b, const pass *p)
{
    block_seconds seconds = {0};
    drua_value *image = NULL;
    const drua_box *read = &b->have[g->input];
    const size_t bytes = (size_t)drua_box_pixels(read) * drua_type_size(g->values[g->input].image->type);
    void *pixels = drua_alloc(bytes);
    if (!pixels)
        return drua_fail_memory(bytes);
    drua_status status = source_read(j->source, j->volume % j->channels, j->volume / j->channels, read, pixels);
    if (status == DRUA_OK)
        status = evaluate_values(&j->main, g, &value, 1, b, pixels, &image, &seconds);
    pthread_mutex_lock(&j->main.lock);
    if (status == DRUA_OK)
        status = p->take(&j->main, image, p->result);
    drua_value_release(&j->main.engine, image);
    pthread_mutex_unlock(&j->main.lock);
    drua_free(pixels);
    return status;
}

/* Counts of a block are exact in float32. */
static void limit_step(int64_t step[3])
{
    enum { MOST_PIXELS = 1 << 24 };
    while (step[0] * step[1] * step[2] > MOST_PIXELS) {
        const int longest = step[2] > step[1] && step[2] > step[0] ? 2 : step[1] > step[0] ? 1 : 0;
        step[longest] = (step[longest] + 1) / 2;
    }
}

static drua_status run_pass(job *j, const graph *g, int value, const pass *p)
{
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    const block_limits limits = job_limits(j);
    int64_t step[3] = {0};
    block_bytes bytes;
    DRUA_TRY(choose_block(g, &value, 1, &limits, step, &bytes));
    limit_step(step);
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < drua_box_parts(&all, step) && status == DRUA_OK; i++) {
        const drua_box box = drua_box_part(&all, step, i);
        block_boxes b;
        status = boxes_find(g, &value, 1, &box, &b);
        if (status == DRUA_OK)
            status = take_block(j, g, value, &b, p);
        boxes_free(&b);
    }
    return status;
}

/* Calls an operation on an image with numbers behind it. */
static drua_status call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count, drua_bound bound[DRUA_PLAN_PARAMS])
{
    const drua_op *op = drua_find_op(operation);
    memset(bound, 0, DRUA_PLAN_PARAMS * sizeof *bound);
    bound[0].value = image;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_kind kind = op->params[i].kind;
        bound[i].is_set = true;
        if ((kind == DRUA_KIND_NUMBER || kind == DRUA_KIND_INTEGER || kind == DRUA_KIND_BOOLEAN) && count > 0) {
            bound[i].number = *numbers++;
            count--;
        }
    }
    return drua_engine_call(&e->engine, op, bound, NULL);
}

static double first_number(const char *operation, const drua_bound *bound)
{
    const drua_op *op = drua_find_op(operation);
    size_t i = 0;
    while (op->params[i].kind != DRUA_KIND_NUMBER_OUT)
        i++;
    return bound[i].number_result;
}

/* ---- one number of each block */

typedef enum merge { ADD, LEAST, MOST, AVERAGE } merge;

/* How the numbers of blocks make that of the image. */
typedef struct merged_number {
    const char *what, *of_block;
    merge merge;
} merged_number;

static const merged_number *find(const char *what)
{
    static const merged_number table[] = {{"sum_of_all_pixels", "sum_of_all_pixels", ADD},
                                          {"mean_of_all_pixels", "sum_of_all_pixels", AVERAGE},
                                          {"minimum_of_all_pixels", "minimum_of_all_pixels", LEAST},
                                          {"maximum_of_all_pixels", "maximum_of_all_pixels", MOST},
                                          {NULL, NULL, ADD}};
    const merged_number *m = table;
    while (m->what && strcmp(m->what, what))
        m++;
    return m->what ? m : NULL;
}

typedef struct merging {
    const merged_number *how;
    double number;
    bool any;
} merging;

static drua_status take_number(evaluator *e, drua_value *image, void *result)
{
    merging *m = result;
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(call(e, m->how->of_block, image, NULL, 0, bound));
    const double number = first_number(m->how->of_block, bound);
    m->number = !m->any ? number : m->how->merge == LEAST ? fmin(m->number, number) : m->how->merge == MOST ? fmax(m->number, number) : m->number + number;
    m->any = true;
    return DRUA_OK;
}

static drua_status measure_number(job *j, const graph *g, const char *what, int value, double *number)
{
    merging m = {.how = find(what)};
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    DRUA_TRY(run_pass(j, g, value, &(pass){take_number, &m}));
    *number = m.how->merge == AVERAGE ? m.number / drua_box_pixels(&all) : m.number;
    return DRUA_OK;
}

/* ---- thresholds: the histograms of blocks over the range of the image */

enum { BINS = 256 };

typedef struct counting {
    double range[2];
    double counts[BINS];
} counting;

static drua_status take_histogram(evaluator *e, drua_value *image, void *result)
{
    counting *c = result;
    const double numbers[] = {BINS, c->range[0], c->range[1], 0};
    float counts[BINS];
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(call(e, "histogram", image, numbers, 4, bound));
    drua_value *line = bound[1].result;
    const drua_status status = drua_value_download(&e->engine, line, &(drua_planes){.payload = (void *[]){counts}});
    drua_value_release(&e->engine, line);
    for (int i = 0; i < BINS && status == DRUA_OK; i++)
        c->counts[i] += (double)counts[i];
    return status;
}

static drua_status measure_histogram(job *j, const graph *g, const drua_op *op, const char *text, int value, double *number)
{
    counting c = {.range = {0, 255}};
    if (g->values[value].image->type != DRUA_UINT8) {
        DRUA_TRY(measure_number(j, g, "minimum_of_all_pixels", value, &c.range[0]));
        DRUA_TRY(measure_number(j, g, "maximum_of_all_pixels", value, &c.range[1]));
    }
    DRUA_TRY(run_pass(j, g, value, &(pass){take_histogram, &c}));
    *number = op->of_histogram(c.counts, text, c.range[0], c.range[1]);
    return DRUA_OK;
}

drua_status job_measure(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value, double *number)
{
    if (value != GRAPH_NONE && op->of_histogram)
        return measure_histogram(payload, g, op, bound[1].text, value, number);
    if (value != GRAPH_NONE && find(op->name))
        return measure_number(payload, g, op->name, value, number);
    return drua_fail(DRUA_E_UNSUPPORTED, "needs a number of the whole image that blocks do not give");
}
