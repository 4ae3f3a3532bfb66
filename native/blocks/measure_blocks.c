/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of all pixels, block by block: each is a pass over the input. */
#include "block_passes.h"

#include "error.h"
#include "registry.h"

#include <math.h>
#include <string.h>

/* Counts of a block are exact in float32. */
enum { MOST_PIXELS = 1 << 24 };

static drua_status pass_over(job *j, const graph *g, int value, drua_status (*take)(job *, drua_value *const *, const drua_box *, int64_t, void *),
                             void *payload)
{
    int64_t step[3];
    DRUA_TRY(pass_step(j, g, &value, 1, MOST_PIXELS, step));
    return pass_run(j, g, &value, 1, step, &(block_pass){.take = take, .payload = payload, .what = "blocks measured"});
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

static drua_status take_number(job *j, drua_value *const *images, const drua_box *box, int64_t block, void *payload)
{
    (void)box;
    (void)block;
    merging *m = payload;
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(pass_call(&j->main, m->how->of_block, images[0], NULL, 0, DRUA_NO_TYPE, bound));
    const double number = first_number(m->how->of_block, bound);
    m->number = !m->any ? number : m->how->merge == LEAST ? fmin(m->number, number) : m->how->merge == MOST ? fmax(m->number, number) : m->number + number;
    m->any = true;
    return DRUA_OK;
}

static drua_status measure_number(job *j, const graph *g, const char *what, int value, double *number)
{
    merging m = {.how = find(what)};
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    DRUA_TRY(pass_over(j, g, value, take_number, &m));
    *number = m.how->merge == AVERAGE ? m.number / drua_box_pixels(&all) : m.number;
    return DRUA_OK;
}

/* ---- thresholds: the histograms of blocks over the range of the image */

enum { BINS = 256 };

typedef struct counting {
    double range[2];
    double counts[BINS];
} counting;

static drua_status take_histogram(job *j, drua_value *const *images, const drua_box *box, int64_t block, void *payload)
{
    (void)box;
    (void)block;
    counting *c = payload;
    evaluator *e = &j->main;
    const double numbers[] = {BINS, c->range[0], c->range[1], 0};
    float counts[BINS];
    drua_bound bound[DRUA_PLAN_PARAMS];
    DRUA_TRY(pass_call(e, "histogram", images[0], numbers, 4, DRUA_NO_TYPE, bound));
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
    DRUA_TRY(pass_over(j, g, value, take_histogram, &c));
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
