/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deferred calls. On GPUs a call whose kernel can take an epilogue is sent with the next call that is no pointwise
 * operation, so that the pointwise work between them runs in its launch. The engine defers one call at a time.
 */
#ifndef DRUA_DEFERRED_H
#define DRUA_DEFERRED_H

#include "call.h"

/* Whether the call can be sent later, with what follows it. */
bool drua_can_defer(const drua_plan *plan);

/* Records the call and its results, to be sent later. */
void drua_defer(drua_plan *plan);

/* Sends the call that makes `value`; `fusion` may be NULL. Where its epilogue is done the value gets memory only if it
 * is kept. */
drua_status drua_deferred_run(drua_engine *engine, drua_value *value, drua_fusion *fusion);

/* Sends the deferred call, if there is one that somebody can still ask for, with the pointwise work that followed it.
 */
drua_status drua_deferred_send(drua_engine *engine);

/* Sends the deferred calls among all that `value` is made of. */
drua_status drua_deferred_send_below(drua_engine *engine, drua_value *value);

/*
 * The chain that ends in `root`, if it can be computed where one call reads it, and is of float32 alone if only
 * `floats` pay: then root gets memory for its pixels, which drua_chain_fill computes and drua_chain_discard gives back.
 */
drua_status drua_reserve_prologue(drua_engine *engine, drua_value *root, bool floats, drua_chain *chain,
                                  bool *reserved);

#endif
