/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters of texts in UTF-8. */
#ifndef DRUA_BASE_UTF8_H
#define DRUA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Reads the character at *at, which must not be the final zero, and advances *at past it. If the bytes are not UTF-8
 * (such as overlong forms and UTF-16 surrogates), returns false, sets *c to U+FFFD and advances *at by one byte. */
bool drua_utf8_next(const char **at, uint32_t *c);

/** Writes a character, without a zero at the end; returns its number of bytes. */
size_t drua_utf8_write(uint32_t c, char to[4]);

bool drua_is_utf8(const char *text);

/** Converts a UTF-16 unit and writes the characters that it completes, without a final zero; returns the number of
 * bytes. *half keeps the first unit of a surrogate pair for the next call; 0: none. An unpaired surrogate becomes
 * U+FFFD. */
size_t drua_utf16_write(uint32_t unit, uint32_t *half, char to[8]);

#endif
