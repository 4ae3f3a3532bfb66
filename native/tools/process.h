/* SPDX-License-Identifier: BSD-3-Clause */
/* drua plan | run | finish | verify | status | process: pipelines by blocks. */
#ifndef DRUA_TOOLS_PROCESS_H
#define DRUA_TOOLS_PROCESS_H

#include <stdbool.h>

/** Whether a word of the command line is one of those. */
bool drua_tool_is_process(const char *verb);

/** Runs it; the exit status: 0 done, 1 wrong, 75 try again. */
int drua_tool_process(const char *verb, int count, char **arguments);

#endif
