/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints operations for people. */
#ifndef DRUA_TOOLS_DESCRIBE_OPERATION_H
#define DRUA_TOOLS_DESCRIBE_OPERATION_H

#include "tool_command.h"

#include <stddef.h>
#include <stdio.h>

/** drua describe [OPERATION] */
int drua_tool_describe(const drua_tool_command *command, int count, char **arguments);

/** Prints the settings of an operation's options, one a line. */
void drua_tool_print_settings(const char *operation, FILE *to);

/** Returns whether an operation's options have a setting of this name, whose length is `length`. */
bool drua_tool_has_setting(const char *operation, const char *name, size_t length);

/** Writes the most similar name of a setting into `near`; "" if no name is similar. */
void drua_tool_near_setting(const char *operation, const char *name, char *near, size_t size);

#endif
