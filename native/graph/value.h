/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of values, for the files of this room. */
#ifndef DRUA_GRAPH_VALUE_H
#define DRUA_GRAPH_VALUE_H

#include "graph.h"

enum { DRUA_NODE_INPUTS = 3, DRUA_NODE_SCALARS = 3, DRUA_CHAIN_INPUTS = 4, DRUA_CHAIN_REGISTERS = 4, DRUA_CHAIN_STEPS = 32,
       DRUA_WINDOW = 64 };

/* Recorded work: what to compute and from what. */
typedef struct drua_node {
    const drua_op *op;
    drua_value *inputs[DRUA_NODE_INPUTS];   /* one reference each */
    int input_count;
    float scalars[DRUA_NODE_SCALARS];
    int depth;                              /* steps below, this one included */
    int line;
    bool was_read;                          /* by a call that computed it where it was read */
    drua_bound *call;                       /* of an operation with kernels of its own: its arguments; NULL: pointwise */
} drua_node;

struct drua_value {
    int references;
    int readers;                /* unsent nodes that read it */
    drua_shape shape;
    drua_type type;
    drua_buffer *buffer;        /* resident: one reference */
    drua_layout layout;
    drua_node *node;            /* virtual: how to make it */
    drua_value *next, *previous;        /* list of unsent values */
    bool has_largest_label;
    int64_t largest_label;
    int64_t origin[3];          /* position in the whole image that this is a part of, for expressions that use it */
};

drua_value *drua_value_new(drua_shape shape, drua_type type);

/* A virtual value of one pointwise operation; takes its own references to the inputs. */
drua_status drua_value_virtual(drua_engine *engine, const drua_op *op, drua_shape shape, drua_type type, drua_value *const *inputs,
                               int input_count, const float *scalars, drua_value **value);

uint64_t drua_value_bytes(const drua_value *value);

/* How it lies in its memory, or will when it gets some. */
drua_layout drua_value_place(const drua_engine *engine, const drua_value *value);

/* Gives the value device memory of undefined content. */
drua_status drua_value_allocate(drua_engine *engine, drua_value *value);

/* The same, with rows that follow each other, for pixels that come so from elsewhere. */
drua_status drua_value_allocate_dense(drua_engine *engine, drua_value *value);

/* Makes the value resident; the node and its references are dropped. */
drua_status drua_value_force(drua_engine *engine, drua_value *value);

drua_view drua_value_view(const drua_value *value);

/* Drops the recipe of a value that is resident now or will never be. */
void drua_value_forget_node(drua_engine *engine, drua_value *value);

/* Whether the value is the result of a call that was not sent yet, of an operation with kernels of its own. */
bool drua_value_waits(const drua_value *value);

/* Runs the virtual work that ends in `value`. */
drua_status drua_chain_run(drua_engine *engine, drua_value *value);

/* Whether `value` is made of `wanted` by pointwise work that was not sent. */
bool drua_chain_reads(drua_value *value, const drua_value *wanted);

/* Sends the calls that wait among what `value` is made of by pointwise work. */
drua_status drua_chain_send_calls(drua_engine *engine, drua_value *value);

/* Sends all virtual values that somebody can still ask for. */
drua_status drua_chain_flush(drua_engine *engine);

/* An unsent value that was recorded by the same call on the same images, or NULL. */
drua_value *drua_chain_find(const drua_engine *engine, const drua_op *op, drua_shape shape, drua_type type, drua_value *const *inputs,
                            int input_count, const float *scalars);

/* Text that defines every operation's expression for the chain kernel; NULL without memory; drua_free. */
char *drua_chain_source(void);

/* Whether two values show the same pixels; views of one image are made anew each time. */
bool drua_value_is_same(const drua_value *a, const drua_value *b);

/* True if the expression uses the position. */
bool drua_op_is_positional(const drua_op *op);

/* Copies `from` into `to` (same type, both resident), pixels beyond `to` dropped, starting at x, y, z of `to`. */
drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z);

#endif
