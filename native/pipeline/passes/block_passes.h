/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a pass over all blocks of some values while a pipeline is recorded. The pass runs on all devices of the plan, in
 * one process or in several that share it. The result does not depend on the number of devices or processes.
 */
#ifndef DRUA_PIPELINE_BLOCK_PASSES_H
#define DRUA_PIPELINE_BLOCK_PASSES_H

#include "job.h"
#include "pass_records.h"
#include "workers.h"

enum { PASS_VALUES = 2 };

struct block_pass;

/* A block in flight. */
typedef struct pass_block {
    block_item item; /* must be the first member */
    const struct block_pass *pass;
    drua_box own; /* the pixels that the block counts */
    drua_box box; /* the pixels that it reads: `own` and, in a pass that overlaps, one pixel before it */
    /* dense pixels of the values in their types, from block_memory_take; unused by a pass that has `measure` */
    void *pixels[PASS_VALUES];
    drua_bytes found; /* the pass's result for the block */
} pass_block;

typedef struct block_pass {
    /*
     * Measures the images of a block on a device, in the device's thread and under its lock. NULL: the pass takes
     * pixels.
     */
    drua_status (*measure)(evaluator *e, drua_value *const *images, void *payload, drua_bytes *found);
    /*
     * Stores the block's measurement, or computes `found` from its pixels, on the caller's thread, in order of
     * completion. NULL: does nothing.
     */
    drua_status (*keep)(pass_block *b, void *payload);
    /* Adds the result of a block to the total, on the caller's thread, in block order. NULL: the pass has no total. */
    drua_status (*add)(const drua_bytes *found, void *payload);
    /* `save` writes the total as bytes; `load` sets the total from them. Required if `add` is set. */
    drua_status (*save)(const void *payload, drua_bytes *joined);
    drua_status (*load)(void *payload, const drua_bytes *joined);
    /* the store of finished blocks, if the pass has one; NULL: the plan decides whether and where to store them */
    pass_results *results;
    bool overlaps; /* blocks also read one pixel before their first ones along each axis */
    uint64_t found_bytes; /* bytes of `found` per pixel of a block, for the estimate of host memory */
    void *payload;
    const char *what; /* name in progress reports */
    char about[100]; /* arguments that the graph does not contain, for the hash of results; may be empty */
    pass_store store;
} block_pass;

/*
 * Chooses the block extent of a pass, of at most `max_pixels` pixels. The extent does not depend on the number of
 * devices.
 */
drua_status pass_block_extent(job *j, const graph *g, const int *values, int count, int64_t max_pixels,
                              int64_t step[3]);

/*
 * Runs the pass on values of one extent. If the pass is interrupted, it still finishes the blocks in flight. In mode
 * PASSES_COUNTED it adds nothing. In mode PASSES_SHARED it fails with DRUA_E_CANCELLED and sets job.waits if an
 * earlier pass is unfinished or other processes must finish blocks first.
 */
drua_status pass_run(job *j, const graph *g, const int *values, int count, const int64_t step[3], const block_pass *p);

/* Counts passes whose result already exists. */
void pass_skip(job *j, int count);

#endif
