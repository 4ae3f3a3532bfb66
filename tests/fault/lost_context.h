/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One of several contexts is lost after some number of commands: DRUA_LOSE=CONTEXT:COMMANDS, or shim_lose_context. Its
 * later commands fail. With DRUA_LOSE=CONTEXT:COMMANDS:really a kernel writes outside all memory so that the driver
 * itself destroys the context; on GPUs only.
 */
#ifndef DRUA_TESTS_LOST_CONTEXT_H
#define DRUA_TESTS_LOST_CONTEXT_H

#include "late.h"

#include <stdbool.h>

/** Counts a new context. */
void lost_context_made(cl_context context);

/** Whether a command of that queue must fail because its context is lost. */
bool lost_context(cl_command_queue queue);

#endif
