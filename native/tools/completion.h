/* SPDX-License-Identifier: BSD-3-Clause */
/* Scripts with which shells complete commands, options, settings and names of operations. */
#ifndef DRUA_TOOLS_COMPLETION_H
#define DRUA_TOOLS_COMPLETION_H

#include "tool_command.h"

#include <stdio.h>

/** Prints a script for bash, version 3.2 or later. */
void drua_tool_print_bash_completion(const drua_tool_command *commands, FILE *to);

/** Prints the function _drua for zsh. */
void drua_tool_print_zsh_completion(const drua_tool_command *commands, FILE *to);

#endif
