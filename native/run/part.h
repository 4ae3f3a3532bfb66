/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a call's result, computed from what it needs alone where the operation says what that is. */
#ifndef DRUA_PART_H
#define DRUA_PART_H

#include "call.h"

/*
 * The pixels of the first image that the call makes in a box of it, for the caller to release. `all`: whether images
 * were read as a whole. The call must be checked and its shapes inferred; it must not change images that exist.
 */
drua_status drua_run_part(drua_plan *plan, const drua_box *box, drua_value **part, bool *all);

#endif
