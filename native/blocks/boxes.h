/* SPDX-License-Identifier: BSD-3-Clause */
/* What a block of the results needs: boxes of each value, followed backwards through the graph. */
#ifndef DRUA_BLOCKS_BOXES_H
#define DRUA_BLOCKS_BOXES_H

#include "graph.h"

/* Of one block; for each value the box that is needed and that is there, for each node what it makes. */
typedef struct block_boxes {
    drua_box wanted;
    drua_box *need, *have;      /* of values */
    bool *used;                 /* values that the block needs at all */
    int *last;                  /* of values: the last node that reads them; GRAPH_NONE: none */
    drua_tile *tiles;           /* of nodes; only of those whose result is used */
} block_boxes;

/* Finds the boxes for one of the outputs' values, each of which is cut to `wanted`. Freed with boxes_free, also after a
 * failure. */
drua_status boxes_find(const graph *g, const int *outputs, int output_count, const drua_box *wanted, block_boxes *b);
void boxes_free(block_boxes *b);

/* Whether a node makes something that the block needs. */
bool boxes_use(const graph *g, const block_boxes *b, int node);

/* Whether such a node reads a value. */
bool boxes_read_value(const graph *g, const block_boxes *b, int value);

/* The most bytes that are on the device at once, and of one buffer. */
typedef struct block_bytes {
    uint64_t most, largest;
    uint64_t read; /* of what blocks read, on the host */
    uint64_t made;              /* of all outputs, on the host */
} block_bytes;

/* Pixels that it reads; and those of all chunks of that extent that it touches. */
double boxes_read(const graph *g, const block_boxes *b);
double boxes_read_in_chunks(const graph *g, const block_boxes *b, const int64_t chunk[3]);

block_bytes boxes_bytes(const graph *g, const int *outputs, int output_count, const block_boxes *b);

/* How far what a block reads goes beyond it along each axis, in the middle of a large image. */
void boxes_halo(const graph *g, const block_boxes *b, int64_t halo[3]);

static inline int64_t box_side(const drua_box *box, int axis)
{
    return box->end[axis] - box->first[axis];
}

#endif
