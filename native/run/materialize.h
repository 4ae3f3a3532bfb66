/* SPDX-License-Identifier: BSD-3-Clause */
/* From pending values to pixels: chains, and the deferred calls that they may go along with. */
#ifndef DRUA_MATERIALIZE_H
#define DRUA_MATERIALIZE_H

#include "call.h"

/* Computes a pending value: as a whole, or in tiles where there is no room. */
drua_status drua_materialize(drua_engine *engine, drua_value *value);

/* The same as a whole alone. */
drua_status drua_materialize_whole(drua_engine *engine, drua_value *value);

/* Materializes the oldest pending values while there are too many. */
void drua_limit_pending(drua_plan *plan);

#endif
