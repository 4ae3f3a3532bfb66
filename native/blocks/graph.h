/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline as a graph: values that calls make of others, in the order of the calls. Values have extents and types,
 * and no pixels. */
#ifndef DRUA_BLOCKS_GRAPH_H
#define DRUA_BLOCKS_GRAPH_H

#include "call.h"
#include "declared.h"
#include "file.h"
#include "label_map.h"
#include "script.h"

enum { GRAPH_NONE = -1, GRAPH_LABELS = 8, GRAPH_INPUTS = 1 + GRAPH_LABELS };

typedef struct graph_value {
    drua_value *image;          /* of the whole: extents and type */
    bool labels;                /* its pixels are numbers of objects */
} graph_value;

typedef struct graph_node {
    const drua_op *op;
    drua_bound bound[DRUA_PLAN_PARAMS];
    char *texts[DRUA_PLAN_PARAMS];          /* that `bound` points to; owned */
    double *arrays[DRUA_PLAN_PARAMS];
    int images[DRUA_PLAN_PARAMS];           /* the value of each parameter that is an image, else GRAPH_NONE */
    drua_declared *declared;
} graph_node;

/* An image that every block reads as a whole, such as a point spread function. */
typedef struct graph_file {
    char *path;
    int value;
    drua_file_info info; /* when the pipeline was recorded */
} graph_file;

typedef struct graph_output {
    char *name;
    int value;
} graph_output;

/* A number that was measured on all pixels while the pipeline was recorded. */
typedef struct graph_number {
    char *what;                 /* the operation */
    double value;
} graph_number;

/* Labels that were numbered in a pass over all blocks while the pipeline was recorded; blocks read them as they read
 * the input. */
typedef struct graph_labels {
    char *what; /* the operation and its arguments, as graph_describe has them */
    int value;
    label_map *labels;
} graph_labels;

typedef struct graph {
    drua_engine *engine;        /* that it was recorded with */
    graph_value *values;
    int value_count;
    graph_node **nodes;
    int node_count;
    int input;                  /* the value that blocks read */
    graph_file *files;
    int file_count;
    graph_output *outputs;
    int output_count;
    graph_number *numbers;
    int number_count;
    graph_labels numbered[GRAPH_LABELS];
    int numbered_count;
    drua_text tables; /* what they measure, a line each */
    int table_count;
} graph;

/* What blocks read: the input, then labels. */
static inline int graph_inputs(const graph *g)
{
    return 1 + g->numbered_count;
}

static inline int graph_input(const graph *g, int i)
{
    return i ? g->numbered[i - 1].value : g->input;
}

/* An operation on labels: its arguments, and the values that it reads. */
typedef struct graph_label_call {
    const drua_op *op;
    const drua_bound *bound;
    int labels; /* what is labelled, or labels to be numbered or measured */
    int source; /* whose intensities are measured; else GRAPH_NONE */
    drua_text text; /* for graph_describe */
} graph_label_call;

/*
 * How numbers that an operation measures on all pixels of a value are found, for those that need one before they begin;
 * how labels are numbered in all blocks, and tables of labels filled.
 */
typedef struct graph_measure {
    drua_status (*measure)(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                           double *number);
    drua_status (*label)(void *payload, const graph *g, const graph_label_call *call, label_map **made);
    drua_status (*tabulate)(void *payload, const graph *g, const graph_label_call *call);
    void *payload;
} graph_measure;

/*
 * Records a script for an input of that extent and type: what an operation is made of is recorded instead of it. Fails
 * with the command and its line where something is wrong, or cannot be done for boxes. The engine's device computes
 * nothing. `g` is to be freed also after a failure.
 */
drua_status graph_record(drua_engine *engine, const script *s, drua_shape shape, drua_type type,
                         const graph_measure *measure, graph *g);
void graph_free(graph *g);

/* Adds an argument of an operation to a text, as graph_describe has it; `value`: of an image, else GRAPH_NONE. */
void graph_describe_argument(const drua_param *param, const drua_bound *bound, int value, drua_text *text);

/* Adds what a graph computes to a text that is the same for the same work: operations, arguments, extents. */
void graph_describe(const graph *g, drua_text *text);

/* The macro of one operation with its settings, "deconvolve psf=psf.tif iterations=20"; for the caller to free. */
drua_status graph_macro_of(const char *operation, char **macro);

#endif
