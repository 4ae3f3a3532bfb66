/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolution of what does not fit the device at once, block by block along y or z. A block is told a task and its
 * tile, and reads the pixels of tile.read: these are all that it needs on whatever device or in whatever process it
 * runs. It gives the pixels of tile.wanted and a result.
 */
#ifndef DRUA_DECONVOLUTION_BLOCKS_H
#define DRUA_DECONVOLUTION_BLOCKS_H

#include "richardson_lucy.h"

#include <pthread.h>

/** What all blocks of a pass over the image are told. Numbers alone, but for `steps`, whose memory is that of whoever
 * makes the task. */
typedef struct rl_task {
    rl_options options; /* of this pass; `mean` is set, `stop` is 0: no block knows when all of them are done */
    int axis;               /* that blocks are cut along: 1 or 2 */
    int64_t overlap;        /* layers that a block needs of its neighbours on both sides */
    int64_t margin; /* layers that surround the image in `source` at both ends of the axis; 0 with edges=noncirculant */
    bool masked;
    int64_t step_count;
    const double *steps;    /* Biggs-Andrews: how far each step from the third on goes on, as far as that is known */
} rl_task;

/** What a block gives beside its pixels. Whoever runs it owns `sums`. */
typedef struct rl_result {
    int64_t first, end;     /* its layers of the image along the axis */
    int64_t iterations;     /* that are done; none: its pixels are those of the image without its background */
    double *sums; /* over its pixels: rl_records divergences, then rl_products products of steps, then rl_looks sums of
                     what is left */
} rl_result;

/** What a task and a tile make of a block. */
typedef struct rl_block {
    drua_box own;           /* what of `source` is its own */
    int axis;               /* that it is cut along; 0: it is all of the image */
    bool goes_on; /* another block follows */
    int64_t rim[2];         /* how many layers before and behind its own ones belong to no other block */
    int cut;                /* the axis, where the image repeats itself; 0: it does not */
    int64_t seam, period;   /* after how many layers, and a layer of `source` where it begins anew */
} rl_block;

/** The box of the whole image begins anew after so many layers; the image is `room` layers behind that. */
typedef struct rl_repetition {
    int64_t period, room;
} rl_repetition;

rl_repetition rl_repetition_along(fourier_box box, int axis);

/** A task with these options for the calling operation's images. */
rl_task rl_task_along(drua_plan *plan, const rl_options *options, int axis);

/** What a tile of a task reads, for drua_tile_for. */
drua_parts rl_parts(const rl_task *task);

/** `image`: extent of the whole image without its margin. */
rl_block rl_block_of(const rl_task *task, const drua_tile *tile, drua_shape image, drua_shape psf);

/** The axis along which blocks of the calling operation's images are least work, and how many they are; 0: none fits.
 */
int rl_best_axis(drua_plan *plan, const rl_options *options, int64_t *count);

/** Deconvolves a block of `source` into its destination; waits. `sums` live as long as the call. A trial
 * (plan_is_trial) does no iteration. */
rl_result rl_run_block(drua_plan *plan, const rl_task *task, const drua_tile *tile);

/** One pass over all blocks: its task, and what they gave in the order of their layers. */
typedef struct rl_pass {
    rl_task task;
    drua_plan *owner;       /* the call of the whole image, whose memory results are kept in */
    rl_result *results;
    int64_t count;
    pthread_mutex_t lock; /* of results: blocks run in several threads */
} rl_pass;

/** Runs the pass; its restored image. `mask`: without an image where the task is not masked. */
drua_operand rl_run_pass(rl_pass *pass, drua_operand source, drua_operand psf, drua_operand mask);

/** The image with `margin` layers at both ends of the axis, of what deconvolution with the task's options finds there.
 */
drua_operand rl_surround(drua_plan *plan, const rl_task *task, drua_operand image);

#endif
