/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters of texts in UTF-8. */
#ifndef DRUA_BASE_UTF8_H
#define DRUA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Reads the character at *at, which is not the final zero, and moves *at behind it. False where the bytes are not
 * UTF-8 (overlong forms and halves of UTF-16 pairs are not): *c is U+FFFD then and *at moves by one byte. */
bool drua_utf8_next(const char **at, uint32_t *c);

/** Writes a character, without a zero at the end; returns its number of bytes. */
size_t drua_utf8_write(uint32_t c, char to[4]);

bool drua_is_utf8(const char *text);

/** Writes what a number of UTF-16 completes, without a zero at the end; returns the number of bytes. *half keeps the
 * first half of a pair for the next call, 0: none; a half without the other becomes U+FFFD. */
size_t drua_utf16_write(uint32_t unit, uint32_t *half, char to[8]);

#endif
