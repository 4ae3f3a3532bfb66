/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are opened when they are first needed, so that Drua runs where they are not installed. */
#ifndef DRUA_BASE_LIBRARY_H
#define DRUA_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/** Opens the first of the files, whose list ends with NULL, that the system finds; NULL if there is none. Stays open.
 */
void *drua_library_open(const char *const *files);

/**
 * The `number`-th library, from 0, that the process holds already and whose file name contains `part`; stays open. NULL
 * behind the last, and on systems that know a library by its name alone, where drua_library_open finds it.
 */
void *drua_library_of_process(const char *part, int number);

/** The file of the library that holds a function; false where the system does not tell. */
bool drua_library_file(void *function, char *path, size_t size);

/** The address of a function or variable of the library, NULL if it has none of that name. */
void *drua_library_find(void *library, const char *name);

#endif
