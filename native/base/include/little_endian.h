/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as little-endian bytes of a file. */
#ifndef DRUA_BASE_LITTLE_ENDIAN_H
#define DRUA_BASE_LITTLE_ENDIAN_H

#include <stdint.h>

/** Writes the lowest 1 to 8 bytes of a number. */
static inline void drua_put_number(unsigned char *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

/** Reads a number of 1 to 8 bytes. */
static inline uint64_t drua_get_number(const unsigned char *from, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)from[i] << 8 * i;
    return number;
}

#endif
