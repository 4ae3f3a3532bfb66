/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strategies to run a call, in the order in which they are tried. A strategy declines, and the next one is tried,
 * or it ends the call with success or with a failure in plan->status. If it lacks memory, it frees its results, and the
 * next one is tried too.
 */
#ifndef DRUA_STRATEGY_H
#define DRUA_STRATEGY_H

#include "call.h"

typedef struct drua_strategy {
    const char *name; /* printed by drua_explain_launches; DRUA_STRATEGY names one to be tried
                                               first */
    bool (*applies)(const drua_plan *plan);
    bool (*run)(drua_plan *plan);           /* false: declined */
} drua_strategy;

/* Runs a call, beginning with the named strategy: "view" for a new call, "fused" for a deferred one. */
void drua_run_strategies(drua_plan *plan, const char *first);

#endif
