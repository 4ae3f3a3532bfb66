/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine of one context: its device, its settings, recorded work that has not been sent to the device yet, and
 * state of the rooms above. Every function that takes an engine is called under the context's lock.
 */
#ifndef DRUA_ENGINE_H
#define DRUA_ENGINE_H

#include "device.h"
#include "op.h"
#include "settings.h"
#include "text.h"

typedef struct drua_engine drua_engine;
typedef struct drua_value drua_value;
typedef struct drua_bound drua_bound;
struct drua_spread;

/** The scope of a call: what holds for the call and for all calls that it makes. */
typedef struct drua_scope {
    bool in_tile; /**< the call computes a tile of a larger call */
    const struct drua_fft_choices *transforms; /**< prescribed while several devices share a call; NULL: free choice */
} drua_scope;

/** A call of an operation. */
typedef struct drua_request {
    const drua_op *op;
    drua_bound *bound; /**< one entry for each parameter */
    drua_table **table; /**< receives the table of the operation; NULL: a table is freed */
    const struct drua_call_tile *tile; /**< the tile of a larger call that this call computes; NULL: a whole call */
    void *state; /**< state that the calling operation passes to this one; NULL: no state */
    bool lasting; /**< `op` has static storage and needs no state, although it is private */
    const char *devices; /**< devices that share the tiles of this call; NULL: only the device of the engine */
    drua_scope scope;
} drua_request;

/** Functions of the room run for the rooms below it: the only calls that lead upwards. */
typedef struct drua_executor {
    /** Computes a value that has no pixels yet; `siblings` as in drua_value_materialize_with. */
    drua_status (*materialize)(drua_engine *engine, drua_value *value, bool siblings);

    /** Runs an operation, like drua_engine_call. */
    drua_status (*call)(drua_engine *engine, const drua_request *request);

    /** Runs the parts of a call on several devices; see plan_spread. */
    drua_status (*spread)(drua_plan *plan, struct drua_spread *work, double from);
} drua_executor;

/** For fewer pixels, it does not pay to compile or time a kernel, or to defer a call. */
enum { DRUA_WORTHWHILE_PIXELS = 1 << 20 };

struct drua_engine {
    drua_device *device;
    /* the caller's lock, released while pixels are read from or written to a file */
    pthread_mutex_t *lock;
    const drua_executor *executor;
    drua_settings settings;
    struct drua_fft *fft; /* created on first use */
    drua_value *pending;                /* values that are recorded but not computed, newest first */
    size_t pending_count;
    /* the result of a deferred call of an operation that has kernels, not computed yet; NULL: none */
    drua_value *deferred;
    int line; /* the current line of the caller's program, for error messages */
    bool eager;                         /* each call runs to its end: DRUA_SYNC=1, or time tracing */
    bool times_launches; /* each launch is waited for, so that its time is known; also while `eager` */
    /*
     * rows of at least this many pixels are padded so that each begins at a vector boundary; shorter rows are not
     * padded
     */
    int64_t min_padded_row;
    struct drua_kernel_cache *kernels;  /* kernels compiled for chains, for constants and for user code */
    struct drua_tuner *tuner; /* NULL: defaults are used */
    struct drua_record *records;        /* ring of the last launches and calls; see record.h */
    size_t record_count;                /* total number of records so far */
    double copy_rate; /* bytes per second, 0: not measured yet */
    char *chain_source;                 /* expressions of all operations, for the chain kernel */
    struct drua_others *others; /* devices that helped this one; NULL: none yet */
    drua_text lines; /* messages about successful calls, one per line */
};

static inline bool drua_is_timed(const drua_engine *engine)
{
    return engine->eager || engine->times_launches;
}

#endif
