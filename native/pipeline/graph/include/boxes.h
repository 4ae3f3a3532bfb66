/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the boxes of each value that a block of the results needs, backwards through the graph. */
#ifndef DRUA_PIPELINE_BOXES_H
#define DRUA_PIPELINE_BOXES_H

#include "graph.h"

/* The boxes of one block: for each value the needed box and the available box, for each node its tile. */
typedef struct block_boxes {
    drua_box wanted;
    drua_box *need, *have; /* of values */
    bool *used; /* of values: whether the block needs the value */
    int *last; /* of values: the last node that reads the value, or GRAPH_NONE */
    drua_tile *tiles; /* of nodes; set only if the node's result is used */
} block_boxes;

/* Computes the boxes for the values `outputs`, each cut to `wanted`. Free with boxes_free, also after a failure. */
drua_status boxes_find(const graph *g, const int *outputs, int output_count, const drua_box *wanted, block_boxes *b);
void boxes_free(block_boxes *b);

/* Returns whether blocks read a value instead of computing it: the input, labels, or a stored image. */
bool boxes_is_read(const graph *g, int value);

/* Returns whether the block needs a result that the node computes. */
bool boxes_use(const graph *g, const block_boxes *b, int node);

/* Returns whether a node that the block needs reads a value. */
bool boxes_read_value(const graph *g, const block_boxes *b, int value);

/* Peak device memory in bytes: in total, and of the largest buffer. */
typedef struct block_bytes {
    uint64_t max, largest;
    uint64_t read; /* inputs of a block, on the host */
    uint64_t made; /* all outputs of a block, on the host */
} block_bytes;

/* Returns the number of pixels that a block reads, and the number in all chunks of extent `chunk` that it touches. */
double boxes_read(const graph *g, const block_boxes *b);
double boxes_read_in_chunks(const graph *g, const block_boxes *b, const int64_t chunk[3]);

/* Returns the memory that a block takes. */
block_bytes boxes_bytes(const graph *g, const int *outputs, int output_count, const block_boxes *b);

/*
 * Computes how far the pixels that a block reads extend beyond the block along each axis, in the middle of a large
 * image.
 */
void boxes_halo(const graph *g, const block_boxes *b, int64_t halo[3]);

static inline int64_t box_side(const drua_box *box, int axis)
{
    return box->end[axis] - box->first[axis];
}

#endif
