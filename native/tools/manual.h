/* SPDX-License-Identifier: BSD-3-Clause */
/* The manual page. */
#ifndef DRUA_TOOLS_MANUAL_H
#define DRUA_TOOLS_MANUAL_H

#include "tool_command.h"

#include <stdio.h>

/** Prints the manual page drua(1) of a table of commands, in the format of man(7). */
void drua_tool_print_manual(const drua_tool_command *commands, FILE *to);

#endif
