/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of an image: lines key=value, as in ImageJ's files. */
#ifndef DRUA_IO_IMAGEJ_H
#define DRUA_IO_IMAGEJ_H

#include <stdbool.h>
#include <stddef.h>

/** Copies the value of a key from an image's text, cut to `size`. Returns false if the text lacks the key. */
bool drua_imagej_find(const char *text, const char *key, char *value, size_t size);

/** Returns the number of units `to` in one unit `from`, both in ImageJ's spelling; 0 if it is unknown. */
double drua_unit_factor(const char *from, const char *to);

#endif
