/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands. Usage, help, the manual page and completion are made from it. */
#ifndef DRUA_TOOLS_COMMAND_TABLE_H
#define DRUA_TOOLS_COMMAND_TABLE_H

#include "tool_command.h"

/** All commands; an entry without a name ends the list. */
extern const drua_tool_command drua_tool_commands[];

#endif
