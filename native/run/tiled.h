/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that does not fit the device at once runs in tiles. The inputs of a tile go to the device, the tile is computed
 * like a separate image, and the wanted part of the result goes to the host. The whole result stays there until it is
 * used.
 */
#ifndef DRUA_TILED_H
#define DRUA_TILED_H

#include "call.h"

/* Runs the chain that ends in `value` in tiles. DRUA_E_MEMORY keeps the error message of the run that did not fit. */
drua_status drua_run_chain_tiled(drua_engine *engine, drua_value *value);

/* drua_can_tile returns whether the call can run in tiles. drua_run_tiled runs it in tiles and sets its results. */
bool drua_can_tile(const drua_plan *plan);
drua_status drua_run_tiled(drua_plan *plan);

#endif
