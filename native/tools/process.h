/* SPDX-License-Identifier: BSD-3-Clause */
/* drua plan | run | finish | verify | status | process: runs pipelines by blocks. */
#ifndef DRUA_TOOLS_PROCESS_H
#define DRUA_TOOLS_PROCESS_H

#include <stdbool.h>

/** Returns whether a word of the command line is one of these commands. */
bool drua_tool_is_process(const char *verb);

/** Runs a command. Returns the exit status: 0 done, 1 failed, 75 retry. */
int drua_tool_process(const char *verb, int count, char **arguments);

#endif
