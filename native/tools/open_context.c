/* SPDX-License-Identifier: BSD-3-Clause */
#include "open_context.h"

#include <stdio.h>

drua_status drua_tool_open(const char *selector, drua_context **context)
{
    const drua_status status = drua_open(selector, context);
    if (status != DRUA_OK)
        return status;
    drua_device_info info;
    drua_context_device(*context, &info);
    fprintf(stderr, "Drua %s on %s (%s)\n", drua_version(), info.name, info.platform);
    const char *const lines[] = {drua_context_note(*context), drua_context_warning(*context)};
    for (int i = 0; i < 2; i++)
        if (*lines[i])
            fprintf(stderr, "%s\n", lines[i]);
    return DRUA_OK;
}
