/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files that come from names of images. drua.engine.FileName in Java has the same rule. */
#ifndef DRUA_BASE_FILE_NAME_H
#define DRUA_BASE_FILE_NAME_H

#include <stdbool.h>

/** Why a text is not the name of one file on every system, as the end of a sentence ("it is empty"); NULL if it is. */
const char *drua_file_name_fault(const char *name);

/** Whether two names are those of one file on some system, which does not tell small letters from large ones. */
bool drua_file_name_same(const char *a, const char *b);

#endif
