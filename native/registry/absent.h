/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of CLIJ2 that Drua does not have, such as those that call other plugins. */
#ifndef DRUA_ABSENT_H
#define DRUA_ABSENT_H

/** The beginning of a command's name without its prefix, and what to do instead. The table ends with NULL. */
typedef struct drua_absent {
    const char *begins, *advice;
} drua_absent;
extern const drua_absent drua_absent_table[];

/** The advice for a command in drua_absent_table; NULL for other commands. */
const char *drua_absent_advice(const char *command);

#endif
