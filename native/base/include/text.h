/* SPDX-License-Identifier: BSD-3-Clause */
/* A text buffer that grows. An addition for which memory is short leaves the content unchanged and sets `failed`. */
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

/** Copies a text, truncated to the size of the buffer, and ends it with a NUL byte. */
void drua_copy_start(char *to, const char *from, size_t room);

/** Returns a copy that stays valid until the process ends; equal texts share one copy. NULL if memory is short. Any
 * thread. */
const char *drua_text_keep(const char *text);

/** Returns the length of the byte order mark of UTF-8 with which a text begins, which some editors write: 3 or 0. */
size_t drua_text_mark(const void *characters, size_t length);

/** Returns whether a text ends with `ending` and has something before it. */
bool drua_text_ends_with(const char *text, const char *ending);

/** As drua_text_ends_with, for extensions of file names that users choose: upper and lower case are the same. */
bool drua_text_has_extension(const char *name, const char *extension);

/** Number of insertions, deletions, replacements that turn one text into the other, ignoring case; for "did you mean".
 */
size_t drua_text_distance(const char *a, const char *b);

/**
 * Returns the word with the most similar spelling from a list that ends with NULL, or NULL if no word is similar. A
 * similar word differs in about a third of the letters at most.
 */
const char *drua_text_most_alike(const char *const *words, const char *word);

#endif
