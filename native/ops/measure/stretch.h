/* SPDX-License-Identifier: BSD-3-Clause */
/* Stretches grey values between two numbers. */
#ifndef DRUA_OPS_STRETCH_H
#define DRUA_OPS_STRETCH_H

#include "recorded_calls.h"

/**
 * For composites: returns an image of `type` in which `low` became 0 and `high` became 1. If low is not below high,
 * finite pixels become 0. Can be recorded for blocks.
 */
drua_operand stretch_between(drua_plan *plan, drua_operand source, drua_type type, double low, double high);

#endif
