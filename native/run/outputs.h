/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the outputs of a call: new images, existing images, and results that are copied over an image of another
 * size.
 */
#ifndef DRUA_OUTPUTS_H
#define DRUA_OUTPUTS_H

#include "call.h"

/* Allocates the outputs. */
void drua_make_outputs(drua_plan *plan);

/*
 * Whether the call may write into the memory of this resident value: nothing else uses it, and the call does not read
 * it as another argument.
 */
bool drua_may_change(const drua_plan *plan, const drua_value *value);

/* Copies results over existing images of another size. No image changes before the last one has succeeded. */
void drua_finish_outputs(drua_plan *plan);

#endif
