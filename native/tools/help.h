/* SPDX-License-Identifier: BSD-3-Clause */
/* Help about a table of commands. */
#ifndef DRUA_TOOLS_HELP_H
#define DRUA_TOOLS_HELP_H

#include "tool_command.h"

#include <stdio.h>

/** Prints all commands of a table with their summaries. */
void drua_tool_print_overview(const drua_tool_command *commands, FILE *to);

/** Prints usage, summary, details and options of a command. */
void drua_tool_print_help(const drua_tool_command *command, FILE *to);

/** drua help [COMMAND | --man | --bash | --zsh], about the commands of a table. Returns the exit status. */
int drua_tool_help(const drua_tool_command *commands, const drua_tool_command *command, int count, char **arguments);

/** drua version */
int drua_tool_version(const drua_tool_command *command, int count, char **arguments);

#endif
