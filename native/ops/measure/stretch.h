/* SPDX-License-Identifier: BSD-3-Clause */
/* Stretches grey values between two numbers. */
#ifndef DRUA_OPS_STRETCH_H
#define DRUA_OPS_STRETCH_H

#include "recorded_calls.h"

/**
 * For operations that are built from calls of other operations: returns an image of `type`, in which `source` is
 * stretched linearly so that `low` becomes 0 and `high` becomes 1. If low is not below high, finite pixels become 0.
 * Pipelines that run block by block record this call (recorded_calls.h).
 */
drua_operand stretch_between(drua_plan *plan, drua_operand source, drua_type type, double low, double high);

#endif
