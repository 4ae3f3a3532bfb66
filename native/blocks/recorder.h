/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine that records: between begin and end its calls make nodes of a graph. */
#ifndef DRUA_BLOCKS_RECORDER_H
#define DRUA_BLOCKS_RECORDER_H

#include "graph.h"

typedef struct recorder {
    drua_executor executor;             /* first: the engine points to it */
    const drua_executor *usual;
    drua_engine *engine;
    graph *graph;
    const graph_measure *measure;
} recorder;

void recorder_begin(recorder *r, drua_engine *engine, graph *g, const graph_measure *measure);
void recorder_end(recorder *r);

/* Operations on labels, which this records by a pass over all blocks. */
bool recorder_sees_labels(const drua_op *op);
drua_status recorder_label(recorder *r, const drua_op *op, drua_bound *bound);

/* The number of a value; GRAPH_NONE: it is none of the graph. */
int recorder_value_of(const graph *g, const drua_value *image);

/* The one whose engine records. */
static inline recorder *recorder_of(drua_engine *engine)
{
    return (recorder *)(uintptr_t)engine->executor;
}

/* A value that no call makes. */
drua_status recorder_add_source(recorder *r, drua_shape shape, drua_type type, int *value);

#endif
