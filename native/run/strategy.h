/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways to run a call, in the order in which they are tried. A strategy declines (the next one is tried), or it ends
 * the call: well or with a failure in plan->status. A failure for want of memory leaves nothing behind and means the
 * next strategy, too.
 */
#ifndef DRUA_STRATEGY_H
#define DRUA_STRATEGY_H

#include "call.h"

typedef struct drua_strategy {
    const char *name;                       /* printed by drua_explain; DRUA_STRATEGY names one to be tried first */
    bool (*applies)(const drua_plan *plan);
    bool (*run)(drua_plan *plan);           /* false: declined */
} drua_strategy;

/* Runs a call from that strategy on: "view" for a new call, "fused" for one that was deferred. */
void drua_run_strategies(drua_plan *plan, const char *first);

#endif
