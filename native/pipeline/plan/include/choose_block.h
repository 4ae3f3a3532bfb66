/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the extent of blocks for the allowed memory. */
#ifndef DRUA_PIPELINE_CHOOSE_BLOCK_H
#define DRUA_PIPELINE_CHOOSE_BLOCK_H

#include "boxes.h"

/* The memory that blocks may use, and the extents that they may have. */
typedef struct block_limits {
    uint64_t device, buffer, host; /* bytes of device memory, of its largest buffer, and of host memory */
    int64_t file[3]; /* the extent of a block is a multiple of this */
} block_limits;

/*
 * Chooses the extent of blocks of some values. Blocks are as large as memory allows, read few pixels twice, and are
 * numerous enough to keep all parts of a computer busy. `what` receives the bytes that a block uses. Fails with
 * DRUA_E_MEMORY, the bytes needed and the bytes allowed, if not even the pixels of one file fit.
 */
drua_status choose_block(const graph *g, const int *outputs, int output_count, const block_limits *limits,
                         int64_t step[3], block_bytes *what);

/*
 * Chooses the extent of blocks for a pass in which the shape of blocks does not matter. A block has at most
 * `max_pixels` pixels; the choice minimises the pixels that must be decoded, in chunks of extent `chunk`, and
 * computed.
 */
drua_status choose_pass_slab(const graph *g, const int *values, int count, const block_limits *limits,
                             const int64_t chunk[3], int64_t max_pixels, int64_t step[3]);

/* Returns a block in the middle of the image. */
drua_box middle_block(const int64_t extent[3], const int64_t step[3]);

/* Returns the bytes of host memory that the blocks in flight on one device use. */
uint64_t job_host_bytes(const block_bytes *b);

#endif
