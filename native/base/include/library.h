/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are opened when they are first needed, so that Drua runs where they are not installed. */
#ifndef DRUA_BASE_LIBRARY_H
#define DRUA_BASE_LIBRARY_H

/** Opens the first of the files, whose list ends with NULL, that the system finds; NULL if there is none. Stays open. */
void *drua_library_open(const char *const *files);

/** The address of a function or variable of the library, NULL if it has none of that name. */
void *drua_library_find(void *library, const char *name);

#endif
