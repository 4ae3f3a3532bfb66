/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values are the pixels of images. A value is immutable once it is computed. A value is either pending (a node
 * describes how to compute it) or resident (it has memory). Images and nodes hold references to values.
 */
#ifndef DRUA_VALUE_H
#define DRUA_VALUE_H

#include "engine.h"

enum { DRUA_NODE_INPUTS = 3, DRUA_NODE_SCALARS = 3 };

/* Recorded work: an operation and its inputs. */
typedef struct drua_node {
    const drua_op *op;
    drua_value *inputs[DRUA_NODE_INPUTS];   /* one reference each */
    int input_count;
    float scalars[DRUA_NODE_SCALARS];
    int depth;                              /* number of steps below, including this one */
    int line;
    bool was_read; /* a call has already computed it as its prologue */
    drua_bound *call; /* arguments of an operation with separate kernels; NULL: pointwise */
} drua_node;

/* A pointwise operation on images, and what it makes. */
typedef struct drua_pointwise {
    const drua_op *op;
    drua_shape shape;
    drua_type type;
    drua_value *const *inputs;
    int input_count;
    const float *scalars; /* DRUA_NODE_SCALARS numbers; NULL: zeros */
} drua_pointwise;

struct drua_value {
    int references;
    /* while the value is computed: the structure stays even if its last reference is dropped */
    int held;
    int readers;                /* number of pending nodes that read the value */
    drua_shape shape;
    drua_type type;
    drua_buffer *buffer;        /* resident: one reference */
    drua_layout layout;
    drua_node *node;            /* pending: how to compute it */
    bool in_tile; /* made by a tile of a larger call: its rows are contiguous, and it is not cut into tiles again */
    drua_value *next, *previous;        /* in the engine's list of pending values */
    bool has_largest_label;
    int64_t largest_label;
    /* position in the whole image if this is a tile, for expressions that use the position */
    int64_t origin[3];
};

/* Makes a value without pixels and node, with one reference. NULL without memory. */
drua_value *drua_value_new(drua_shape shape, drua_type type);
void drua_value_retain(drua_value *value);

/* NULL is allowed. */
void drua_value_release(drua_engine *engine, drua_value *value);

drua_shape drua_value_shape(const drua_value *value);
drua_type drua_value_type(const drua_value *value);

/* "on the device", "a view", "not computed yet"; for reports. */
const char *drua_value_state(const drua_value *value);

/*
 * Keeps the structure of a value while it is computed, even if all references are released. Its pixels and its node are
 * freed with the last reference.
 */
void drua_value_hold(drua_value *value);
void drua_value_let_go(drua_value *value);

/* ---- pending values */

/* Makes the pending result of a pointwise operation, with its own references to the inputs. */
drua_status drua_value_record(drua_engine *engine, const drua_pointwise *work, drua_value **value);

/* Makes a pending value whose pixels all equal one number. */
drua_status drua_value_constant(drua_engine *engine, drua_shape shape, drua_type type, double number,
                                drua_value **value);

/* Drops the node of a value that is resident or will never be computed. */
void drua_value_drop_node(drua_engine *engine, drua_value *value);

/* Whether the value is the result of a deferred call, that is, of an operation with separate kernels. */
bool drua_value_is_deferred(const drua_value *value);

/* Whether two values have the same pixels; each view of an image is a new value. */
bool drua_value_is_same(const drua_value *a, const drua_value *b);

/* Makes the value resident and drops its node. */
drua_status drua_value_materialize(drua_engine *engine, drua_value *value);

/* The same. With `siblings`, one pass also computes pending images that programs hold and that read the same inputs. */
drua_status drua_value_materialize_with(drua_engine *engine, drua_value *value, bool siblings);

/* ---- memory */

uint64_t drua_value_bytes(const drua_value *value);

/* The value's pixels; without a buffer while it is pending. */
drua_view drua_value_view(const drua_value *value);

/* Layout of the value in its memory, or the layout that it will get. */
drua_layout drua_value_place(const drua_engine *engine, const drua_value *value);

/* Gives the value device memory with undefined content. */
drua_status drua_value_allocate(drua_engine *engine, drua_value *value);

/* Like drua_value_allocate, with contiguous rows, for pixels that arrive in contiguous rows. */
drua_status drua_value_allocate_dense(drua_engine *engine, drua_value *value);

/* ---- pixels */

/*
 * Makes a value from pixels of the host, one dense plane per slice. It stays on the host if the device cannot hold it.
 */
drua_status drua_value_upload(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                              drua_value **value);

/* Copies the value's pixels to dense planes; waits. */
drua_status drua_value_download(drua_engine *engine, drua_value *value, drua_planes *planes);

/*
 * Copies `from` into `to`, converted to its type, starting at x, y, z of `to`; pixels outside `to` are dropped. Both
 * values are resident.
 */
drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z);

/* ---- expressions of pointwise operations */

/*
 * Text that defines the expressions of all operations for the chain kernel; free it with drua_free. NULL without
 * memory.
 */
char *drua_expressions_source(void);

/* Whether the expression uses the name, a single letter. */
bool drua_op_mentions(const drua_op *op, char name);

/* Whether the expression uses the position. */
bool drua_op_is_positional(const drua_op *op);

#endif
