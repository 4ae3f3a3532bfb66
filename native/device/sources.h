/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of every file below kernels/, embedded by the build. The family is the folder's name. */
#ifndef DRUA_DEVICE_SOURCES_H
#define DRUA_DEVICE_SOURCES_H

#include <stdbool.h>
#include <string.h>

typedef struct drua_source {
    const char *family, *file, *text;   /* family is NULL in the last entry */
} drua_source;

/*
 * Folders of kernels whose constants are known only at launch, so that they cannot be compiled alone. All of them share
 * the text of the folder `common`.
 */
#define DRUA_SPECIALIZED "specialized/"
#define DRUA_SPECIALIZED_COMMON DRUA_SPECIALIZED "common"

/* The folder of declarations of OpenCL's functions, in place of a driver's header. */
#define DRUA_DECLARATIONS "builtin"

extern const drua_source drua_sources[];

static inline bool drua_source_is_specialized(const drua_source *source)
{
    return !strncmp(source->family, DRUA_SPECIALIZED, sizeof DRUA_SPECIALIZED - 1);
}

#endif
