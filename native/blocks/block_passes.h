/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass over all blocks of values while a pipeline is recorded: the next block is read while the device has this one. */
#ifndef DRUA_BLOCKS_BLOCK_PASSES_H
#define DRUA_BLOCKS_BLOCK_PASSES_H

#include "job.h"

typedef struct block_pass {
    /* Takes a block's images, which are on the device of job->main, under its lock. */
    drua_status (*take)(job *j, drua_value *const *images, const drua_box *box, int64_t number, void *payload);
    bool (*is_done)(int64_t number, void *payload); /* NULL: none is */
    void *payload;
    const char *what; /* for those who watch */
} block_pass;

/* The extent of blocks for a pass: at most so many pixels. */
drua_status pass_step(job *j, const graph *g, const int *values, int count, int64_t most_pixels, int64_t step[3]);

/* Does the pass on values of one extent, block by block in their order. */
drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *p);

/* Calls an operation on an image with numbers behind it; `type`: of what it makes, where it has a choice. */
drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count, drua_type type,
                      drua_bound bound[DRUA_PLAN_PARAMS]);

#endif
