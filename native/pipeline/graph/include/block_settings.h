/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses settings in a text, "name=value name=value word". */
#ifndef DRUA_PIPELINE_BLOCK_SETTINGS_H
#define DRUA_PIPELINE_BLOCK_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Both pointers point into the text. */
typedef struct setting {
    const char *name, *value; /* value: NULL for a word without a value */
    size_t name_length, length;
} setting;

/* Reads the next "name=value" or word of a text; a value may be quoted. Returns false at the end. */
bool setting_next(const char **at, setting *s);

#endif
