/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are opened on first use, so that Drua runs without them. */
#ifndef DRUA_BASE_LIBRARY_H
#define DRUA_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Opens the first file of the NULL-terminated list that the system can load, and returns its handle. Returns NULL if
 * the system can load none of them. The library stays open.
 */
void *drua_library_open(const char *const *files);

/**
 * Returns the handle of a library that the process has already loaded and whose file name contains `part`. `number`
 * counts such libraries from 0. The library stays open. Returns NULL after the last one, and on systems where
 * drua_library_open finds loaded libraries by name.
 */
void *drua_library_of_process(const char *part, int number);

/** Finds the file of the library that contains a function. Returns false if the system does not report it. */
bool drua_library_file(void *function, char *path, size_t size);

/** Returns the address of a function or variable of the library, or NULL if the library has no such name. */
void *drua_library_find(void *library, const char *name);

#endif
