/* SPDX-License-Identifier: BSD-3-Clause */
#include "boxes.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

/* ---- boxes */

bool boxes_is_read(const graph *g, int value)
{
    bool read = g->values[value].stored;
    for (int i = 0; i < graph_inputs(g); i++)
        read |= graph_input(g, i) == value;
    return read;
}

static void extend_box(block_boxes *b, int value, const drua_box *box)
{
    if (!b->used[value]) {
        b->used[value] = true;
        b->need[value] = *box;
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        drua_box *all = &b->need[value];
        all->first[axis] = box->first[axis] < all->first[axis] ? box->first[axis] : all->first[axis];
        all->end[axis] = box->end[axis] > all->end[axis] ? box->end[axis] : all->end[axis];
    }
}

bool boxes_use(const graph *g, const block_boxes *b, int node)
{
    const graph_node *n = g->nodes[node];
    bool any = false;
    for (size_t i = 0; i < n->op->param_count; i++)
        any |= n->op->params[i].kind == DRUA_KIND_IMAGE_OUT && n->images[i] != GRAPH_NONE && b->used[n->images[i]] &&
               !g->values[n->images[i]].stored;
    return any;
}

bool boxes_read_value(const graph *g, const block_boxes *b, int value)
{
    bool any = false;
    for (int node = 0; node < g->node_count; node++)
        for (size_t i = 0; i < g->nodes[node]->op->param_count && boxes_use(g, b, node); i++)
            any |= g->nodes[node]->op->params[i].kind == DRUA_KIND_IMAGE_IN && g->nodes[node]->images[i] == value;
    return any;
}

/*
 * Computes the boxes of a node's inputs. All outputs of a node are computed together, in a box around the parts of each
 * that are needed.
 */
static drua_status require_inputs(const graph *g, block_boxes *b, int node)
{
    const graph_node *n = g->nodes[node];
    drua_box wanted = {.first = {0}};
    bool first = true;
    for (size_t i = 0; i < n->op->param_count; i++) {
        if (n->op->params[i].kind != DRUA_KIND_IMAGE_OUT || !b->used[n->images[i]])
            continue;
        const drua_box *need = &b->need[n->images[i]];
        for (int axis = 0; axis < 3; axis++) {
            wanted.first[axis] =
                first || need->first[axis] < wanted.first[axis] ? need->first[axis] : wanted.first[axis];
            wanted.end[axis] = first || need->end[axis] > wanted.end[axis] ? need->end[axis] : wanted.end[axis];
        }
        first = false;
    }
    DRUA_TRY(drua_declared_tile(n->declared, &wanted, &b->tiles[node]));
    for (size_t i = 0; i < n->op->param_count; i++) {
        drua_box box;
        if (n->images[i] == GRAPH_NONE)
            continue;
        if (n->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            b->have[n->images[i]] = b->tiles[node].made;
            continue;
        }
        DRUA_TRY(drua_declared_input(n->declared, i, &b->tiles[node], &box));
        extend_box(b, n->images[i], &box);
        if (b->last[n->images[i]] == GRAPH_NONE)
            b->last[n->images[i]] = node;
    }
    return DRUA_OK;
}

drua_status boxes_find(const graph *g, const int *outputs, int output_count, const drua_box *wanted, block_boxes *b)
{
    const size_t values = (size_t)g->value_count, nodes = (size_t)g->node_count + 1;
    *b = (block_boxes){.wanted = *wanted,
                       .need = drua_alloc(values * sizeof *b->need),
                       .have = drua_alloc(values * sizeof *b->have),
                       .used = drua_alloc(values * sizeof *b->used),
                       .last = drua_alloc(values * sizeof *b->last),
                       .tiles = drua_alloc(nodes * sizeof *b->tiles)};
    if (!b->need || !b->have || !b->used || !b->last || !b->tiles)
        return drua_fail_memory(values * sizeof *b->need);
    for (int i = 0; i < g->value_count; i++)
        b->last[i] = GRAPH_NONE;
    for (int i = 0; i < output_count; i++) {
        extend_box(b, outputs[i], wanted);
        b->last[outputs[i]] = g->node_count; /* outputs are kept to the end */
    }
    for (int node = g->node_count - 1; node >= 0; node--)
        if (boxes_use(g, b, node))
            DRUA_TRY(require_inputs(g, b, node));
    for (int i = 0; i < g->file_count; i++)
        b->have[g->files[i].value] = drua_box_of(g->values[g->files[i].value].image->shape.extent);
    for (int i = 0; i < g->value_count; i++)
        if (boxes_is_read(g, i))
            b->have[i] = b->need[i];
    return DRUA_OK;
}

void boxes_free(block_boxes *b)
{
    drua_free(b->need);
    drua_free(b->have);
    drua_free(b->used);
    drua_free(b->last);
    drua_free(b->tiles);
    *b = (block_boxes){.need = NULL};
}

/* ---- bytes */

static uint64_t bytes_of(const graph *g, int value, const drua_box *box)
{
    return (uint64_t)drua_box_pixels(box) * drua_type_size(g->values[value].image->type);
}

static void count_bytes(block_bytes *all, uint64_t live, uint64_t buffer)
{
    all->max = live > all->max ? live : all->max;
    all->largest = buffer > all->largest ? buffer : all->largest;
}

/*
 * Adds the memory of a node while it runs, and then releases values that no later node reads. A step of a filter needs
 * as much memory as it writes, in float32.
 */
static void pass_node(const graph *g, const block_boxes *b, int node, uint64_t *live, block_bytes *all)
{
    const graph_node *n = g->nodes[node];
    uint64_t scratch = drua_declared_scratch(g->engine, n->declared, &b->tiles[node]), usual = 0, freed = 0;
    for (size_t i = 0; i < n->op->param_count; i++) {
        const int value = n->images[i];
        if (value == GRAPH_NONE)
            continue;
        const uint64_t bytes = bytes_of(g, value, &b->have[value]);
        if (n->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            *live += bytes;
            usual += (uint64_t)drua_box_pixels(&b->have[value]) * sizeof(float);
            count_bytes(all, *live, bytes);
        } else if (b->last[value] == node) {
            freed += bytes;
            for (size_t k = 0; k < i; k++)
                freed -= n->images[k] == value && n->op->params[k].kind == DRUA_KIND_IMAGE_IN ? bytes : 0;
        }
    }
    scratch = n->op->expression ? 0 : scratch > usual ? scratch : usual;
    count_bytes(all, *live + scratch, 0);
    *live -= freed;
}

block_bytes boxes_bytes(const graph *g, const int *outputs, int output_count, const block_boxes *b)
{
    block_bytes all = {.read = 0};
    for (int i = 0; i < graph_inputs(g); i++) {
        const uint64_t bytes = bytes_of(g, graph_input(g, i), &b->have[graph_input(g, i)]);
        count_bytes(&all, all.read, bytes);
        all.read += bytes;
    }
    uint64_t live = all.read;
    for (int i = 0; i < g->file_count; i++)
        live += bytes_of(g, g->files[i].value, &b->have[g->files[i].value]);
    count_bytes(&all, live, 0);
    for (int node = 0; node < g->node_count; node++)
        if (boxes_use(g, b, node))
            pass_node(g, b, node, &live, &all);
    for (int i = 0; i < output_count; i++)
        all.made += bytes_of(g, outputs[i], &b->wanted);
    return all;
}

double boxes_read_in_chunks(const graph *g, const block_boxes *b, const int64_t chunk[3])
{
    double pixels = 0;
    for (int i = 0; i < graph_inputs(g); i++) {
        const drua_box *box = &b->have[graph_input(g, i)];
        double product = 1;
        for (int axis = 0; axis < 3; axis++)
            product *=
                (double)(((box->end[axis] - 1) / chunk[axis] - box->first[axis] / chunk[axis] + 1) * chunk[axis]);
        pixels += b->used[graph_input(g, i)] ? product : 0;
    }
    return pixels;
}

double boxes_read(const graph *g, const block_boxes *b)
{
    return boxes_read_in_chunks(g, b, (const int64_t[]){1, 1, 1});
}

void boxes_halo(const graph *g, const block_boxes *b, int64_t halo[3])
{
    for (int i = 0; i < 3 * graph_inputs(g); i++) {
        const int axis = i % 3;
        const drua_box *read = &b->have[graph_input(g, i / 3)];
        const int64_t before = b->wanted.first[axis] - read->first[axis],
                      behind = read->end[axis] - b->wanted.end[axis];
        halo[axis] = i < 3 ? 0 : halo[axis];
        if (b->used[graph_input(g, i / 3)]) {
            halo[axis] = before > halo[axis] ? before : halo[axis];
            halo[axis] = behind > halo[axis] ? behind : halo[axis];
        }
    }
}
