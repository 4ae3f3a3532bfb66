/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the pixels of pending values by chains, and by deferred calls whose launches may include a chain. */
#ifndef DRUA_MATERIALIZE_H
#define DRUA_MATERIALIZE_H

#include "call.h"

/* Computes a pending value, as a whole or, without enough memory, in tiles; see drua_value_materialize_with. */
drua_status drua_materialize(drua_engine *engine, drua_value *value, bool siblings);

#endif
