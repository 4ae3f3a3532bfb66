/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows alone: its functions with paths in UTF-8 take the language of the machine; those with wide characters take
 * every path. */
#ifndef DRUA_BASE_WINDOWS_TEXT_H
#define DRUA_BASE_WINDOWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** A text of UTF-8 in wide characters, to be freed with drua_free. NULL if it is no UTF-8 or there is no memory. */
wchar_t *drua_wide(const char *utf8);

/** The other way, into an array; false if it does not fit. */
bool drua_narrow(const wchar_t *wide, char *utf8, size_t size);

/**
 * Opens a file for reading, or makes it anew if `writes` is true. Others may read, write, rename and remove it
 * meanwhile. A HANDLE, or INVALID_HANDLE_VALUE.
 */
void *drua_windows_open(const char *path, bool writes);

#endif
