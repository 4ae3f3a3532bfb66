/* SPDX-License-Identifier: BSD-3-Clause */
/* A context whose device the user is told. */
#ifndef DRUA_TOOLS_OPEN_CONTEXT_H
#define DRUA_TOOLS_OPEN_CONTEXT_H

#include <drua/drua.h>

/** drua_open; then stderr has a line with the device, and one more if a better one does not serve. */
drua_status drua_tool_open(const char *selector, drua_context **context);

#endif
