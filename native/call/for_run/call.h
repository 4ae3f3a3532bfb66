/* SPDX-License-Identifier: BSD-3-Clause */
/* The internals of a call, for the room that runs calls. Operations see only include/. */
#ifndef DRUA_CALL_H
#define DRUA_CALL_H

#include "bound.h"
#include "fusion.h"
#include "plan.h"

enum { DRUA_PLAN_PARAMS = 32 };

typedef struct drua_output {
    drua_shape natural; /* shape that the operation's rule gives */
    drua_shape shape; /* shape of the existing image, otherwise `natural` */
    drua_type type;
} drua_output;

/* Describes the tile that a call computes. */
typedef struct drua_call_tile {
    const drua_plan *whole;     /* the call on whole images */
    const drua_tiling *tiling;
    const drua_tile *tile;
    bool is_trial; /* its results are not used */
    drua_buffer *scratch; /* memory that all tiles share on this device; NULL: no such memory */
} drua_call_tile;

/* An object that lives as long as the call. */
typedef struct drua_held {
    struct drua_held *next;
    drua_buffer *buffer;
    drua_value *value;
    void *host;
} drua_held;

struct drua_plan {
    drua_engine *engine;
    const drua_op *op;
    drua_bound *bound;
    drua_table **table;
    const drua_call_tile *tile; /* NULL: the call is not a tile */
    void *state; /* state that the calling operation passed (plan_call_private); NULL: none */
    const char *devices; /* devices that share its tiles; NULL: only the engine's own */
    drua_scope scope;
    bool siblings; /* its inputs are materialized with their siblings, because all pending work is being sent */
    int64_t frame; /* frame of a movie, from 1, that a pipeline records block by block; 0: none */
    int64_t frames; /* of that movie */
    bool asks_frame; /* the operation has called plan_frame */
    int first_image;        /* index of the first image argument, -1: none */
    drua_output outputs[DRUA_PLAN_PARAMS];
    drua_status status;
    drua_held *held;
    void *kept; /* memory of plan_kept_memory; one of `held` */
    /* the operation has another strategy for large images, so tiles that mostly compute halos are refused */
    bool economical;
    const char *strategy;   /* strategy that runs the call; static text */
    drua_trial trial; /* begun by plan_choose_variant */
    struct {
        char kind[40];
        int variant, count;
        const char *why;
    } choice; /* the last choice; `why`: static text, or NULL */
    bool specialized;       /* a kernel compiled for its constants was used */
    bool awaits_specialized; /* such a kernel is being compiled, so only a few more calls use general kernels */
    drua_fusion *fusion; /* chains that may be fused into its launches; NULL: none */
    struct drua_image_file *file; /* file of the only path parameter; NULL: not opened yet */
    struct drua_file_planes *pages;     /* pages of the file, read ahead; NULL: not begun */
    int64_t next_page;
};

/* ---- arguments and results */

/* Checks the arguments and completes them with defaults. */
void plan_check(drua_plan *plan);

/* Writes the settings of `text` followed by `settings` to `all`, without those of `text` that `settings` also has. */
void plan_replace_settings(const drua_param *options, const char *text, const char *settings, drua_text *all);

/* Infers shape and type of output i. */
void plan_infer(drua_plan *plan, size_t i);

/*
 * Gives each new or replaced image the metadata of the first image. Sizes of voxels are left out if they are not known.
 */
void plan_pass_texts(drua_plan *plan);

/** Reads the sizes of voxels as an image's text has them; 1 for an axis without a size. */
void drua_text_voxel_sizes(const char *text, double size[3]);

/*
 * If the call ran out of memory and the largest label of an image exceeds its number of pixels, replaces the error
 * message by one about this label.
 */
void plan_explain_memory(drua_plan *plan);

/* Extent that the operation writes: that of the destination or, with DRUA_SOURCE_EXTENT, that of the source. */
drua_shape plan_written(const drua_plan *plan, size_t i);

/* Index of the first output image. */
size_t plan_first_output(const drua_op *op);

/* Whether an output that is written in tiles stays on the host. */
bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value);

/* ---- state */

/* Keeps the first failure. Returns whether nothing has failed so far. */
bool plan_try(drua_plan *plan, drua_status status);

/* Frees everything that lives as long as the call. */
void plan_free(drua_plan *plan);

/* Releases the values of all outputs that exist so far. */
void plan_drop_results(drua_plan *plan);

#endif
