/* SPDX-License-Identifier: BSD-3-Clause */
/* drua plan | run | finish | verify | status | process: runs pipelines block by block. */
#ifndef DRUA_TOOLS_PROCESS_H
#define DRUA_TOOLS_PROCESS_H

#include "tool_command.h"

/** Runs one of these commands. Returns the exit status: 0 done, 1 failed, 75 retry. */
int drua_tool_process(const drua_tool_command *command, int count, char **arguments);

#endif
