/* SPDX-License-Identifier: BSD-3-Clause */
/* What a block reads: a box of the input, and of labels that an earlier pass has numbered. */
#ifndef DRUA_BLOCKS_INPUTS_H
#define DRUA_BLOCKS_INPUTS_H

#include "block_memory.h"
#include "boxes.h"
#include "source.h"

/* Dense pixels of each input of the graph in the box b->have; NULL where the block does not need it. From
 * block_memory_take. */
typedef struct block_inputs {
    void *pixels[GRAPH_INPUTS];
} block_inputs;

/* Also after a failure to be freed. */
drua_status inputs_read(block_source *source, block_memory *memory, const graph *g, int64_t channel, int64_t frame,
                        const block_boxes *b, block_inputs *in);
void inputs_free(block_inputs *in);

#endif
