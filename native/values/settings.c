/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"
#include "variables.h"

#include <stdlib.h>

drua_settings drua_settings_read(void)
{
    const char *row = drua_variable_text(DRUA_VARIABLE_ROWS), *counted = drua_variable_text(DRUA_VARIABLE_COUNTED),
               *strategy = drua_variable_text(DRUA_VARIABLE_STRATEGY);
    return (drua_settings){
        .fuse = !drua_variable_is(DRUA_VARIABLE_FUSE, "0"),
        .eager = drua_variable_is(DRUA_VARIABLE_SYNC, "1"),
        .tune = !drua_variable_is(DRUA_VARIABLE_TUNE, "off") && !drua_variable_is(DRUA_VARIABLE_TUNE, "0"),
        .compile = drua_variable_is(DRUA_VARIABLE_CHAINS, "compile")     ? DRUA_COMPILE_AT_ONCE
                   : drua_variable_is(DRUA_VARIABLE_CHAINS, "interpret") ? DRUA_COMPILE_NEVER
                                                                         : DRUA_COMPILE_WORTHWHILE,
        .min_padded_row = row ? atoll(row) : -1,
        .max_counted = counted ? atoll(counted) : UINT32_MAX,
        .strategy = strategy && *strategy ? strategy : NULL,
    };
}
