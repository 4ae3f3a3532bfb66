/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for what a call writes: new images, images that exist, and what goes over one of another size. */
#ifndef DRUA_OUTPUTS_H
#define DRUA_OUTPUTS_H

#include "call.h"

/* Makes the outputs to be written. */
void drua_make_outputs(drua_plan *plan);

/* Whether the call may write into the memory of this resident value: nobody else sees it, and the call does not read it
 * as another argument. */
bool drua_may_change(const drua_plan *plan, const drua_value *value);

/* Lays what was made over images that exist and have another size: of several images none changes before the last one
 * has succeeded. */
void drua_finish_outputs(drua_plan *plan);

#endif
