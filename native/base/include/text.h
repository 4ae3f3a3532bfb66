/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. After a failed allocation it stays as it was and `failed` is set. */
#ifndef DRUA_BASE_TEXT_H
#define DRUA_BASE_TEXT_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct drua_text {
    char *characters;   /* zero-terminated, NULL while empty; owned */
    size_t length, capacity;
    bool failed;
} drua_text;

void drua_text_add(drua_text *text, const char *format, ...) DRUA_PRINTF(2, 3);
void drua_text_append(drua_text *text, const char *characters, size_t length);

/** The characters, never NULL. */
const char *drua_text_characters(const drua_text *text);

void drua_text_free(drua_text *text);

/** Copies a text, or as much of its start as there is room for, with a zero at the end. */
void drua_copy_start(char *to, const char *from, size_t room);

/** Number of insertions, deletions, replacements that turn one text into the other, ignoring case; for "did you mean".
 */
size_t drua_text_distance(const char *a, const char *b);

/** The word of a list, which ends with NULL, that is spelt most like `word`; NULL if no word is alike. */
const char *drua_text_most_alike(const char *const *words, const char *word);

#endif
