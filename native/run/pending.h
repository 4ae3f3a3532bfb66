/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of pending values. */
#ifndef DRUA_RUN_PENDING_H
#define DRUA_RUN_PENDING_H

#include "call.h"

/* Materializes the oldest pending values while there are too many. */
void drua_limit_pending(drua_plan *plan);

#endif
