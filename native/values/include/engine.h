/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine of one context: its device, its settings, the work that is recorded but not sent, and what the rooms above
 * keep in it. Everything that takes an engine is called under the context's lock.
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

/** What the top room does for those below it: the only calls that lead upwards. */
typedef struct drua_executor {
    /** Computes a value that has no pixels yet. */
    drua_status (*materialize)(drua_engine *engine, drua_value *value);

    /** Runs an operation, as drua_engine_call; the next call's tile, if it is part of another call, is engine->tile. */
    drua_status (*call)(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table);

    /** Runs the pieces of a call on several devices; see plan_spread. */
    drua_status (*spread)(drua_plan *plan, struct drua_spread *work, double from);
} drua_executor;

/** Work on fewer pixels is over before compiling a kernel for it, timing it or deferring it pays. */
enum { DRUA_WORTHWHILE_PIXELS = 1 << 20 };

struct drua_engine {
    drua_device *device;
    pthread_mutex_t *lock;              /* the caller's, given up while the pixels of a file move */
    const drua_executor *executor;
    drua_settings settings;
    struct drua_fft *fft;               /* made when first asked for */
    const struct drua_fft_choices *fft_choices; /* that it follows while it shares a call with others; NULL: none */
    drua_value *pending;                /* values that are recorded and not computed, newest first */
    size_t pending_count;
    drua_value *deferred;               /* the one of them that a call with kernels of its own makes; NULL: none */
    int line;                           /* of the caller's program; errors name it */
    bool eager;                         /* each call runs to its end: DRUA_SYNC=1, and time tracing */
    bool times_launches; /* each launch is waited for, so that its time is known, as it is while `eager` */
    bool flushing; /* all pending work goes out, so images of the same inputs are made in one pass */
    int64_t least_padded_row; /* rows of so many pixels begin with whole vectors, those of fewer follow each other */
    struct drua_kernel_cache *kernels;  /* compiled for chains, for constants and for users */
    struct drua_tuner *tuner;           /* NULL: presets serve */
    struct drua_record *records;        /* ring of what was done last; see record.h */
    size_t record_count;                /* ever */
    double copy_rate;                   /* bytes a second, 0: not measured yet */
    bool in_tiles;                      /* what runs now is a tile of a larger call */
    const struct drua_call_tile *tile;   /* what the next call is a tile of, or NULL */
    void *state;                        /* what the next call is handed by the operation that makes it, or NULL */
    const char *devices; /* that share the tiles of the next call, or NULL */
    drua_buffer *tile_scratch;          /* scratch that all tiles of that call share, or NULL */
    char *chain_source;                 /* every operation's expression, for the chain kernel */
    struct drua_others *others; /* devices that helped it; NULL: none yet */
    drua_text lines; /* what people should know of calls that went well, a line each */
};

static inline bool drua_is_timed(const drua_engine *engine)
{
    return engine->eager || engine->times_launches;
}

#endif
