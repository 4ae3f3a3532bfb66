/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolution of an image that does not fit the device at once, block by block along y or z. A block receives a task
 * and a tile, and reads the pixels of tile.read. It needs nothing else, so it can run on any device or in another
 * process. It produces the pixels of tile.wanted and a result.
 */
#ifndef DRUA_DECONVOLUTION_BLOCKS_H
#define DRUA_DECONVOLUTION_BLOCKS_H

#include "richardson_lucy.h"

#include <pthread.h>

/**
 * Settings that all blocks of a pass share. The struct holds numbers only, except for `steps`, which the task's creator
 * owns.
 */
typedef struct rl_task {
    /*
     * options of this pass; `mean` is set, and `stop` is 0 because a single block cannot tell when all blocks have
     * converged
     */
    rl_options options;
    int axis;               /* axis along which the image is cut into blocks: 1 or 2 */
    int64_t overlap;        /* layers that a block reads from its neighbours on each side */
    /* layers that surround the image in `source` at both ends of the axis; 0 with edges=noncirculant */
    int64_t margin;
    bool masked;
    int64_t step_count;
    const double *steps;    /* Biggs-Andrews: the known step lengths, beginning with the third step */
} rl_task;

/** The result of a block besides its pixels. */
typedef struct rl_result {
    int64_t first, end;     /* the block's layers of the image along the axis */
    int64_t iterations;     /* finished iterations; with 0, the pixels are those of the image minus its background */
    /*
     * sums over the block's pixels: rl_records divergences, then rl_products products of steps, then rl_noise_checks
     * sums of products of neighbouring residuals
     */
    double *sums;
} rl_result;

/** A block, derived from a task and a tile. */
typedef struct rl_block {
    drua_box own;           /* the part of `source` that this block restores */
    int axis;               /* axis along which the image is cut; 0: the block is the whole image */
    bool goes_on; /* another block follows */
    int64_t rim[2];         /* layers before and after `own` that belong to no other block */
    /* the axis of blocks, if the image repeats along it; 0: it does not repeat */
    int cut;
    int64_t seam, period;   /* `source` starts to repeat at layer `seam`, and again every `period` layers */
} rl_block;

/**
 * The box of the whole image repeats after `period` layers; the image begins `room` layers after the start of the box.
 */
typedef struct rl_repetition {
    int64_t period, room;
} rl_repetition;

rl_repetition rl_repetition_along(fourier_box box, int axis);

/** Returns a task with these options for the images of the calling operation. */
rl_task rl_task_along(drua_plan *plan, const rl_options *options, int axis);

/** Returns the parts that a tile of a task reads, for drua_tile_for. */
drua_parts rl_parts(const rl_task *task);

/** Returns the block for a tile. `image`: extent of the whole image without its margin. */
rl_block rl_block_of(const rl_task *task, const drua_tile *tile, drua_shape image, drua_shape psf);

/**
 * Returns the axis along which blocks of the calling operation's images need the least work, and sets `count` to the
 * number of blocks. Returns 0 if no block fits.
 */
int rl_best_axis(drua_plan *plan, const rl_options *options, int64_t *count);

/**
 * Deconvolves a block of `source` into its destination; waits. The result's `sums` live as long as the call. A trial
 * run (plan_is_trial) performs no iteration.
 */
rl_result rl_run_block(drua_plan *plan, const rl_task *task, const drua_tile *tile);

/** One pass over all blocks: its task, and the results of the blocks in the order of their layers. */
typedef struct rl_pass {
    rl_task task;
    drua_plan *owner;       /* the call for the whole image; its memory holds the results */
    rl_result *results;
    int64_t count;
    pthread_mutex_t lock; /* guards `results`: blocks run in several threads */
} rl_pass;

/** Runs the pass and returns its restored image. `mask`: an operand without an image if the task is not masked. */
drua_operand rl_run_pass(rl_pass *pass, drua_operand source, drua_operand psf, drua_operand mask);

/**
 * Returns the image with `margin` layers at both ends of the axis. The layers contain what deconvolution with the
 * task's options finds outside the image.
 */
drua_operand rl_surround(drua_plan *plan, const rl_task *task, drua_operand image);

#endif
