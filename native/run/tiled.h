/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in tiles, for what does not fit the device at once. Whole results live on the host. */
#ifndef DRUA_TILED_H
#define DRUA_TILED_H

#include "call.h"

/* Larger tiles than so many times what is wanted of them do not pay where there is another way. */
enum { LARGEST_OVERHEAD = 4 };

/* Runs the chain that ends in `value` in tiles. DRUA_E_MEMORY keeps the sentence of the run that did not fit. */
drua_status drua_run_chain_tiled(drua_engine *engine, drua_value *value);

/* Whether the operation of a call can run in tiles, and the call in tiles: sets the results of its images. */
bool drua_can_tile(const drua_plan *plan);
drua_status drua_run_tiled(drua_plan *plan);

/* Layers along an axis. */
bool drua_slabs_serve(const drua_plan *plan);
drua_status drua_slabs_call(drua_plan *plan);

/* The extent of the inputs that are cut. */
drua_shape drua_slabs_inputs(const drua_plan *plan);

/* Boxes. */
bool drua_boxes_serve(const drua_plan *plan);
drua_status drua_boxes_call(drua_plan *plan);

#endif
