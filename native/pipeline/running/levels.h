/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes smaller levels of an output, each from the next larger level: the mean of neighbours, or for labels the most
 * frequent one.
 */
#ifndef DRUA_PIPELINE_LEVELS_H
#define DRUA_PIPELINE_LEVELS_H

#include "job.h"

/*
 * Makes the missing boxes of a level. Reading, computing and writing overlap. Adds the seconds of these steps to
 * `split`.
 */
drua_status level_make(job *j, drua_zarr_out *out, int level, drua_blocks_seconds *split);

/* Makes the first smaller level from blocks while their pixels are still in memory. */
typedef struct level_maker {
    graph graph;
    bool works; /* each block covers whole files of that level */
} level_maker;

drua_status level_maker_open(job *j, drua_zarr_out *out, level_maker *m);
void level_maker_close(level_maker *m);

/*
 * Computes the box of the level that a block covers, and its pixels, which the caller returns with block_memory_give.
 */
drua_status level_maker_make(const level_maker *m, evaluator *e, block_memory *memory, const drua_box *block,
                             void *pixels, drua_box *box, void **made);

#endif
