/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For Windows, where functions with char paths use the machine's language and functions with wide characters accept
 * every path.
 */
#ifndef DRUA_BASE_WINDOWS_TEXT_H
#define DRUA_BASE_WINDOWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Converts UTF-8 to wide characters; free the result with drua_free. NULL if the text is not UTF-8 or without memory.
 */
wchar_t *drua_wide(const char *utf8);

/** Converts back into an array. Returns false if the text does not fit. */
bool drua_narrow(const wchar_t *wide, char *utf8, size_t size);

/**
 * Opens a file for reading, or creates it if `writes` is true. Others may read, write, rename and remove it meanwhile.
 * Returns a HANDLE, or INVALID_HANDLE_VALUE.
 */
void *drua_windows_open(const char *path, bool writes);

#endif
