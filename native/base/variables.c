/* SPDX-License-Identifier: BSD-3-Clause */
#include "variables.h"

#include <stdlib.h>
#include <string.h>

#if defined(DRUA_TEST_VARIABLES)
static const drua_variable known = DRUA_VARIABLES;
#else
static const drua_variable known = DRUA_VARIABLES_FOR_USERS;
#endif

static const struct {
    const char *name, *doc;
} variables[DRUA_VARIABLES] = {
    [DRUA_VARIABLE_DEVICE] = {"DRUA_DEVICE", "device to use if none is named: an index, an address, a part of a name, "
                                             "'gpu' or 'cpu'"},
    [DRUA_VARIABLE_MEMORY] = {"DRUA_MEMORY", "limit of device memory, such as 2GB or 50%"},
    [DRUA_VARIABLE_CACHE] = {"DRUA_CACHE", "folder for compiled kernels and measurements; off: keep nothing"},
    [DRUA_VARIABLE_AHEAD] = {"DRUA_AHEAD", "seconds without a call after which kernels are compiled in advance; 0: "
                                           "never"},
    [DRUA_VARIABLE_CHAINS] = {"DRUA_CHAINS", "compile: compile each chain of pointwise steps, and each filter for "
                                             "its constants, at its first run; interpret: compile none"},
    [DRUA_VARIABLE_FUSE] = {"DRUA_FUSE", "0: run each operation as a separate pass"},
    [DRUA_VARIABLE_TUNE] = {"DRUA_TUNE", "off: use defaults instead of measured choices of kernels"},
    [DRUA_VARIABLE_FFT] = {"DRUA_FFT", "library of Fourier transforms: builtin, vkfft or clfft"},
    [DRUA_VARIABLE_OPTIMIZE] = {"DRUA_OPTIMIZE", "now: PoCL optimizes each kernel at its first launch; never: not at "
                                                 "all"},
    [DRUA_VARIABLE_TIME_KERNELS] = {"DRUA_TIME_KERNELS", "1: measure the time of each kernel"},
    [DRUA_VARIABLE_AS_GPU] = {"DRUA_AS_GPU", NULL},
    [DRUA_VARIABLE_CHUNK] = {"DRUA_CHUNK", NULL},
    [DRUA_VARIABLE_COUNTED] = {"DRUA_COUNTED", NULL},
    [DRUA_VARIABLE_INDEX64] = {"DRUA_INDEX64", NULL},
    [DRUA_VARIABLE_ROWS] = {"DRUA_ROWS", NULL},
    [DRUA_VARIABLE_STRATEGY] = {"DRUA_STRATEGY", NULL},
    [DRUA_VARIABLE_SYNC] = {"DRUA_SYNC", NULL},
};

const char *drua_variable_text(drua_variable variable)
{
    return variable < known ? getenv(variables[variable].name) : NULL;
}

bool drua_variable_is(drua_variable variable, const char *text)
{
    const char *given = drua_variable_text(variable);
    return given && !strcmp(given, text);
}

const char *drua_variable_name(drua_variable variable)
{
    return variables[variable].name;
}

const char *drua_variable_doc(drua_variable variable)
{
    return variables[variable].doc;
}
