/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings in a text, "name=value name=value word". */
#ifndef DRUA_BLOCKS_BLOCK_SETTINGS_H
#define DRUA_BLOCKS_BLOCK_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Both lie in the text. */
typedef struct setting {
    const char *name, *value; /* value: NULL for a word alone */
    size_t name_length, length;
} setting;

/* The next "name=value" or word of a text, whose value may stand in quotes; false at the end. */
bool setting_next(const char **at, setting *s);

#endif
