/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that does not fit the device at once runs tile after tile: what a tile reads of the inputs goes to the device,
 * is computed as if it were an image of its own, and what is wanted of the result goes to the host, where the whole
 * result lives until it is used.
 */
#ifndef DRUA_TILED_H
#define DRUA_TILED_H

#include "call.h"

/* Runs the chain that ends in `value` in tiles. DRUA_E_MEMORY keeps the sentence of the run that did not fit. */
drua_status drua_run_chain_tiled(drua_engine *engine, drua_value *value);

/* Whether the operation of a call can run in tiles, and the call in tiles: sets the results of its images. */
bool drua_can_tile(const drua_plan *plan);
drua_status drua_run_tiled(drua_plan *plan);

#endif
