/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_CHECK_ARGUMENTS_H
#define DRUA_TOOLS_CHECK_ARGUMENTS_H

#include "tool_command.h"

/**
 * Answers --help and --version, checks the arguments against the table of commands, and runs the command. Refuses
 * unknown options and settings, missing values, and missing or surplus words before the command begins. Returns the
 * exit status.
 */
int drua_tool_start(const drua_tool_command *command, int count, char **arguments);

#endif
