/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files that come from names of images. drua.engine.FileName in Java has the same rule. */
#ifndef DRUA_BASE_FILE_NAME_H
#define DRUA_BASE_FILE_NAME_H

#include <stdbool.h>

/**
 * Returns why a text is not a valid file name on every system, as the end of a sentence ("it is empty"); NULL if it is
 * valid.
 */
const char *drua_file_name_fault(const char *name);

/** Returns whether two names are the same file on a system that ignores case. */
bool drua_file_name_same(const char *a, const char *b);

#endif
