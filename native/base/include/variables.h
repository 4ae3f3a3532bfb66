/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment variables of Drua. Other code of the library reads none of them. */
#ifndef DRUA_BASE_VARIABLES_H
#define DRUA_BASE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum drua_variable {
    /* for users; docs/settings.md explains them */
    DRUA_VARIABLE_DEVICE,
    DRUA_VARIABLE_MEMORY,
    DRUA_VARIABLE_CACHE,
    DRUA_VARIABLE_AHEAD,
    DRUA_VARIABLE_CHAINS,
    DRUA_VARIABLE_FUSE,
    DRUA_VARIABLE_TUNE,
    DRUA_VARIABLE_FFT,
    DRUA_VARIABLE_OPTIMIZE,
    DRUA_VARIABLE_TIME_KERNELS,
    DRUA_VARIABLES_FOR_USERS,
    /* for tests; tests/README.md explains them */
    DRUA_VARIABLE_AS_GPU = DRUA_VARIABLES_FOR_USERS,
    DRUA_VARIABLE_CHUNK,
    DRUA_VARIABLE_COUNTED,
    DRUA_VARIABLE_INDEX64,
    DRUA_VARIABLE_ROWS,
    DRUA_VARIABLE_STRATEGY,
    DRUA_VARIABLE_SYNC,
    DRUA_VARIABLES
} drua_variable;

/**
 * The text of a variable; NULL if it is not set. Variables for tests are never set in a library that was built without
 * tests (DRUA_TESTS=OFF). Valid until the environment changes.
 */
const char *drua_variable_text(drua_variable variable);

/** Whether a variable has this text. */
bool drua_variable_is(drua_variable variable, const char *text);

/**
 * The name of a variable, such as "DRUA_DEVICE", and a one-line description; only variables for users have one. Static
 * texts.
 */
const char *drua_variable_name(drua_variable variable);
const char *drua_variable_doc(drua_variable variable);

/**
 * Copies a variable of the system or of other programs, in UTF-8. Returns false if it is empty, not set, or too long.
 */
bool drua_environment(const char *name, char *value, size_t size);

#endif
