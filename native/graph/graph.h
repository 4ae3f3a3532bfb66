/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values and the work that makes them. A value is immutable once it is produced: it is virtual (a pointwise node can
 * produce it), or resident (device memory). Images and nodes hold values by reference.
 * Everything here is called under the context's lock.
 */
#ifndef DRUA_GRAPH_H
#define DRUA_GRAPH_H

#include "device.h"
#include "op.h"
#include "text.h"

typedef struct drua_value drua_value;

typedef struct drua_bound drua_bound;

/** The engine of one context: its device and its unsent work. */
typedef struct drua_engine {
    drua_device *device;
    struct drua_fft *fft;       /* made when first asked for */
    drua_value *unsent;         /* list of virtual values, newest first */
    size_t unsent_count;
    drua_value *waiting;        /* the one of them that is made by a call, not by pointwise work; NULL: none */
    int line;                   /* of the caller's program; errors name it */
    bool fuse;                  /* DRUA_FUSE=0 runs every operation by itself */
    int64_t narrowest;          /* rows of so many pixels begin with whole vectors, those of fewer follow each other */
    bool always_eager;          /* DRUA_SYNC=1 */
    bool eager;                 /* DRUA_SYNC=1 and time tracing: each call runs to its end */
    bool times_launches;        /* each is waited for, so that its time is known, as it is while `eager` */
    bool flushing;              /* all unsent work goes out, so images of the same inputs are made in one pass */
    struct drua_compiler *compiler;     /* chains that were seen, with their kernels */
    struct drua_specials *specials;     /* kernels for constants; NULL: none so far */
    struct drua_written *written;       /* kernels that users wrote; NULL: none so far */
    struct drua_tuner *tuner;   /* NULL: presets serve */
    struct drua_record *records;        /* ring of what was done last, for drua_graph_explain */
    size_t record_count;        /* ever */
    double copy_rate;           /* bytes a second, 0: not measured yet */
    bool in_slabs;              /* what runs now is a part of an operation */
    const struct drua_part *part;       /* what the next call is a part of, or NULL */
    drua_buffer *given;         /* to all its parts, or NULL */
    char *chain_source;         /* every operation's expression, for the chain kernel */
} drua_engine;

static inline bool drua_is_timed(const drua_engine *engine)
{
    return engine->eager || engine->times_launches;
}

/** A name that the caller gave to an image: the number of the parameter that holds it. */
typedef struct drua_name {
    const char *text;
    int param;
} drua_name;

/** One argument bound to one parameter of an operation. */
struct drua_bound {
    bool given;
    double number;
    const char *text;           /* borrowed from the caller */
    const double *array;        /* borrowed */
    const drua_name *names;     /* of kind images: where each is among the parameters; borrowed */
    size_t length;              /* of array or names */
    drua_value *value;          /* image inputs; outputs: the value to be overwritten or NULL; borrowed */
    drua_type type;             /* outputs: type of a new image if the command says so */
    bool type_of_source;
    drua_value *result;         /* outputs: the new value; one reference goes to the caller */
    double number_result;
    char *text_result;          /* owned by the caller */
};

/**
 * Checks the arguments of a call, infers shapes and types, and records or sends its work. On failure no result is set.
 * @param bound one entry for each parameter of the operation
 * @param table receives the operation's table or NULL; may be NULL
 */
drua_status drua_graph_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table);

/** Hands the generated text of all pointwise operations to the device. Once, before the first call. */
drua_status drua_graph_open(drua_engine *engine, drua_device *device);
void drua_graph_close(drua_engine *engine);

/** Sends the call that waits for pointwise work to follow it, with what did. */
drua_status drua_graph_send_waiting(drua_engine *engine);

/** Sends all unsent work that somebody can still ask for. */
drua_status drua_graph_flush(drua_engine *engine);

/** What was done last: steps, launches, bytes, times where calls are measured; adds to the text, one line a launch or call. */
void drua_graph_explain(drua_engine *engine, drua_text *text);

/** A table with copies of the headings and cells (row by row), or NULL without memory. */
drua_table *drua_table_make(const char *const *headings, size_t columns, const double *cells, size_t rows);

/** Frees a table. NULL is allowed. */
void drua_table_discard(drua_table *table);

/** Rate of a plain copy of `bytes` bytes on the device: bytes read plus written a second, median of nine; waits. */
drua_status drua_graph_measure_copy(drua_engine *engine, uint64_t bytes, double *bytes_per_second);
drua_status drua_graph_measure_arithmetic(drua_engine *engine, double *operations_per_second);

/* ---- values */

/** A value whose pixels all have one number; takes no memory until it is needed. */
drua_status drua_value_constant(drua_engine *engine, drua_shape shape, drua_type type, double number, drua_value **value);

/** A value with pixels from the host, one dense plane a slice. */
drua_status drua_value_push(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes, drua_value **value);

/** Copies the pixels, dense; waits. */
drua_status drua_value_pull(drua_engine *engine, drua_value *value, drua_planes *planes);

void drua_value_retain(drua_value *value);
void drua_value_release(drua_engine *engine, drua_value *value);
drua_shape drua_value_shape(const drua_value *value);
drua_type drua_value_type(const drua_value *value);

/** "on the device", "a view", "not computed yet"; for reports. */
const char *drua_value_state(const drua_value *value);

#endif
