/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits the part of a device's memory that Drua uses. */
#include "internal.h"

#include "error.h"
#include "variables.h"

#include <stdlib.h>
#include <string.h>

/* Bytes per unit; a percentage is relative to `all`. 0 if the text is not a unit. */
static double unit_of(const char *text, uint64_t all)
{
    static const char letters[] = "kmgt";
    while (*text == ' ')
        text++;
    if (!*text)
        return 1 << 20;
    if (!strcmp(text, "%"))
        return (double)all / 100;
    const char *letter = strchr(letters, *text | 0x20);
    const char *rest = text + 1;
    if (!letter || (*rest && strcmp(rest, "B") && strcmp(rest, "b")))
        return 0;
    double bytes = 1024;
    for (; letter > letters; letter--)
        bytes *= 1024;
    return bytes;
}

static drua_status parse_budget(const drua_device_info *info, const char *text, uint64_t *budget)
{
    char *end;
    const double number = strtod(text, &end), bytes = number * unit_of(end, info->global_memory);
    if (end == text || !(bytes >= DRUA_MIN_BUDGET) || !(bytes < 1e18))
        return drua_fail(
            DRUA_E_ARGUMENT,
            "memory must be at least %d MB, as a number of MB or a number with KB, MB, GB or %%; got '%.40s'",
            DRUA_MIN_BUDGET >> 20, text);
    *budget = bytes < (double)info->global_memory ? (uint64_t)bytes : info->global_memory;
    return DRUA_OK;
}

drua_status drua_device_set_budget(drua_device *device, const char *text)
{
    const drua_device_info *info = &device->info;
    if (!text || !*text)
        text = drua_variable_text(DRUA_VARIABLE_MEMORY);
    if (text && *text)
        DRUA_TRY(parse_budget(info, text, &device->budget));
    else
        device->budget = (uint64_t)((double)info->global_memory * (info->is_gpu ? 0.85 : 0.6));
    device->statistics.budget_bytes = device->budget;
    return drua_buffers_fit(device);
}
