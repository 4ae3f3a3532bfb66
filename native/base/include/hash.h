/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_HASH_H
#define DRUA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** FNV-1a, 64 bits. Start with DRUA_HASH_START and feed several blocks one after another. */
#define DRUA_HASH_START 14695981039346656037ull

static inline uint64_t drua_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 1099511628211ull;
    return hash;
}

#endif
