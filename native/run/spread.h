/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the pieces of one call on several devices; see plan_spread. */
#ifndef DRUA_RUN_SPREAD_H
#define DRUA_RUN_SPREAD_H

#include "call.h"
#include "plan_devices.h"

drua_status drua_run_spread(drua_plan *plan, drua_spread *work, double from);

#endif
