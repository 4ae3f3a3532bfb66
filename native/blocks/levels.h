/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower levels of an output, each from the one above it: a mean of neighbours, of labels the most frequent one. */
#ifndef DRUA_BLOCKS_LEVELS_H
#define DRUA_BLOCKS_LEVELS_H

#include "job.h"

/* Makes what is missing of a level; boxes are read, made and written at the same time. `split`: what that takes is
 * added. */
drua_status level_make(job *j, drua_zarr_out *out, int level, drua_blocks_seconds *split);

/* How the first lower level is made of blocks while they are at hand. */
typedef struct level_maker {
    graph graph;
    bool works;                 /* blocks make whole files of that level */
} level_maker;

drua_status level_maker_open(job *j, drua_zarr_out *out, level_maker *m);
void level_maker_close(level_maker *m);

/* The box of the level that a block makes, and its pixels, for the caller to give back (block_memory_give). */
drua_status level_maker_make(const level_maker *m, evaluator *e, block_memory *memory, const drua_box *block,
                             void *pixels, drua_box *box, void **made);

#endif
