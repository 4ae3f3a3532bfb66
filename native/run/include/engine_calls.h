/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine as contexts see it: one call of an operation, pixels in and out, all that is pending. Called under the
 * context's lock. */
#ifndef DRUA_ENGINE_CALLS_H
#define DRUA_ENGINE_CALLS_H

#include "bound.h"
#include "text.h"
#include "tile.h"

/** Hands the text of all pointwise operations to the device and reads the settings. Once, before the first call.
 * `lock`: under which calls come. */
drua_status drua_engine_open(drua_engine *engine, drua_device *device, pthread_mutex_t *lock);

/** Presets serve from now on where measurement could choose: results have the bits of every other engine of such a
 * device. Before the first call. */
void drua_engine_use_presets(drua_engine *engine);

/** Also of an engine that could not be opened. */
void drua_engine_close(drua_engine *engine);

/**
 * Checks the arguments of a call, infers shapes and types, and records or sends its work. On failure no result is set.
 * @param bound one entry for each parameter of the operation
 * @param table receives the operation's table or NULL; may be NULL
 */
drua_status drua_engine_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table);

/** A part of a call's result. */
typedef struct drua_region {
    drua_box box; /**< of the first image that the call makes; cut to the image; an axis of no extent: all along it */
    drua_shape whole;       /**< out: the shape of the whole image */
    bool reads_all;         /**< out: whether images had to be read as a whole */
} drua_region;

/**
 * As drua_engine_call for a part of what the call makes: the result of its first image output is that part, other
 * outputs get none. Operations that change images, or make none, are DRUA_E_UNSUPPORTED.
 */
drua_status drua_engine_call_part(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_region *region);

/** Sends all pending work whose result somebody can still ask for. */
drua_status drua_engine_flush(drua_engine *engine);

/** As drua_value_upload, while the device works on what was deferred. */
drua_status drua_engine_push(drua_engine *engine, drua_shape shape, drua_type type, drua_planes *planes,
                             drua_value **value);

#endif
