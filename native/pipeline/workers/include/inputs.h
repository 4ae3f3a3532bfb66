/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the inputs of a block: a box of the input image, and boxes of labels and images that earlier passes made. */
#ifndef DRUA_PIPELINE_INPUTS_H
#define DRUA_PIPELINE_INPUTS_H

#include "block_memory.h"
#include "boxes.h"
#include "source.h"

/* The images that blocks read, by the numbers of graph_place. */
typedef struct block_sources {
    block_source *image[1 + GRAPH_NAMED];
} block_sources;

/*
 * Dense pixels of each input of the graph in the box b->have, from block_memory_take; NULL if the block does not need
 * the input.
 */
typedef struct block_inputs {
    void *pixels[GRAPH_INPUTS];
} block_inputs;

/* Free the inputs also after a failure. */
drua_status inputs_read(const block_sources *sources, block_memory *memory, const graph *g, int64_t channel,
                        int64_t frame, const block_boxes *b, block_inputs *in);
void inputs_free(block_inputs *in);

#endif
