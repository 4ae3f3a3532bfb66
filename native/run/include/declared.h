/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call on images of which the device never holds more than boxes. The caller declares the call once for the whole
 * images, without pixels, then computes one box after another, on this device or another one. The operation's rules for
 * tiles (registry/include/tile.h) decide what a box reads. If the operation is exact, boxes are bit-identical to those
 * of the whole image.
 */
#ifndef DRUA_RUN_DECLARED_H
#define DRUA_RUN_DECLARED_H

#include "engine_calls.h"

typedef struct drua_declared drua_declared;

/**
 * Checks the arguments and infers shapes and types, like drua_engine_call. Uses only the extents and types of the
 * images in `bound`. `bound` and everything it points to must live as long as the declaration. DRUA_E_UNSUPPORTED if
 * the operation needs all pixels of an image at once. Free the declaration with drua_declared_free.
 */
drua_status drua_engine_declare(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_declared **declared);
void drua_declared_free(drua_declared *declared);

/** Shape and type of the output of parameter i. */
drua_shape drua_declared_shape(const drua_declared *declared, size_t i);
drua_type drua_declared_type(const drua_declared *declared, size_t i);

/** The boxes that the call reads and makes for a box of its outputs. */
drua_status drua_declared_tile(const drua_declared *declared, const drua_box *wanted, drua_tile *tile);

/** The part of parameter i's image that a tile reads: all of it if the operation needs all. */
drua_status drua_declared_input(const drua_declared *declared, size_t i, const drua_tile *tile, drua_box *box);

/** Bytes of scratch memory for a tile in addition to its images; does not wait. */
uint64_t drua_declared_scratch(drua_engine *engine, const drua_declared *declared, const drua_tile *tile);

/** Cost of a pixel of the result, as effort in op.h. */
double drua_declared_effort(drua_engine *engine, const drua_declared *declared);

/**
 * Computes a tile on any engine. `images` holds, for each image parameter that is read, the box from
 * drua_declared_input. `results` receives, for each image parameter that is made, its pixels in tile->made with one
 * reference for the caller, and NULL for the others. One thread per engine.
 */
drua_status drua_engine_call_declared(drua_engine *engine, const drua_declared *declared, const drua_tile *tile,
                                      drua_value *const *images, drua_value **results);

/** The pixels of a value inside a box, sharing its memory; one reference for the caller. */
drua_status drua_engine_see(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part);

#endif
