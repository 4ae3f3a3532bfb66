/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a call, for the room that runs calls. Operations see plan.h alone. */
#ifndef DRUA_CALL_H
#define DRUA_CALL_H

#include "bound.h"
#include "fusion.h"
#include "plan.h"

enum { DRUA_PLAN_PARAMS = 32 };

typedef struct drua_output {
    drua_shape natural;     /* by the operation's rule */
    drua_shape shape;       /* of the image that exists, else natural */
    drua_type type;
} drua_output;

/* What a call is a tile of. */
typedef struct drua_call_tile {
    const drua_plan *whole;     /* the call on whole images */
    const drua_tiling *tiling;
    const drua_tile *tile;
    bool is_trial; /* what it makes is not used */
} drua_call_tile;

/* Something that lives as long as the call. */
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
    const drua_call_tile *tile; /* NULL: the call is none */
    void *state;            /* handed over by the operation that made the call; NULL: nothing */
    const char *devices; /* that share its tiles; NULL: the engine's own does them */
    int first_image;        /* index of the first image argument, -1: none */
    drua_output outputs[DRUA_PLAN_PARAMS];
    drua_status status;
    drua_held *held;
    bool economical;        /* another strategy is left: no tiles that are mostly computed for their neighbours */
    const char *strategy;   /* what runs it: static text */
    drua_trial trial;       /* what plan_choose began */
    struct {
        char kind[40];
        int variant, count;
        const char *why;
    } choice; /* what it chose last; `why`: static text, or NULL */
    bool specialized;       /* a kernel was compiled for its constants */
    drua_fusion *fusion;    /* chains that its launches may run; NULL: none */
    struct drua_image_file *file;       /* of the one parameter that is a path; NULL: not opened yet */
    struct drua_file_planes *pages;     /* of the file, read ahead; NULL: not begun */
    int64_t next_page;
};

/* ---- arguments and results */

/* Checks the arguments and completes them with presets. */
void plan_check(drua_plan *plan);

/* Shape and type of output i. */
void plan_infer(drua_plan *plan, size_t i);

/* Gives each new image, and each that is written anew, the text of the first image, as far as its voxels are known. */
void plan_pass_texts(drua_plan *plan);

/* Index of a parameter. An operation that asks for one it has not is a fault of the operation. */
int plan_find(drua_plan *plan, const char *name);

/* Extent that the operation writes: of the destination, or of the source if the operation says so. */
drua_shape plan_written(const drua_plan *plan, size_t i);

/* Index of the first parameter that is an output image, and the memory of that output. */
size_t plan_first_output(const drua_op *op);
drua_buffer *plan_result_memory(const drua_plan *plan);

/* What stands for an image that could not be made: nothing to read, but its extents, as operations divide by them.
 * `value` may be NULL. */
drua_view plan_without_memory(const drua_value *value);

/* Whether an output that is written in tiles stays on the host. */
bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value);

/*
 * Makes an argument fit its parameter: a number a whole one, or 0 or 1; a number one of those that the parameter lists;
 * a word one of its choices, whose number and spelling it becomes. What does not fit fails the call, except in commands
 * of CLIJ's prefixes, which take what CLIJ2 takes and leave a line.
 */
void plan_fit_number(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_only(drua_plan *plan, const drua_param *param, drua_bound *bound);
void plan_fit_choice(drua_plan *plan, const drua_param *param, drua_bound *bound);

/* Fails the call with all choices and the one that is spelt most like the given word. */
void plan_fail_choice(drua_plan *plan, const char *name, const char *const *choices, const char *given);

/* Fails the call at the first word of the text that none of the settings takes. */
void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text);

/* ---- files */

/* An image argument and its text, as they are now, until the call ends; NULL after a failure. */
drua_value *plan_keep_image(drua_plan *plan, const char *image, char **text);

/* Writes an image as TIFF. */
void plan_write_tiff(drua_plan *plan, const char *image, const char *path, const char *compression);

/* ---- state */

/* Keeps the first failure; true if there is none so far. */
bool plan_try(drua_plan *plan, drua_status status);

/* A new entry of what lives as long as the call; NULL where it has failed. */
drua_held *plan_hold(drua_plan *plan);

/* Frees all that lives as long as the call. */
void plan_free(drua_plan *plan);

/* Drops the values that outputs have got so far. */
void plan_drop_results(drua_plan *plan);

/* Ends reading ahead; the status, or that of the file if it failed. */
drua_status plan_close_pages(drua_plan *plan, drua_status status);

/* Whether a view's pixels are there: those that a prologue makes are computed now, as no kernel reads them. */
bool plan_need(drua_plan *plan, drua_view view);

#endif
