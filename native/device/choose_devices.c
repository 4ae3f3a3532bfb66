/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices that one text names. */
#include "internal.h"

#include "error.h"

#include <stdio.h>
#include <string.h>

bool drua_device_is_alike(const drua_device_info *a, const drua_device_info *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->driver, b->driver);
}

/* A device that is named twice is added once. */
static void add_device(drua_device_choice *choice, size_t index, const drua_device_info *info,
                       const drua_device_info *own)
{
    const bool is_own = !strcmp(info->address, own->address);
    choice->alike = choice->alike && drua_device_is_alike(info, own);
    choice->has_own = choice->has_own || is_own;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->others[i] == index)
            return;
    if (!is_own && choice->count < DRUA_MAX_CHOSEN)
        choice->others[choice->count++] = index;
}

static drua_status add_named(drua_device_choice *choice, const char *selector, const drua_device_info *own)
{
    const size_t count = drua_device_count();
    for (size_t i = 0; i < count; i++) {
        drua_device_info info;
        if (drua_device_inspect(i, &info) != DRUA_OK || !drua_device_fits(&info, i, selector))
            continue;
        add_device(choice, i, &info, own);
        return DRUA_OK;
    }
    return drua_fail(DRUA_E_ARGUMENT,
                     "devices must be 'all' or names of devices of this computer, separated by commas; no device is "
                     "called '%.80s'; 'drua devices' lists them",
                     selector);
}

static void add_all(drua_device_choice *choice, const drua_device_info *own)
{
    const size_t count = drua_device_count();
    choice->has_own = true;
    for (size_t i = 0; i < count; i++) {
        drua_device_info info;
        if (drua_device_inspect(i, &info) == DRUA_OK && drua_device_is_alike(&info, own))
            add_device(choice, i, &info, own);
    }
}

drua_status drua_device_choose(const char *text, const drua_device_info *own, drua_device_choice *choice)
{
    *choice = (drua_device_choice){.alike = true};
    if (!strcmp(text, "all")) {
        add_all(choice, own);
        return DRUA_OK;
    }
    for (const char *at = text; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        char selector[256];
        snprintf(selector, sizeof selector, "%s", at);
        selector[strcspn(selector, ",")] = 0;
        if (!*selector)
            return drua_fail(DRUA_E_ARGUMENT,
                             "devices must be 'all' or names of devices of this computer, separated by commas, got "
                             "'%.80s'",
                             text);
        DRUA_TRY(add_named(choice, selector, own));
    }
    return DRUA_OK;
}
