/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording engine: between begin and end its calls make nodes of a graph. */
#ifndef DRUA_PIPELINE_RECORDER_H
#define DRUA_PIPELINE_RECORDER_H

#include "graph.h"

typedef struct recorder {
    drua_executor executor; /* must be the first member: the engine points to it */
    const drua_executor *usual; /* the engine's executor outside recording */
    drua_engine *engine;
    graph *graph;
    const graph_measure *measure; /* functions for results that need all pixels */
} recorder;

void recorder_begin(recorder *r, drua_engine *engine, graph *g, const graph_measure *measure);
void recorder_end(recorder *r);

/*
 * recorder_sees_labels returns whether an operation works on labels and therefore needs a pass over all blocks;
 * recorder_label records this operation.
 */
bool recorder_sees_labels(const drua_op *op);
drua_status recorder_label(recorder *r, const drua_op *op, drua_bound *bound);

/* Returns the index of a value; GRAPH_NONE if the graph does not have it. */
int recorder_value_of(const graph *g, const drua_value *image);

/* Returns the recorder of an engine. */
static inline recorder *recorder_of(drua_engine *engine)
{
    return (recorder *)(uintptr_t)engine->executor;
}

/* Gives a value a copy of a text; NULL: none. */
drua_status recorder_set_text(graph *g, int value, const char *text);

/*
 * Corrects the metadata about its channel that a result inherits from its first image. A mask has no display range of
 * grey values. A result of two channels with different labels has both labels, but no colour.
 */
drua_status recorder_set_channel(graph *g, const drua_op *op, const int *images, int result);

/* Adds a value that no call makes. */
drua_status recorder_add_source(recorder *r, drua_shape shape, drua_type type, int *value);

/*
 * Adds an argument of an operation to a text in the form of graph_describe. `value` is the index of an image, else
 * GRAPH_NONE.
 */
void graph_describe_argument(const drua_param *param, const drua_bound *bound, int value, drua_text *text);

#endif
