/* SPDX-License-Identifier: BSD-3-Clause */
/* The internals of a call, for the room that runs calls. Operations see only plan.h. */
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
    int first_image;        /* index of the first image argument, -1: none */
    drua_output outputs[DRUA_PLAN_PARAMS];
    drua_status status;
    drua_held *held;
    /* the operation has another strategy for large images, so tiles that mostly compute halos are refused */
    bool economical;
    const char *strategy;   /* strategy that runs the call; static text */
    drua_trial trial;       /* begun by plan_choose */
    struct {
        char kind[40];
        int variant, count;
        const char *why;
    } choice; /* the last choice; `why`: static text, or NULL */
    bool specialized;       /* a kernel compiled for its constants was used */
    bool awaits_specialized; /* such a kernel is being compiled, so general kernels serve few calls */
    drua_fusion *fusion;    /* chains that may join its launches; NULL: none */
    struct drua_image_file *file; /* file of the only path parameter; NULL: not opened yet */
    struct drua_file_planes *pages;     /* pages of the file, read ahead; NULL: not begun */
    int64_t next_page;
};

/* ---- arguments and results */

/* Checks the arguments and completes them with defaults. */
void plan_check(drua_plan *plan);

/* Infers shape and type of output i. */
void plan_infer(drua_plan *plan, size_t i);

/*
 * Gives each new or replaced image the metadata of the first image. Sizes of voxels are left out if they are not known.
 */
void plan_pass_texts(drua_plan *plan);

/* Returns whether the call may allocate so much host memory: at most 1 GB if the largest label of an image argument
 * exceeds its number of pixels. */
bool plan_may_take(const drua_plan *plan, size_t bytes);

/* If the call failed for lack of memory because of such a label, replaces the sentence by one about the label. */
void plan_explain_memory(drua_plan *plan);

/* Index of a parameter. A missing parameter is a fault of the operation. */
int plan_find(drua_plan *plan, const char *name);

/* Extent that the operation writes: that of the destination, or, if the operation is declared so, of the source. */
drua_shape plan_written(const drua_plan *plan, size_t i);

/* Index of the first output image; and the memory of that output. */
size_t plan_first_output(const drua_op *op);
drua_buffer *plan_result_memory(const drua_plan *plan);

/*
 * Replaces an image that could not be made: it has no memory but keeps its extents, because operations divide by them.
 * `value` may be NULL.
 */
drua_view plan_without_memory(const drua_value *value);

/* Whether an output that is written in tiles stays on the host. */
bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value);

/*
 * Check that an argument fits its parameter: plan_fit_number a whole number or 0 or 1, plan_fit_only one of the listed
 * numbers, plan_fit_choice one of the choices. An argument that does not fit fails the call. Commands of CLIJ's
 * prefixes use the value that CLIJ2 would use instead, and leave a line.
 */
void plan_fit_number(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_only(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_choice(drua_plan *plan, const drua_param *param, drua_bound *bound);

/* Fails the call with a list of all choices and the most similar one. */
void plan_fail_choice(drua_plan *plan, const char *name, const char *const *choices, const char *given);

/* Fails the call at the first word of the text that is not a setting. */
void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text);

/* ---- files */

/* An image argument and its metadata, both held unchanged until the call ends. NULL after a failure. */
drua_value *plan_keep_image(drua_plan *plan, const char *image, char **text);

/* Writes an image as TIFF. */
void plan_write_tiff(drua_plan *plan, const char *image, const char *path, const char *compression);

/* ---- state */

/* Keeps the first failure. Returns whether nothing has failed so far. */
bool plan_try(drua_plan *plan, drua_status status);

/* Returns a new entry for an object that lives as long as the call, or NULL if the call has failed. */
drua_held *plan_hold(drua_plan *plan);

/* Frees everything that lives as long as the call. */
void plan_free(drua_plan *plan);

/* Releases the values of all outputs that exist so far. */
void plan_drop_results(drua_plan *plan);

/* Stops reading ahead. Returns `status` if it is a failure, otherwise the file's failure or DRUA_OK. */
drua_status plan_close_pages(drua_plan *plan, drua_status status);

/*
 * Returns whether a view has its pixels. Pixels that a prologue would make are computed now, because no later kernel
 * reads them.
 */
bool plan_need(drua_plan *plan, drua_view view);

#endif
