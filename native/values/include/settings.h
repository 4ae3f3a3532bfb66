/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings from the environment that affect how an engine works, but never a result. */
#ifndef DRUA_SETTINGS_H
#define DRUA_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/** When to compile a kernel for a chain of pointwise operations, or for a filter's constants. */
typedef enum drua_compile_policy {
    DRUA_COMPILE_WORTHWHILE,    /**< in the background, once the general kernels have processed enough pixels */
    DRUA_COMPILE_AT_ONCE,       /**< DRUA_CHAINS=compile: on first use, and the call waits */
    DRUA_COMPILE_NEVER          /**< DRUA_CHAINS=interpret */
} drua_compile_policy;

typedef struct drua_settings {
    bool fuse;                  /**< DRUA_FUSE=0: every operation runs separately */
    bool eager;                 /**< DRUA_SYNC=1: each call runs to its end */
    bool tune; /**< DRUA_TUNE=off: uses defaults instead of measurements */
    drua_compile_policy compile;
    int64_t min_padded_row; /**< DRUA_ROWS=n: rows of at least n pixels are aligned to whole vectors; 0: none are; -1:
                                 the device's preference */
    int64_t max_counted; /**< DRUA_COUNTED=n: largest number of pixels for 32-bit counters, for tests; otherwise
                               UINT32_MAX */
    const char *strategy;       /**< DRUA_STRATEGY=name: calls use this strategy if they can; NULL: the engine's own
                                     order */
} drua_settings;

drua_settings drua_settings_read(void);

#endif
