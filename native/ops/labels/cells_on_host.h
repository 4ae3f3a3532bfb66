/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definitions for the kernel sources that the host compiles too, for devices without double precision. A C file
 * includes this header before the first such source.
 */
#ifndef DRUA_OPS_LABELS_CELLS_ON_HOST_H
#define DRUA_OPS_LABELS_CELLS_ON_HOST_H

#include <stdint.h>
#include <string.h>

#define SPACE
#define METHOD static inline
#define WORD   uint32_t
#define WIDE   uint64_t
#define BYTE   signed char
#define WHOLE  int64_t

/** Returns a counter of two words. */
static inline uint64_t pixels_of(const uint32_t *counter)
{
    return counter[0] | (uint64_t)counter[1] << 32;
}

static inline float bits_as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
