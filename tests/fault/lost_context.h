/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One context of several that is gone from some command on: DRUA_LOSE=CONTEXT:COMMANDS, or shim_lose_context. Its
 * commands then fail. With DRUA_LOSE=CONTEXT:COMMANDS:really the driver itself ends it, for a kernel that writes where
 * there is no memory; on GPUs only.
 */
#ifndef DRUA_TESTS_LOST_CONTEXT_H
#define DRUA_TESTS_LOST_CONTEXT_H

#include "late.h"

#include <stdbool.h>

/** Counts a context that was made. */
void lost_context_made(cl_context context);

/** Whether a command of that queue fails because its context is lost. */
bool lost_context(cl_command_queue queue);

#endif
