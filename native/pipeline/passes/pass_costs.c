/* SPDX-License-Identifier: BSD-3-Clause */
#include "passes.h"
#include "block_passes.h"
#include "pass_stores.h"

#include "alloc.h"
#include "error.h"

#include <inttypes.h>
#include <string.h>

/*
 * Costs of a pixel, in reads and writes of a float32 pixel in the device's memory: to read it from the disk, decode it
 * and send it to the device; to take it from the device, encode it and write it to the disk. Measured on GPUs with fast
 * disks; slower devices gain more from stored images.
 */
static const double READ = 55, WRITE = 150;

/* ---- costs */

static double cost_of_node(const graph *g, const block_boxes *b, int node)
{
    const drua_tile *tile = &b->tiles[node];
    const double made = drua_box_pixels(&tile->made), read = drua_box_pixels(&tile->read);
    return (made > read ? made : read) * drua_declared_effort(g->engine, g->nodes[node]->declared);
}

/* Computes the cost of some values of the whole image in blocks of extent `step`. */
static drua_status price_values(const graph *g, const int *values, int count, const int64_t step[3], double *cost)
{
    const int64_t *extent = g->values[values[0]].image->shape.extent;
    const drua_box all = drua_box_of(extent), box = middle_block(extent, step);
    block_boxes b;
    double sum = 0;
    const drua_status status = boxes_find(g, values, count, &box, &b);
    for (int node = 0; node < g->node_count && status == DRUA_OK; node++)
        if (boxes_use(g, &b, node))
            sum += cost_of_node(g, &b, node);
    for (int i = 0; i < g->value_count && status == DRUA_OK; i++)
        if (b.used[i] && boxes_is_read(g, i))
            sum += drua_box_pixels(&b.have[i]) * READ;
    boxes_free(&b);
    *cost = sum * (double)drua_box_parts(&all, step);
    return status;
}

static double pixels_of(const graph *g, int value)
{
    const drua_box all = drua_box_of(g->values[value].image->shape.extent);
    return drua_box_pixels(&all);
}

static drua_status price_pass(const graph *g, const plan_pass *p, double *cost)
{
    DRUA_TRY(price_values(g, p->values, p->count, p->step, cost));
    *cost += p->store.number >= 0 ? WRITE * pixels_of(g, p->values[0]) : 0;
    return DRUA_OK;
}

static drua_status price_results(const job *j, const int64_t step[3], double *cost)
{
    const graph *g = &j->graphs[0];
    DRUA_TRY(price_values(g, j->outputs, j->output_count, step, cost));
    for (int i = 0; i < j->output_count; i++)
        *cost += WRITE * pixels_of(g, j->outputs[i]);
    return DRUA_OK;
}

/* Computes the cost of all passes and of the results, in blocks of extent `step`. */
static drua_status price_plan(const job *j, const int64_t step[3], double *cost)
{
    DRUA_TRY(price_results(j, step, cost));
    for (int i = 0; i < j->text.pass_count; i++) {
        double one;
        DRUA_TRY(price_pass(&j->graphs[0], &j->text.passes[i], &one));
        *cost += one;
    }
    return DRUA_OK;
}

/* ---- the images to store */

/* Returns the only result of a node; GRAPH_NONE if it has several ones, or if its result is already stored. */
static int result_of(const graph *g, int node)
{
    const graph_node *n = g->nodes[node];
    int value = GRAPH_NONE, results = 0;
    for (size_t i = 0; i < n->op->param_count; i++)
        if (n->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            value = n->images[i];
            results++;
        }
    return results == 1 && !g->values[value].stored ? value : GRAPH_NONE;
}

/* Computes the cost of storing a value in `storing`, and that of all passes and results after that in `cost`. */
static drua_status price_with(job *j, const int64_t step[3], int value, double *storing, double *cost)
{
    graph *g = &j->graphs[0];
    pass_grid grid = {.store.number = -1};
    memcpy(grid.extent, g->values[value].image->shape.extent, sizeof grid.extent);
    DRUA_TRY(pass_grid_choose(j, g, value, &grid));
    DRUA_TRY(price_values(g, &value, 1, grid.step, storing));
    g->values[value].stored = true;
    const drua_status status = price_plan(j, step, cost);
    g->values[value].stored = false;
    *storing += WRITE * pixels_of(g, value);
    return status;
}

/*
 * Stores the value that saves most, if it saves a fifth of the plan's cost. `before` is the cost of storing the values
 * that are chosen already.
 */
static drua_status choose_next(job *j, const int64_t step[3], double *before, bool *found)
{
    const double enough = 0.8;
    graph *g = &j->graphs[0];
    double min = 0, before_best = *before;
    int best = GRAPH_NONE;
    DRUA_TRY(price_plan(j, step, &min));
    min = enough * (min + *before);
    for (int node = 0; node < g->node_count; node++) {
        const int value = result_of(g, node);
        double storing = 0, after = 0;
        if (value == GRAPH_NONE)
            continue;
        DRUA_TRY(price_with(j, step, value, &storing, &after));
        if (*before + storing + after < min) {
            min = *before + storing + after;
            before_best = *before + storing;
            best = node;
        }
    }
    *found = best != GRAPH_NONE;
    if (!*found)
        return DRUA_OK;
    plan_stored *stored = &j->text.stored[j->text.stored_count];
    *stored = (plan_stored){drua_copy_text(g->nodes[best]->op->name), result_of(g, best)};
    if (!stored->operation)
        return drua_fail_memory(1);
    j->text.stored_count++;
    g->values[stored->value].stored = true;
    *before = before_best;
    return DRUA_OK;
}

drua_status stored_images_choose(job *j)
{
    int64_t step[3];
    double before = 0;
    bool more = j->text.pass_count > 0;
    if (!more)
        return DRUA_OK;
    memcpy(step, j->text.requested_block, sizeof step);
    if (!step[0])
        DRUA_TRY(pass_block_extent(j, &j->graphs[0], j->outputs, j->output_count, INT64_MAX, step));
    while (more && j->text.stored_count < GRAPH_STORED)
        DRUA_TRY(choose_next(j, step, &before, &more));
    return DRUA_OK;
}

/* ---- lines for the user */

static double bytes_of(const graph *g, int value)
{
    return pixels_of(g, value) * (double)drua_type_size(g->values[value].image->type);
}

static void note_space(job *j)
{
    const graph *g = &j->graphs[0];
    const double volumes = (double)(j->channels * j->frames), mb = 1e6;
    double results = 0, work = 0;
    for (int i = 0; i < j->output_count; i++)
        results += volumes * bytes_of(g, j->outputs[i]);
    for (int i = 0; i < j->text.pass_count; i++) {
        const plan_pass *p = &j->text.passes[i];
        const double size = (double)drua_type_size(p->store.image ? p->store.image : DRUA_UINT32);
        work += p->store.number >= 0 ? volumes * pixels_of(g, p->values[0]) * size : 0;
    }
    drua_text_add(&j->costs, "disk    %.1f MB for the results", results / mb);
    if (work > 0)
        drua_text_add(&j->costs, ", %.1f MB for files of passes", work / mb);
    drua_text_add(&j->costs, ", before compression\n");
}

static void note_stored(job *j)
{
    for (int i = 0; i < j->text.stored_count; i++)
        drua_text_add(&j->costs, "stored  the result of %s, because later passes read it faster than they compute it\n",
                      j->text.stored[i].operation);
}

drua_status passes_price(job *j)
{
    const graph *g = &j->graphs[0];
    const double unit = READ * pixels_of(g, g->input);
    double cost;
    drua_text_free(&j->costs);
    for (int i = 0; i < j->text.pass_count; i++) {
        const plan_pass *p = &j->text.passes[i];
        const drua_box all = drua_box_of(p->extent);
        DRUA_TRY(price_pass(g, p, &cost));
        drua_text_add(&j->costs, "pass %d  %" PRId64 " %s, cost %.2g\n", i + 1,
                      drua_box_parts(&all, p->step) * j->channels * j->frames, p->what, cost / unit);
    }
    if (j->text.pass_count) {
        DRUA_TRY(price_results(j, j->text.block, &cost));
        drua_text_add(&j->costs, "last    %" PRId64 " blocks of the results, cost %.2g; 1 is the cost of reading IN\n",
                      j->blocks, cost / unit);
    }
    note_stored(j);
    note_space(j);
    return j->costs.failed ? drua_fail_memory(j->costs.length) : DRUA_OK;
}
