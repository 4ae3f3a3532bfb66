/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deferred calls. On a GPU, a call whose kernel can take an epilogue is not sent before the next call that is not
 * pointwise. Its launch then also runs the pointwise work between the two calls. The engine defers one call at a time.
 */
#ifndef DRUA_DEFERRED_H
#define DRUA_DEFERRED_H

#include "call.h"

/* Whether the call can be sent later, together with the work that follows it. */
bool drua_can_defer(const drua_plan *plan);

/* Records the call and its results, to be sent later. */
void drua_defer(drua_plan *plan);

/* Sends the deferred call if its result can still be used, with the pointwise work that followed it. */
drua_status drua_deferred_send(drua_engine *engine);

/* Sends the deferred calls on which `value` depends. */
drua_status drua_deferred_send_below(drua_engine *engine, drua_value *value);

/*
 * Forms the chain that ends in `root` if the call can compute it where it reads `root`, and sets *reserved. With
 * `floats`, all images of the chain must be float32. Gives root memory for its pixels: drua_chain_fill computes them
 * and drua_chain_discard frees them.
 */
drua_status drua_reserve_prologue(drua_plan *plan, drua_value *root, bool floats, drua_chain *chain, bool *reserved);

#endif
