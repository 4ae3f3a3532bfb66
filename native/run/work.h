/* SPDX-License-Identifier: BSD-3-Clause */
/* State shared by the code that runs a call on boxes of its images: the images of the call, whole results, one tile. */
#ifndef DRUA_WORK_H
#define DRUA_WORK_H

#include "tile_images.h"

/* Work that can be run for a box of its outputs. */
typedef struct drua_work {
    drua_engine *engine;
    drua_plan *plan;            /* of an operation; NULL: a chain */
    drua_value *root;           /* of a chain */
    bool by_region;             /* the operation has a rule for the box that it reads of its first image */
    drua_tiling tiling;
    drua_box all;               /* the range of the outputs to compute */
    drua_value *host_results[DRUA_PLAN_PARAMS];     /* whole results, on the host; NULL: none */
    char *before[DRUA_PLAN_PARAMS];       /* pixels that were overwritten in place, kept for restoring */
    double done;                /* pixels */
    bool is_trial; /* tries memory only: results of tiles are not used */
} drua_work;

/* ---- the images of a call */

void drua_extents_of(drua_shape shape, int64_t extent[3]);
bool drua_is_image_output(const drua_param *param);

/* Whether every tile gets the whole image of parameter i. */
bool drua_stays_whole(const drua_work *w, size_t i);

/* Whether output i is an existing image that keeps some of its pixels; and whether any output is. */
bool drua_is_changed_image(const drua_plan *plan, size_t i);
bool drua_changes_an_image(const drua_plan *plan);

/* Extent of the inputs that are cut into tiles; and extent of the outputs. */
drua_shape drua_cut_inputs_shape(const drua_plan *plan);
drua_shape drua_outputs_shape(const drua_plan *plan);

/* ---- whole results */

drua_status drua_make_host_result(drua_work *w, size_t i, drua_shape shape, drua_type type);

/*
 * The image that the call changes, or a copy of it if others need the original. The result has no gaps and stays on the
 * host, because no tile moves the result to the device.
 */
drua_status drua_make_changed_host_result(drua_work *w, size_t i, int axis, drua_value *old);

/* Frees results that were not handed over, and restores images that were changed. */
void drua_drop_host_results(drua_work *w, int axis);
void drua_hand_over_host_results(drua_work *w);

/* ---- one tile */

/* The scope of a call on a tile of `whole`. */
drua_scope drua_scope_of_tile(const drua_plan *whole);

drua_tile drua_tile_of(const drua_work *w, const drua_box *wanted);

/* The call on tiles of its images: a result for each parameter that is an output. */
drua_status drua_call_on_tile(drua_work *w, const drua_tile *tile, drua_substitutes *all, drua_value **results);

#endif
