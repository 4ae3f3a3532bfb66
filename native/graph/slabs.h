/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in parts, for what does not fit the device at once. */
#ifndef DRUA_GRAPH_SLABS_H
#define DRUA_GRAPH_SLABS_H

#include "internal.h"

/* Runs the chain that ends in `value` in parts. DRUA_E_MEMORY keeps the sentence of the run that did not fit. */
drua_status drua_slabs_chain(drua_engine *engine, drua_value *value);

/* Whether the operation of a call can run in parts, and the call in parts: sets the results of its images. */
bool drua_slabs_serve(const drua_plan *plan);
drua_status drua_slabs_call(drua_plan *plan);

/* The extent of the inputs that are cut. */
drua_shape drua_slabs_inputs(const drua_plan *plan);

/* The same box after box. */
bool drua_boxes_serve(const drua_plan *plan);
drua_status drua_boxes_call(drua_plan *plan);

#endif
