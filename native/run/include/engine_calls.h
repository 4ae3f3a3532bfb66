/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine as contexts use it: calls of operations, transfers of pixels, pending work. Called under the context's
 * lock.
 */
#ifndef DRUA_ENGINE_CALLS_H
#define DRUA_ENGINE_CALLS_H

#include "bound.h"
#include "text.h"
#include "tile.h"

/**
 * Gives the text of all pointwise operations to the device and reads the settings. Call it once, before the first call
 * of an operation. `lock` is the lock that callers hold.
 */
drua_status drua_engine_open(drua_engine *engine, drua_device *device, pthread_mutex_t *lock);

/**
 * From now on uses defaults where measurements could decide, so that results are bit-identical on all devices of the
 * same model and driver. Call it before the first call of an operation.
 */
void drua_engine_use_presets(drua_engine *engine);

/** Also closes an engine that could not be opened. */
void drua_engine_close(drua_engine *engine);

/**
 * Checks the arguments of a call, infers shapes and types, and records or sends its work. On failure no result is set.
 * @param bound one entry for each parameter of the operation
 * @param table receives the operation's table or NULL; may be NULL
 */
drua_status drua_engine_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table);

/** Part of a call's result. */
typedef struct drua_region {
    drua_box box; /**< pixels of the first image that the call makes, limited to the image; an axis without pixels means
                       the whole axis */
    drua_shape whole;       /**< out: the shape of the whole image */
    bool reads_all;         /**< out: whether images had to be read completely */
} drua_region;

/**
 * Like drua_engine_call for a part of the result: the result of the first image output is that part, and the other
 * outputs get no result. DRUA_E_UNSUPPORTED for operations that change images or make none.
 */
drua_status drua_engine_call_part(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_region *region);

/** Sends all pending work whose result can still be used. */
drua_status drua_engine_flush(drua_engine *engine);

/** Like drua_value_upload, while the device works on deferred calls. */
drua_status drua_engine_push(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                             drua_value **value);

#endif
