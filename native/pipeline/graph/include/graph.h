/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipeline as a graph: calls, in their order, that make values from other values. Values have extents and types but
 * no pixels.
 */
#ifndef DRUA_PIPELINE_GRAPH_H
#define DRUA_PIPELINE_GRAPH_H

#include "block_types.h"
#include "call.h"
#include "declared.h"
#include "file.h"
#include "label_map.h"
#include "script.h"
#include "stored_image.h"
#include "zarr.h"

enum {
    GRAPH_NONE = -1,
    GRAPH_LABELS = 8,
    GRAPH_STORED = 2,
    GRAPH_NAMED = DRUA_BLOCKS_INPUTS,
    GRAPH_MADE = GRAPH_LABELS + GRAPH_STORED + GRAPH_NAMED,
    GRAPH_INPUTS = 1 + GRAPH_MADE,
    GRAPH_NUMBERS = 2 /* of one measurement */
};

typedef struct graph_value {
    drua_value *image; /* extent and type of the whole image */
    bool labels; /* its pixels are object numbers */
    bool stored; /* blocks read its pixels from the disk instead of computing them */
    char *text; /* metadata as lines key=value for an image of these voxels; owned; NULL: not known */
} graph_value;

typedef struct graph_node {
    const drua_op *op;
    drua_bound bound[DRUA_PLAN_PARAMS];
    char *texts[DRUA_PLAN_PARAMS]; /* the texts to which `bound` points; owned */
    double *arrays[DRUA_PLAN_PARAMS];
    int images[DRUA_PLAN_PARAMS]; /* for each parameter the index of its image, or GRAPH_NONE */
    drua_declared *declared;
} graph_node;

/* An image that every block reads as a whole, such as a point spread function. */
typedef struct graph_file {
    char *path;
    int value;
    drua_file_info info; /* state of the file when the pipeline was recorded */
} graph_file;

typedef struct graph_output {
    char *name;
    int value;
} graph_output;

/* A number that was measured over all pixels while the pipeline was recorded. */
typedef struct graph_number {
    char *what; /* name of the operation */
    double value;
} graph_number;

/* Where blocks read an image. */
typedef struct graph_place {
    int image; /* 0: IN; from 1: the plan's named inputs */
    int64_t channel; /* from 0; -1: the channel of the block */
} graph_place;

/*
 * A value that blocks read like the first input: labels or a stored image, which a pass over all blocks made while the
 * pipeline was recorded, or another input.
 */
typedef struct graph_made {
    char *what; /* the operation and its arguments, in the form of graph_describe */
    int value;
    label_map *labels; /* NULL: not labels */
    stored_image *image; /* NULL: not a stored image */
    graph_place place; /* of another input */
} graph_made;

typedef struct graph {
    drua_engine *engine; /* the engine that recorded the graph */
    graph_value *values;
    int value_count;
    graph_node **nodes;
    int node_count;
    int input; /* index of the input value */
    graph_place place; /* of the input */
    graph_file *files;
    int file_count;
    graph_output *outputs;
    int output_count;
    graph_number *numbers;
    int number_count;
    graph_made made[GRAPH_MADE];
    int made_count;
    bool by_frame; /* calls depend on the number of the frame */
    drua_text tables; /* the tables that are measured, one line for each */
    int table_count;
} graph;

/* Number of values that blocks read: the input, then those in `made`. */
static inline int graph_inputs(const graph *g)
{
    return 1 + g->made_count;
}

static inline int graph_input(const graph *g, int i)
{
    return i ? g->made[i - 1].value : g->input;
}

/* Returns the labels that a pass has numbered as this value; NULL: the value has other pixels. */
static inline const label_map *graph_labels(const graph *g, int value)
{
    for (int i = 0; i < g->made_count; i++)
        if (g->made[i].value == value)
            return g->made[i].labels;
    return NULL;
}

/* An operation on labels: its arguments and the values that it reads. */
typedef struct graph_label_call {
    const drua_op *op;
    const drua_bound *bound;
    int labels; /* the image to label, or the labels to number or measure; of two compared images the second */
    int source; /* the image whose intensities are measured, or the first compared image; else GRAPH_NONE */
    const drua_label_columns *columns; /* of a table of shapes; NULL: another table */
    drua_text text; /* for graph_describe */
} graph_label_call;

/* Functions that recording calls for results that need all pixels. */
typedef struct graph_measure {
    /* Measures the numbers that an operation needs before it begins: as many as `op` has number outputs. */
    drua_status (*measure)(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                           double numbers[GRAPH_NUMBERS]);
    /* Numbers labels in all blocks. */
    drua_status (*label)(void *payload, const graph *g, const graph_label_call *call, label_map **made);
    /* Fills a table of labels. */
    drua_status (*tabulate)(void *payload, const graph *g, const graph_label_call *call);
    /* Stores a node's value if the plan lists it as stored; otherwise sets *made to NULL. NULL: nothing is stored. */
    drua_status (*store)(void *payload, const graph *g, const drua_op *op, int value, stored_image **made);
    void *payload;
    int64_t frame; /* the frame of the whole image, from 1, for which the script is recorded */
    int64_t frames; /* of the whole image */
    bool planned; /* a plan has recorded the script before, so a missing file gives DRUA_E_AWAY */
    int64_t margin; /* for operations whose pixels depend on pixels at any distance; see `build_in_blocks` in op.h */
} graph_measure;

/* An input of a pipeline. */
typedef struct graph_named {
    const char *name; /* NULL: IN, whose name the script chooses */
    const drua_zarr_metadata *metadata;
    char *text; /* lines key=value; NULL: none */
    int image; /* as in graph_place */
    int64_t channel;
} graph_named;

/*
 * Records a script for its inputs, at least one. The first one without a name is the image that the script pushes. A
 * composite operation is recorded as its parts. Fails with the command and its line if the command is wrong or cannot
 * work on boxes. The engine's device computes nothing. Free `g` also after a failure.
 */
drua_status graph_record(drua_engine *engine, const script *s, const graph_named *inputs, int count,
                         const graph_measure *measure, graph *g);

/* Marks the outputs that are label maps. If `as_integers`, converts such outputs of type float32 to uint32. */
drua_status graph_settle_labels(drua_engine *engine, graph *g, drua_blocks_labels which, bool as_integers);
void graph_free(graph *g);

/* Adds operations, arguments and extents of a graph to a text. Graphs that compute the same have the same text. */
void graph_describe(const graph *g, drua_text *text);

/* Makes the macro of one operation with its settings, "deconvolve psf=psf.tif iterations=20". The caller frees it. */
drua_status graph_macro_of(const char *operation, char **macro);

#endif
