/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values: the pixels of images. A value is immutable once it is produced. It is pending (a node says how to make it) or
 * resident (it has memory). Images and nodes hold values by reference.
 */
#ifndef DRUA_VALUE_H
#define DRUA_VALUE_H

#include "engine.h"

enum { DRUA_NODE_INPUTS = 3, DRUA_NODE_SCALARS = 3 };

/* Recorded work: what to compute and from what. */
typedef struct drua_node {
    const drua_op *op;
    drua_value *inputs[DRUA_NODE_INPUTS];   /* one reference each */
    int input_count;
    float scalars[DRUA_NODE_SCALARS];
    int depth;                              /* steps below, this one included */
    int line;
    bool was_read;                          /* by a call that computed it where it was read */
    drua_bound *call; /* of an operation with kernels of its own: its arguments; NULL: pointwise */
} drua_node;

struct drua_value {
    int references;
    int held;               /* while it is made: the structure stays when nobody wants the image any more */
    int readers;                /* pending nodes that read it */
    drua_shape shape;
    drua_type type;
    drua_buffer *buffer;        /* resident: one reference */
    drua_layout layout;
    drua_node *node;            /* pending: how to make it */
    drua_value *next, *previous;        /* in the engine's list of pending values */
    bool has_largest_label;
    int64_t largest_label;
    int64_t origin[3];          /* position in the whole image that this is a tile of, for expressions that use it */
};

/* A value without pixels and without a node, with one reference; NULL without memory. */
drua_value *drua_value_new(drua_shape shape, drua_type type);
void drua_value_retain(drua_value *value);

/* NULL is allowed. */
void drua_value_release(drua_engine *engine, drua_value *value);

drua_shape drua_value_shape(const drua_value *value);
drua_type drua_value_type(const drua_value *value);

/* "on the device", "a view", "not computed yet"; for reports. */
const char *drua_value_state(const drua_value *value);

/* Keeps the structure of a value while it is made, whoever releases it. Its pixels and its node go when nobody refers
 * to it. */
void drua_value_hold(drua_value *value);
void drua_value_let_go(drua_value *value);

/* ---- pending values */

/* The pending result of one pointwise operation; takes its own references to the inputs. `scalars` may be NULL. */
drua_status drua_value_record(drua_engine *engine, const drua_op *op, drua_shape shape, drua_type type,
                              drua_value *const *inputs, int input_count, const float *scalars, drua_value **value);

/* A pending value whose pixels all have one number. */
drua_status drua_value_constant(drua_engine *engine, drua_shape shape, drua_type type, double number,
                                drua_value **value);

/* Drops the node of a value that is resident now or never will be. */
void drua_value_drop_node(drua_engine *engine, drua_value *value);

/* Whether it is the result of a deferred call: one of an operation with kernels of its own. */
bool drua_value_is_deferred(const drua_value *value);

/* Whether two values show the same pixels; views of one image are made anew each time. */
bool drua_value_is_same(const drua_value *a, const drua_value *b);

/* Makes the value resident; its node goes. */
drua_status drua_value_materialize(drua_engine *engine, drua_value *value);

/* ---- memory */

uint64_t drua_value_bytes(const drua_value *value);

/* The value's pixels; without a buffer while it is pending. */
drua_view drua_value_view(const drua_value *value);

/* How it lies in its memory, or will when it gets some. */
drua_layout drua_value_place(const drua_engine *engine, const drua_value *value);

/* Gives the value device memory of undefined content. */
drua_status drua_value_allocate(drua_engine *engine, drua_value *value);

/* The same, with rows that follow each other, for pixels that come so from elsewhere. */
drua_status drua_value_allocate_dense(drua_engine *engine, drua_value *value);

/* Brings the rows of a value whose pixels came dense apart, as those of all that is computed are; where memory is short
 * they stay dense. */
void drua_value_pad_rows(drua_engine *engine, drua_value *value);

/* ---- pixels */

/* A value with pixels from the host, one dense plane a slice; on the host where the device cannot take it. */
drua_status drua_value_upload(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                              drua_value **value);

/* Copies the value's pixels, dense; waits. */
drua_status drua_value_download(drua_engine *engine, drua_value *value, drua_planes *planes);

/* Copies `from` into `to`, converted to its type, starting at x, y, z of `to`; pixels beyond `to` are dropped. Both are
 * resident. */
drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z);

/* ---- expressions of pointwise operations */

/* Text that defines every operation's expression for the chain kernel; NULL without memory; drua_free. */
char *drua_expressions_source(void);

/* Whether the expression uses the name, a single letter. */
bool drua_op_mentions(const drua_op *op, char name);

/* True if the expression uses the position. */
bool drua_op_is_positional(const drua_op *op);

#endif
