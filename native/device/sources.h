/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of every file below kernels/, made by the build. The family is the folder's name. */
#ifndef DRUA_DEVICE_SOURCES_H
#define DRUA_DEVICE_SOURCES_H

typedef struct drua_source {
    const char *family, *file, *text;   /* family is NULL in the last entry */
} drua_source;

/* The folder of kernels whose constants are known when they are launched: not a program of its own. */
#define DRUA_SPECIAL "special"

extern const drua_source drua_sources[];

#endif
