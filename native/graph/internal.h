/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a call. */
#ifndef DRUA_GRAPH_INTERNAL_H
#define DRUA_GRAPH_INTERNAL_H

#include "plan.h"
#include "value.h"
#include "tune.h"

enum { PLAN_PARAMS = 32, FRUGAL = 4 };

typedef struct output {
    drua_shape natural;     /* by the operation's rule */
    drua_shape shape;       /* of the image that exists, else natural */
    drua_type type;
} output;

/* The part of a call's images that another call of the same operation works on. */
typedef struct drua_part {
    const drua_plan *call;
    int axis, out_axis;         /* 0: x, 1: y, 2: z */
    int64_t from;               /* its first layer of the inputs, and of outputs that come with a halo */
    bool cut;                   /* outputs have just the layers from `first` to before `end` */
    int64_t first, end;
    const drua_box *read, *made;    /* instead of all these: of the first image, and of the outputs; else NULL */
} drua_part;

/* Something that lives as long as the call. */
typedef struct held {
    struct held *next;
    drua_buffer *buffer;
    drua_value *value;
    void *host;
} held;

struct drua_plan {
    drua_engine *engine;
    const drua_op *op;
    drua_bound *bound;
    drua_table **table;
    const drua_part *part;  /* NULL: the call is none */
    int first_image;        /* index of the first image argument, -1: none */
    output outputs[PLAN_PARAMS];
    drua_status status;
    held *held;
    bool frugal;            /* another way is open: no parts that are computed more than FRUGAL times */
    drua_trial trial;       /* what plan_choose began */
    struct { char kind[40]; int variant, count; const char *why; } choice;      /* what it chose last; `why`: static text, or NULL */
    bool compiled;          /* a kernel was made for its constants */
    struct drua_around *around; /* chains that its launches may run; NULL: none */
    struct drua_tiff *file;     /* of the one parameter that is a path; NULL: not opened yet */
    struct drua_pages *pages;   /* of the file, read ahead; NULL: not begun */
    int64_t next_page;
};

int64_t *drua_extent_along(drua_shape *shape, int axis);

/* Extent that the operation writes: of the destination, or of the source if the operation says so. */
drua_shape plan_written(const drua_plan *plan, size_t i);

/* Index of the first parameter that is an output image. */
size_t plan_first_output(const drua_op *op);

/* The buffer of the first output. */
drua_buffer *plan_made(const drua_plan *plan);

/* Whether a view's pixels are there: those that a chain makes are computed now, as no kernel reads them. */
bool plan_need(drua_plan *plan, drua_view view);

/* Keeps the first failure; true if there is none so far. */
bool plan_try(drua_plan *plan, drua_status status);

/** What stands for an image that could not be made: nothing to read, but its extents, as operations divide by them. `value` may be NULL. */
drua_view plan_without_memory(const drua_value *value);

/* Index of a parameter. An operation that asks for one it has not is a fault of the operation. */
int plan_find(drua_plan *plan, const char *name);

/* A new entry of what lives as long as the call; NULL where it has failed. */
held *plan_hold(drua_plan *plan);
void plan_free(drua_plan *plan);

/* After drua_compiler_free. */
void drua_specials_free(drua_engine *engine);
void drua_written_free(drua_engine *engine);

/* ---- the steps of a call */

/* Checks the arguments and completes them with presets. */
void plan_check(drua_plan *plan);

/* Shape and type of output i. */
void plan_infer(drua_plan *plan, size_t i);

/* Makes the outputs and runs the operation's plan. */
void plan_send(drua_plan *plan);

/* The same in parts, if it can, for what does not fit the device as a whole. */
void plan_send_in_parts(drua_plan *plan);
void plan_drop_results(drua_plan *plan);

/* Sends the call; what makes its first image by pointwise work may go along. */
void plan_send_after_chain(drua_plan *plan);

/* Whether the call can be sent later, with what follows it; and leaves it to that, as the engine's waiting value. */
bool plan_may_wait(const drua_plan *plan);
void plan_wait(drua_plan *plan);

/* Sends the oldest recorded work where there is too much of it. */
void plan_limit_window(drua_plan *plan);

/* ---- their means */

/* Ends reading ahead; the status, or that of the file if it failed. */
drua_status plan_close_pages(drua_plan *plan, drua_status status);

/* Whether an output that is written by slices stays on the host. */
bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value);

/* Fails the call at the first word of the text that none of the settings takes. */
void plan_check_settings(drua_plan *plan, const drua_param *options, const char *text);

#endif
