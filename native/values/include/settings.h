/* SPDX-License-Identifier: BSD-3-Clause */
/* What the environment says about how an engine works; none of it changes a result. */
#ifndef DRUA_SETTINGS_H
#define DRUA_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/** When a kernel is compiled for a chain of pointwise operations or for constants of a filter. */
typedef enum drua_compile_policy {
    DRUA_COMPILE_WORTHWHILE,    /**< in the background, once enough pixels went through the general kernels */
    DRUA_COMPILE_AT_ONCE,       /**< DRUA_CHAINS=compile: the first time, and the call waits for it */
    DRUA_COMPILE_NEVER          /**< DRUA_CHAINS=interpret */
} drua_compile_policy;

typedef struct drua_settings {
    bool fuse;                  /**< DRUA_FUSE=0: every operation runs by itself */
    bool eager;                 /**< DRUA_SYNC=1: each call runs to its end */
    bool tune;                  /**< DRUA_TUNE=off: presets instead of measurements */
    drua_compile_policy compile;
    int64_t least_padded_row; /**< DRUA_ROWS=n: rows of n pixels and more begin with whole vectors; 0: none do; -1: as
                                 the device likes it */
    int64_t most_counted; /**< DRUA_COUNTED=n: pixels that numbers of 32 bits count, for tests; else UINT32_MAX */
    const char *strategy;       /**< DRUA_STRATEGY=name: calls run so where they can; NULL: by the engine's own order */
} drua_settings;

drua_settings drua_settings_read(void);

#endif
