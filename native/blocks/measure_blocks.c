/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of all pixels, block by block. */
#include "job.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <math.h>
#include <string.h>

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

static drua_status number_of_block(evaluator *e, const char *operation, drua_value *image, double *number)
{
    const drua_op *op = drua_find_op(operation);
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    bound[0].given = true;
    bound[0].value = image;
    pthread_mutex_lock(&e->lock);
    const drua_status status = drua_engine_call(&e->engine, op, bound, NULL);
    pthread_mutex_unlock(&e->lock);
    for (size_t i = 0; i < op->param_count && status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_NUMBER_OUT) {
            *number = bound[i].number_result;
            break;
        }
    return status;
}

static drua_status measure_block(job *j, const graph *g, const merged_number *m, int value, const block_boxes *b, double *number)
{
    block_seconds seconds = {0};
    drua_value *image = NULL;
    const drua_box *read = &b->have[g->input];
    void *pixels = drua_alloc((size_t)drua_box_pixels(read) * drua_type_size(g->values[g->input].image->type));
    if (!pixels)
        return drua_fail_memory((size_t)drua_box_pixels(read));
    drua_status status = source_read(j->source, j->volume % j->channels, j->volume / j->channels, read, pixels);
    if (status == DRUA_OK)
        status = evaluate_values(&j->main, g, &value, 1, b, pixels, &image, &seconds);
    if (status == DRUA_OK)
        status = number_of_block(&j->main, m->of_block, image, number);
    drua_value_release(&j->main.engine, image);
    drua_free(pixels);
    return status;
}

static double merged(merge how, double a, double b)
{
    return how == LEAST ? fmin(a, b) : how == MOST ? fmax(a, b) : a + b;
}

drua_status job_measure(void *payload, const graph *g, const char *what, int value, double *number)
{
    job *j = payload;
    const merged_number *m = value == GRAPH_NONE ? NULL : find(what);
    if (!m)
        return drua_fail(DRUA_E_UNSUPPORTED, "needs a number of the whole image that blocks do not give");
    const int64_t *extent = g->values[value].image->shape.extent;
    const drua_box all = drua_box_of(extent);
    const block_limits limits = job_limits(j);
    int64_t step[3] = {0};
    block_bytes bytes;
    DRUA_TRY(choose_block(g, &value, 1, &limits, step, &bytes));
    double result = 0;
    drua_status status = DRUA_OK;
    for (int64_t i = 0; i < drua_box_parts(&all, step) && status == DRUA_OK; i++) {
        const drua_box box = drua_box_part(&all, step, i);
        block_boxes b;
        double of_block = 0;
        status = boxes_find(g, &value, 1, &box, &b);
        if (status == DRUA_OK)
            status = measure_block(j, g, m, value, &b, &of_block);
        result = i ? merged(m->merge, result, of_block) : of_block;
        boxes_free(&b);
    }
    *number = m->merge == AVERAGE ? result / drua_box_pixels(&all) : result;
    return status;
}
