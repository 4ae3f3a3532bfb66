/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of all pixels, block by block: each is a pass over the input. */
#include "block_passes.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <math.h>
#include <string.h>

/* Counts of a block are exact in float32. */
enum { MOST_PIXELS = 1 << 24 };

static drua_status pass_over(job *j, const graph *g, int value, block_pass *pass)
{
    int64_t step[3];
    pass->what = "blocks measured";
    DRUA_TRY(pass_step(j, g, &value, 1, MOST_PIXELS, step));
    return pass_run(j, g, &value, 1, step, pass);
}

static double first_number(const char *operation, const drua_bound *bound)
{
    const drua_op *op = drua_find_op(operation);
    size_t i = 0;
    while (op->params[i].kind != DRUA_KIND_NUMBER_OUT)
        i++;
    return bound[i].number_result;
}

/* ---- one number of each block, or several */

enum { NUMBERS = 2 };

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
    const merged_number *how[NUMBERS];
    int count;
    double numbers[NUMBERS];
    bool any;
} merging;

static drua_status look_for_numbers(evaluator *e, drua_value *const *images, void *payload, void **found)
{
    const merging *m = payload;
    double *numbers = drua_alloc(NUMBERS * sizeof *numbers);
    drua_status status = numbers ? DRUA_OK : drua_fail_memory(NUMBERS * sizeof *numbers);
    for (int i = 0; i < m->count && status == DRUA_OK; i++) {
        drua_bound bound[DRUA_PLAN_PARAMS];
        status = pass_call(e, m->how[i]->of_block, images[0], NULL, 0, DRUA_NO_TYPE, bound);
        if (status == DRUA_OK)
            numbers[i] = first_number(m->how[i]->of_block, bound);
    }
    if (status == DRUA_OK)
        *found = numbers;
    else
        drua_free(numbers);
    return status;
}

static drua_status add_numbers(void *found, void *payload)
{
    merging *m = payload;
    for (int i = 0; i < m->count; i++) {
        const double number = ((const double *)found)[i], before = m->numbers[i];
        const merge how = m->how[i]->merge;
        m->numbers[i] = !m->any ? number : how == LEAST ? fmin(before, number) : how == MOST ? fmax(before, number) : before + number;
    }
    m->any = true;
    return DRUA_OK;
}

static drua_status measure_numbers(job *j, const graph *g, merging *m, int value)
{
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    DRUA_TRY(pass_over(j, g, value, &(block_pass){.look = look_for_numbers, .add = add_numbers, .payload = m}));
    for (int i = 0; i < m->count; i++)
        m->numbers[i] /= m->how[i]->merge == AVERAGE ? drua_box_pixels(&all) : 1;
    return DRUA_OK;
}

static drua_status measure_number(job *j, const graph *g, const char *what, int value, double *number)
{
    merging m = {.how = {find(what)}, .count = 1};
    const drua_status status = measure_numbers(j, g, &m, value);
    *number = m.numbers[0];
    return status;
}

/* ---- thresholds: the histograms of blocks over the range of the image */

enum { BINS = 256 };

typedef struct counting {
    double range[2];
    double counts[BINS];
} counting;

static drua_status look_for_histogram(evaluator *e, drua_value *const *images, void *payload, void **found)
{
    const counting *c = payload;
    const double numbers[] = {BINS, c->range[0], c->range[1], 0};
    drua_bound bound[DRUA_PLAN_PARAMS];
    float *counts = drua_alloc(BINS * sizeof *counts);
    if (!counts)
        return drua_fail_memory(BINS * sizeof *counts);
    drua_status status = pass_call(e, "histogram", images[0], numbers, 4, DRUA_NO_TYPE, bound);
    if (status == DRUA_OK) {
        drua_value *line = bound[1].result;
        status = drua_value_download(&e->engine, line, &(drua_planes){.payload = (void *[]){counts}});
        drua_value_release(&e->engine, line);
    }
    if (status == DRUA_OK)
        *found = counts;
    else
        drua_free(counts);
    return status;
}

static drua_status add_histogram(void *found, void *payload)
{
    counting *c = payload;
    for (int i = 0; i < BINS; i++)
        c->counts[i] += (double)((const float *)found)[i];
    return DRUA_OK;
}

static drua_status measure_histogram(job *j, const graph *g, const drua_op *op, const char *text, int value, double *number)
{
    counting c = {.range = {0, 255}};
    if (g->values[value].image->type != DRUA_UINT8) {
        merging m = {.how = {find("minimum_of_all_pixels"), find("maximum_of_all_pixels")}, .count = 2};
        DRUA_TRY(measure_numbers(j, g, &m, value));
        memcpy(c.range, m.numbers, sizeof c.range);
    }
    DRUA_TRY(pass_over(j, g, value, &(block_pass){.look = look_for_histogram, .add = add_histogram, .payload = &c}));
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
