/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call on images of which the device never sees more than boxes: declared once for the whole images, which need no
 * pixels, then made for one box after the other, here or on another device. What a box reads is what the operation says
 * for tiles (registry/include/tile.h), so boxes of operations that promise equal bits have the bits of the whole image.
 */
#ifndef DRUA_RUN_DECLARED_H
#define DRUA_RUN_DECLARED_H

#include "engine_calls.h"

typedef struct drua_declared drua_declared;

/**
 * Checks the arguments and infers shapes and types, as drua_engine_call does. Images of `bound` are values of which
 * extents and type count, and no pixel; it stays, with what it points to, as long as the declaration.
 * DRUA_E_UNSUPPORTED where the operation needs all pixels of an image at once. Freed with drua_declared_free.
 */
drua_status drua_engine_declare(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_declared **declared);
void drua_declared_free(drua_declared *declared);

/** Shape and type of what parameter i makes. */
drua_shape drua_declared_shape(const drua_declared *declared, size_t i);
drua_type drua_declared_type(const drua_declared *declared, size_t i);

/** Whether boxes are images of their own, whose results are near those of the whole image but not of the same bits. */
bool drua_declared_is_near(const drua_declared *declared);

/** What the call reads and makes for a box of its outputs. */
drua_status drua_declared_tile(const drua_declared *declared, const drua_box *wanted, drua_tile *tile);

/** What of the image that parameter i takes belongs to a tile: all of it where the operation needs it so. */
drua_status drua_declared_input(const drua_declared *declared, size_t i, const drua_tile *tile, drua_box *box);

/** Bytes of scratch for a tile beside its images; waits for nothing. */
uint64_t drua_declared_scratch(drua_engine *engine, const drua_declared *declared, const drua_tile *tile);

/**
 * Makes a tile on any engine. `images`: for each parameter that takes an image, what drua_declared_input says of it.
 * `results`: for each parameter that is an image to make, its pixels in tile->made, one reference for the caller;
 * others NULL. One thread for each engine.
 */
drua_status drua_engine_call_declared(drua_engine *engine, const drua_declared *declared, const drua_tile *tile,
                                      drua_value *const *images, drua_value **results);

/** The pixels of a value in a box of it, sharing its memory; one reference for the caller. */
drua_status drua_engine_see(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part);

#endif
