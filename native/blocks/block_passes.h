/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pass over all blocks of values while a pipeline is recorded, on all devices of the plan, by this process or by
 * several that share it. What it gives does not depend on their number.
 */
#ifndef DRUA_BLOCKS_BLOCK_PASSES_H
#define DRUA_BLOCKS_BLOCK_PASSES_H

#include "crew.h"
#include "job.h"
#include "pass_results.h"

enum { PASS_VALUES = 2 };

struct block_pass;

/* A block on its way. */
typedef struct pass_block {
    crew_item item; /* first */
    const struct block_pass *pass;
    drua_box box;
    void *pixels[PASS_VALUES]; /* of the values, dense, in their types; of a pass that looks at no device's image; from
                                  block_memory_take */
    drua_bytes found; /* what a pass has made of the block */
} pass_block;

typedef struct block_pass {
    /* Looks at the images of a block on a device, in its thread and under its lock. NULL: the pass takes pixels. */
    drua_status (*look)(evaluator *e, drua_value *const *images, void *payload, drua_bytes *found);
    /* Keeps what was looked at, or makes `found` of pixels, on the caller's thread, block by block as they come. NULL:
     * nothing is to be done. */
    drua_status (*keep)(pass_block *b, void *payload);
    /* Adds what was found in a block, in the order of blocks, on the caller's thread. NULL: nothing is added. */
    drua_status (*add)(const drua_bytes *found, void *payload);
    /* What all that was added gives, as bytes, and takes them in its place. Of passes that add. */
    drua_status (*save)(const void *payload, drua_bytes *joined);
    drua_status (*load)(void *payload, const drua_bytes *joined);
    pass_results *results; /* which blocks are done, of one that keeps them itself; NULL: the plan says where they are
                              kept, if at all */
    uint64_t found_bytes; /* of a pixel on the way to `keep` */
    void *payload;
    const char *what; /* for those who watch */
    int labels; /* as plan_pass has them */
} block_pass;

/* The extent of blocks for a pass: at most so many pixels. It does not depend on the number of devices. */
drua_status pass_step(job *j, const graph *g, const int *values, int count, int64_t most_pixels, int64_t step[3]);

/*
 * Does the pass on values of one extent. A pass that was stopped has kept the blocks that were in hand. Where passes
 * are counted it adds nothing; where they are shared and others must do their blocks first, or the pass is not due, it
 * is DRUA_E_CANCELLED, and the job waits.
 */
drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *p);

/* Counts passes whose result is there already. */
void pass_skip(job *j, int count);

/* The folder of a pass of a plan, from 1, for a channel and frame. */
enum { PASS_PATH = 2200 };
void pass_folder(const char *journal_folder, int pass, int labels, int64_t volume, char path[PASS_PATH]);

/* The pass of a plan that is begun whose results are not all joined, from 1; 0: none. */
int passes_due(const job *j);

/* Does what is due in a share of a plan that is begun. `more`: the plan is whole now, and the share is of its blocks.
 */
drua_status passes_share(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload,
                         bool *more);

/* What a pass on a graph does, as a hash; `about`: what the graph does not say. DRUA_E_AWAY where a file that blocks read
 * as a whole is not there. */
drua_status pass_hash(const job *j, const graph *g, const char *about, char hash[DRUA_SHA256_TEXT]);

/* Bytes of something that has no gaps. */
drua_status pass_bytes(const void *data, size_t length, drua_bytes *bytes);

/* Calls an operation on an image with numbers behind it; `type`: of what it makes, where it has a choice. */
drua_status pass_call(evaluator *e, const char *operation, drua_value *image, const double *numbers, int count,
                      drua_type type, drua_bound bound[DRUA_PLAN_PARAMS]);

#endif
