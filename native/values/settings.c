/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && !strcmp(text, value);
}

drua_settings drua_settings_read(void)
{
    const char *row = getenv("DRUA_ROWS"), *counted = getenv("DRUA_COUNTED"), *strategy = getenv("DRUA_STRATEGY");
    return (drua_settings){
        .fuse = !is("DRUA_FUSE", "0"),
        .eager = is("DRUA_SYNC", "1"),
        .tune = !is("DRUA_TUNE", "off") && !is("DRUA_TUNE", "0"),
        .compile = is("DRUA_CHAINS", "compile")     ? DRUA_COMPILE_AT_ONCE
                   : is("DRUA_CHAINS", "interpret") ? DRUA_COMPILE_NEVER
                                                    : DRUA_COMPILE_WORTHWHILE,
        .least_padded_row = row ? atoll(row) : -1,
        .most_counted = counted ? atoll(counted) : UINT32_MAX,
        .strategy = strategy && *strategy ? strategy : NULL,
    };
}
