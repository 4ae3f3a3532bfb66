/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes a part of a call's result from the pixels that it needs, if the operation says which these are. */
#ifndef DRUA_PART_H
#define DRUA_PART_H

#include "call.h"

/*
 * Computes the pixels of the call's first image inside a box; the caller releases them. `all`: whether images were read
 * completely. The call must be checked and its shapes inferred, and it must not change existing images.
 */
drua_status drua_run_part(drua_plan *plan, const drua_box *box, drua_value **part, bool *all);

#endif
