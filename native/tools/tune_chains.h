/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_TOOLS_TUNE_CHAINS_H
#define DRUA_TOOLS_TUNE_CHAINS_H

#include "tool_command.h"

/** Reads the factor by which the extents of images are divided: 1 without a text, 0 if the text is not a factor. */
int drua_tool_read_divisor(const char *text);

/** Refuses a text that is not a divisor. Returns the exit status. */
int drua_tool_refuse_divisor(const drua_tool_command *command, const char *text);

/** drua tune: compiles and times common chains and filters. Returns the exit status. */
int drua_tool_tune(const drua_tool_command *command, int count, char **arguments);

#endif
