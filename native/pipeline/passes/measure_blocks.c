/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures numbers over all pixels, block by block, in passes over the input. */
#include "passes.h"
#include "block_passes.h"
#include "pass_parts.h"
#include "percentile_pass.h"

#include "error.h"
#include "registry.h"

#include <math.h>
#include <string.h>

/* Counts up to this many pixels are exact in float32. */
enum { MAX_PIXELS = 1 << 24 };

static drua_status pass_over(job *j, const graph *g, int value, block_pass *pass)
{
    const drua_shape c = source_metadata(j->source)->chunk;
    const int64_t chunk[] = {c.width, c.height, c.depth};
    const block_limits limits = job_limits(j);
    int64_t step[3];
    pass->what = "blocks measured";
    pass->store.number = -1;
    DRUA_TRY(choose_pass_slab(g, &value, 1, &limits, chunk, MAX_PIXELS, step));
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

/* ---- one or more numbers for each block */

enum { NUMBERS = 2 };

typedef enum merge { ADD, MINIMUM, MAXIMUM, AVERAGE } merge;

/* The rule that merges the numbers of blocks to that of the image. */
typedef struct merged_number {
    const char *what, *of_block;
    merge merge;
} merged_number;

static const merged_number *find_merge_rule(const char *what)
{
    static const merged_number table[] = {{"sum_of_all_pixels", "sum_of_all_pixels", ADD},
                                          {"mean_of_all_pixels", "sum_of_all_pixels", AVERAGE},
                                          {"minimum_of_all_pixels", "minimum_of_all_pixels", MINIMUM},
                                          {"maximum_of_all_pixels", "maximum_of_all_pixels", MAXIMUM},
                                          {NULL, NULL, ADD}};
    const merged_number *m = table;
    while (m->what && strcmp(m->what, what))
        m++;
    return m->what ? m : NULL;
}

typedef struct merging {
    const merged_number *how[NUMBERS];
    int count;
    bool finite; /* leaves out infinite pixels */
    double numbers[NUMBERS];
    bool any;
} merging;

static drua_status combine(evaluator *e, const char *operation, drua_value *a, drua_value *b, drua_value **made)
{
    drua_bound bound[DRUA_PLAN_PARAMS] = {
        {.value = a, .is_set = true}, {.value = b, .is_set = true}, {.type = DRUA_FLOAT32, .is_set = true}};
    const drua_status status = drua_engine_call(&e->engine, drua_find_op(operation), bound, NULL);
    *made = bound[2].result;
    return status;
}

/* Makes the infinite pixels of a copy NaN, which extremes ignore: an infinity minus itself is NaN. */
static drua_status without_infinities(evaluator *e, drua_value *image, drua_value **finite)
{
    drua_value *zeros = NULL;
    drua_status status = combine(e, "subtract_images", image, image, &zeros);
    if (status == DRUA_OK)
        status = combine(e, "add_images", image, zeros, finite);
    drua_value_release(&e->engine, zeros);
    return status;
}

static drua_status measure_block_numbers(evaluator *e, drua_value *const *images, void *payload, drua_bytes *found)
{
    const merging *m = payload;
    double numbers[NUMBERS] = {0};
    drua_value *finite = NULL;
    drua_status status = DRUA_OK;
    if (m->finite && drua_value_type(images[0]) == DRUA_FLOAT32)
        status = without_infinities(e, images[0], &finite);
    for (int i = 0; i < m->count && status == DRUA_OK; i++) {
        drua_bound bound[DRUA_PLAN_PARAMS];
        status = pass_call(e, m->how[i]->of_block, finite ? finite : images[0], NULL, 0, DRUA_NO_TYPE, bound);
        if (status == DRUA_OK)
            numbers[i] = first_number(m->how[i]->of_block, bound);
    }
    drua_value_release(&e->engine, finite);
    return status == DRUA_OK ? pass_bytes(numbers, sizeof numbers, found) : status;
}

/* Checks the length, because a result that another process stored may have any length. */
static drua_status take_bytes(const drua_bytes *bytes, void *to, size_t length)
{
    if (bytes->length != length)
        return drua_fail(DRUA_E_ARGUMENT,
                         "a result of a pass has %zu bytes instead of %zu; make the plan again with --anew",
                         bytes->length, length);
    memcpy(to, bytes->data, length);
    return DRUA_OK;
}

static drua_status add_numbers(const drua_bytes *found, void *payload)
{
    merging *m = payload;
    double numbers[NUMBERS];
    DRUA_TRY(take_bytes(found, numbers, sizeof numbers));
    for (int i = 0; i < m->count; i++) {
        const double number = numbers[i], before = m->numbers[i];
        const merge how = m->how[i]->merge;
        if (!m->any)
            m->numbers[i] = number;
        else if (how == MINIMUM)
            m->numbers[i] = fmin(before, number);
        else if (how == MAXIMUM)
            m->numbers[i] = fmax(before, number);
        else
            m->numbers[i] = before + number;
    }
    m->any = true;
    return DRUA_OK;
}

static drua_status save_numbers(const void *payload, drua_bytes *joined)
{
    const merging *m = payload;
    return pass_bytes(m->numbers, sizeof m->numbers, joined);
}

static drua_status load_numbers(void *payload, const drua_bytes *joined)
{
    merging *m = payload;
    return take_bytes(joined, m->numbers, sizeof m->numbers);
}

static drua_status measure_numbers(job *j, const graph *g, merging *m, int value)
{
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    block_pass pass = {
        .measure = measure_block_numbers, .add = add_numbers, .save = save_numbers, .load = load_numbers, .payload = m};
    DRUA_TRY(pass_over(j, g, value, &pass));
    for (int i = 0; i < m->count; i++)
        m->numbers[i] /= m->how[i]->merge == AVERAGE ? drua_box_pixels(&all) : 1;
    return DRUA_OK;
}

static drua_status measure_number(job *j, const graph *g, const char *what, int value, double *number)
{
    merging m = {.how = {find_merge_rule(what)}, .count = 1};
    const drua_status status = measure_numbers(j, g, &m, value);
    *number = m.numbers[0];
    return status;
}

/* ---- thresholds, from the histograms of blocks over the range of the image */

enum { BINS = 256 };

typedef struct counting {
    double range[2];
    double counts[BINS];
} counting;

static drua_status count_histogram(evaluator *e, drua_value *const *images, void *payload, drua_bytes *found)
{
    const counting *c = payload;
    const double numbers[] = {BINS, c->range[0], c->range[1], 0};
    drua_bound bound[DRUA_PLAN_PARAMS];
    float counts[BINS];
    drua_status status = pass_call(e, "histogram", images[0], numbers, 4, DRUA_NO_TYPE, bound);
    if (status == DRUA_OK) {
        drua_value *line = bound[1].result;
        status = drua_value_download(&e->engine, line, &(drua_planes){.payload = (void *[]){counts}});
        drua_value_release(&e->engine, line);
    }
    return status == DRUA_OK ? pass_bytes(counts, sizeof counts, found) : status;
}

static drua_status add_histogram(const drua_bytes *found, void *payload)
{
    counting *c = payload;
    float counts[BINS];
    DRUA_TRY(take_bytes(found, counts, sizeof counts));
    for (int i = 0; i < BINS; i++)
        c->counts[i] += (double)counts[i];
    return DRUA_OK;
}

static drua_status save_histogram(const void *payload, drua_bytes *joined)
{
    const counting *c = payload;
    return pass_bytes(c->counts, sizeof c->counts, joined);
}

static drua_status load_histogram(void *payload, const drua_bytes *joined)
{
    counting *c = payload;
    return take_bytes(joined, c->counts, sizeof c->counts);
}

static drua_status measure_histogram(job *j, const graph *g, const drua_op *op, int choice, int value, double *number)
{
    counting c = {.range = {0, 255}};
    block_pass pass = {.measure = count_histogram,
                       .add = add_histogram,
                       .save = save_histogram,
                       .load = load_histogram,
                       .payload = &c};
    if (g->values[value].image->type != DRUA_UINT8) {
        merging m = {.how = {find_merge_rule("minimum_of_all_pixels"), find_merge_rule("maximum_of_all_pixels")},
                     .count = 2,
                     .finite = true};
        DRUA_TRY(measure_numbers(j, g, &m, value));
        memcpy(c.range, m.numbers, sizeof c.range);
    }
    DRUA_TRY(pass_over(j, g, value, &pass));
    if (j->passes != PASSES_COUNTED)
        *number = op->number_from_histogram(c.counts, choice, c.range[0], c.range[1]);
    return DRUA_OK;
}

static drua_status measure_percentiles(job *j, const graph *g, const drua_bound *bound, int value,
                                       double numbers[DRUA_SELECTED])
{
    const double percents[] = {bound[1].number, bound[2].number};
    percentile_pass *counted = percentile_pass_new(g->values[value].image->type, percents);
    if (!counted)
        return DRUA_E_MEMORY;
    drua_status status = DRUA_OK;
    while (percentile_pass_is_next(counted) && status == DRUA_OK) {
        block_pass pass = {0};
        percentile_pass_begin(counted, &pass);
        status = pass_over(j, g, value, &pass);
        if (status == DRUA_OK)
            percentile_pass_end(counted);
    }
    percentile_pass_numbers(counted, numbers);
    percentile_pass_free(counted);
    return status;
}

/* While passes are only counted, this placeholder is larger than every background. */
static const double UNKNOWN = 1e30;

drua_status job_measure(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                        double numbers[GRAPH_NUMBERS])
{
    const job *j = payload;
    drua_status status;
    if (value != GRAPH_NONE && op->number_from_histogram)
        status = measure_histogram(payload, g, op, (int)bound[1].number, value, numbers);
    else if (value != GRAPH_NONE && find_merge_rule(op->name))
        status = measure_number(payload, g, op->name, value, numbers);
    else if (value != GRAPH_NONE && !strcmp(op->name, "percentiles_of_all_pixels"))
        status = measure_percentiles(payload, g, bound, value, numbers);
    else
        return drua_fail(
            DRUA_E_UNSUPPORTED,
            "needs a number of the whole image that blocks cannot measure; write the number into the pipeline");
    for (int i = 0; i < GRAPH_NUMBERS && j->passes == PASSES_COUNTED; i++)
        numbers[i] = UNKNOWN;
    return status;
}
