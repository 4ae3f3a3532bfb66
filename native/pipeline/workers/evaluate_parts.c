/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes a block that is too large for its device in parts. */
#include "evaluate.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

enum { MAX_OUTPUTS = 8 };

/* Copies the pixels in the intersection of two boxes; both arrays are dense. */
static void copy_shared(const drua_box *from_box, const char *from, const drua_box *to_box, char *to, size_t size)
{
    int64_t first[3], end[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = from_box->first[axis] > to_box->first[axis] ? from_box->first[axis] : to_box->first[axis];
        end[axis] = from_box->end[axis] < to_box->end[axis] ? from_box->end[axis] : to_box->end[axis];
    }
    for (int64_t z = first[2]; z < end[2]; z++)
        for (int64_t y = first[1]; y < end[1]; y++) {
            const int64_t a =
                ((z - from_box->first[2]) * box_side(from_box, 1) + y - from_box->first[1]) * box_side(from_box, 0) +
                first[0] - from_box->first[0];
            const int64_t b =
                ((z - to_box->first[2]) * box_side(to_box, 1) + y - to_box->first[1]) * box_side(to_box, 0) + first[0] -
                to_box->first[0];
            memcpy(to + (size_t)b * size, from + (size_t)a * size, (size_t)(end[0] - first[0]) * size);
        }
}

static size_t size_of(const graph *g, int value)
{
    return drua_type_size(g->values[value].image->type);
}

static drua_status cut_inputs(const evaluation *v, const block_boxes *own, block_inputs *parts)
{
    const graph *g = v->graph;
    for (int i = 0; i < graph_inputs(g); i++) {
        const int value = graph_input(g, i);
        const size_t bytes = (size_t)drua_box_pixels(&own->have[value]) * size_of(g, value);
        if (!own->used[value])
            continue;
        parts->pixels[i] = block_memory_take(NULL, bytes);
        if (!parts->pixels[i])
            return drua_fail_memory(bytes);
        copy_shared(&v->boxes->have[value], v->in->pixels[i], &own->have[value], parts->pixels[i], size_of(g, value));
    }
    return DRUA_OK;
}

/* Crops the block's inputs for one half, computes the half, and copies its results to their places in the block's. */
static drua_status evaluate_half(evaluator *e, const evaluation *v, const drua_box *half, void *const *made,
                                 block_seconds *seconds, int *parts)
{
    block_boxes own;
    block_inputs cut = {.pixels = {NULL}};
    evaluation of_half = *v;
    of_half.boxes = &own;
    of_half.in = &cut;
    void *results[MAX_OUTPUTS] = {NULL};
    drua_status status = boxes_find(v->graph, v->outputs, v->output_count, half, &own);
    if (status == DRUA_OK)
        status = cut_inputs(v, &own, &cut);
    for (int i = 0; i < v->output_count && status == DRUA_OK; i++) {
        const size_t bytes = (size_t)drua_box_pixels(half) * size_of(v->graph, v->outputs[i]);
        results[i] = drua_alloc(bytes);
        status = results[i] ? DRUA_OK : drua_fail_memory(bytes);
    }
    if (status == DRUA_OK)
        status = evaluate_in_parts(e, &of_half, results, seconds, parts);
    for (int i = 0; i < v->output_count; i++) {
        if (status == DRUA_OK)
            copy_shared(half, results[i], &v->boxes->wanted, made[i], size_of(v->graph, v->outputs[i]));
        drua_free(results[i]);
    }
    inputs_free(&cut);
    boxes_free(&own);
    return status;
}

drua_status evaluate_in_parts(evaluator *e, const evaluation *v, void *const *made, block_seconds *seconds, int *parts)
{
    enum { SMALLEST = 4096 };
    const drua_box *wanted = &v->boxes->wanted;
    const drua_status status = evaluate_block(e, v, made, seconds);
    drua_box halves[2];
    int axis = 0;
    if (status != DRUA_E_MEMORY || drua_box_pixels(wanted) <= SMALLEST) {
        *parts += status == DRUA_OK;
        return status;
    }
    for (int k = 1; k < 3; k++)
        axis = box_side(wanted, k) >= box_side(wanted, axis) ? k : axis;
    drua_box_halve(wanted, axis, halves);
    DRUA_TRY(evaluate_half(e, v, &halves[0], made, seconds, parts));
    return evaluate_half(e, v, &halves[1], made, seconds, parts);
}
