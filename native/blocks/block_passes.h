/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass over all blocks of values while a pipeline is recorded, on all devices of the plan. What it gives does not depend on their number. */
#ifndef DRUA_BLOCKS_BLOCK_PASSES_H
#define DRUA_BLOCKS_BLOCK_PASSES_H

#include "crew.h"
#include "job.h"

enum { PASS_VALUES = 2 };

struct block_pass;

/* A block on its way. */
typedef struct pass_block {
    crew_item item; /* first */
    const struct block_pass *pass;
    drua_box box;
    void *pixels[PASS_VALUES]; /* of the values, dense, in their types; of a pass that looks at no device's image */
    void *found; /* what a pass has made of the block; NULL: nothing */
} pass_block;

typedef struct block_pass {
    /* Looks at the images of a block on a device, in its thread and under its lock. NULL: the pass takes pixels. */
    drua_status (*look)(evaluator *e, drua_value *const *images, void *payload, void **found);
    /* Keeps what was looked at, or makes `found` of pixels, on the caller's thread, block by block as they come. NULL: nothing is to be done. */
    drua_status (*keep)(pass_block *b, void *payload);
    /* Adds what was found in a block, in the order of blocks, on the caller's thread. NULL: nothing is added. */
    drua_status (*add)(void *found, void *payload);
    void (*drop)(void *found); /* frees it; NULL: one piece of memory */
    bool (*is_done)(int64_t number, void *payload); /* NULL: none is */
    uint64_t found_bytes; /* of a pixel on the way to `keep` */
    void *payload;
    const char *what; /* for those who watch */
} block_pass;

/* The extent of blocks for a pass: at most so many pixels. It does not depend on the number of devices. */
drua_status pass_step(job *j, const graph *g, const int *values, int count, int64_t most_pixels, int64_t step[3]);

/* Does the pass on values of one extent. A pass that was stopped has kept the blocks that were in hand. */
drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *p);

/* Calls an operation on an image with numbers behind it; `type`: of what it makes, where it has a choice. */
drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count, drua_type type,
                      drua_bound bound[DRUA_PLAN_PARAMS]);

#endif
