/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strategies to run a call, in the order in which they are tried. The next one is tried if a strategy declines, or
 * if it runs out of memory, after its results were freed. Otherwise the strategy ends the call, with success or with a
 * failure in plan->status.
 */
#ifndef DRUA_STRATEGY_H
#define DRUA_STRATEGY_H

#include "call.h"

typedef struct drua_strategy {
    const char *name; /* drua_explain_launches prints it; DRUA_STRATEGY names the strategy to try first */
    bool (*applies)(const drua_plan *plan);
    bool (*run)(drua_plan *plan);           /* false: declined */
} drua_strategy;

/* Runs a call, beginning with the named strategy: "view" for a new call, "fused" for a deferred one. */
void drua_run_strategies(drua_plan *plan, const char *first);

#endif
