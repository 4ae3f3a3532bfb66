/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a context and prints its device. */
#ifndef DRUA_TOOLS_OPEN_CONTEXT_H
#define DRUA_TOOLS_OPEN_CONTEXT_H

#include <drua/drua.h>

/** Calls drua_open, then prints a line with the device to stderr, and another line if a better device is unusable. */
drua_status drua_tool_open(const char *selector, drua_context **context);

#endif
