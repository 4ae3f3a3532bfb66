/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of private operations that pipelines can record to run them block by block. */
#ifndef DRUA_CALL_RECORDED_CALLS_H
#define DRUA_CALL_RECORDED_CALLS_H

#include "plan.h"

/**
 * Like plan_call_private, for an operation that needs no state. Pipelines that run block by block record the call as a
 * part of the calling operation. `op` must have static storage; errors name it.
 */
drua_operand plan_call_recorded(drua_plan *plan, const drua_op *op, drua_type type, const drua_operand *operands,
                                size_t count);
#define CALL_RECORDED(plan, op, type, ...)                                                                             \
    plan_call_recorded(plan, op, type, (const drua_operand[]){__VA_ARGS__},                                            \
                       sizeof((const drua_operand[]){__VA_ARGS__}) / sizeof(drua_operand))

/**
 * Number of the movie's frame, from 1, that a pipeline processes block by block; 0 in other calls. A pipeline whose
 * operation calls this function is recorded again for each frame. *frames receives the movie's number of frames.
 */
int64_t plan_frame(drua_plan *plan, int64_t *frames);

#endif
