/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256, after FIPS 180-4. Equal hashes mean equal contents for all practical purposes. Any thread. */
#ifndef DRUA_BASE_SHA256_H
#define DRUA_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DRUA_SHA256_TEXT = 65 };

typedef struct drua_sha256 {
    uint32_t state[8];
    uint64_t length;            /**< bytes hashed so far */
    unsigned char block[64];    /**< bytes that do not fill a block yet */
} drua_sha256;

void drua_sha256_begin(drua_sha256 *hash);
void drua_sha256_add(drua_sha256 *hash, const void *bytes, size_t length);

/** Hashes a text with its terminator, so that "ab", "c" differs from "a", "bc". */
void drua_sha256_add_text(drua_sha256 *hash, const char *text);

/** Finishes and writes 64 hexadecimal digits and a zero. */
void drua_sha256_end(drua_sha256 *hash, char text[DRUA_SHA256_TEXT]);

#endif
