/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts numbers that files hold in other types than images. */
#ifndef DRUA_IO_STORED_TYPES_H
#define DRUA_IO_STORED_TYPES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Types of numbers in files that an image stores in another type: types of 64 bits in a smaller one, the others in a
 * larger one.
 */
typedef enum drua_stored_type {
    DRUA_STORED_AS_IS,
    DRUA_STORED_1_BIT, /**< to uint8: 0 and 255, as in ImageJ; rows begin with a byte */
    DRUA_STORED_12_BITS, /**< to uint16; rows begin with a byte */
    DRUA_STORED_FLOAT16, /**< to float32 */
    DRUA_STORED_FLOAT64, /**< to float32 */
    DRUA_STORED_INT64, /**< to int32 */
    DRUA_STORED_UINT64 /**< to uint32 */
} drua_stored_type;

/** Returns the bytes of a row of `count` numbers; 0 for DRUA_STORED_AS_IS. */
size_t drua_stored_row_bytes(drua_stored_type stored, size_t count);

/**
 * Converts a row of `count` numbers in the computer's byte order. `to` may be `from`, except for numbers that grow.
 * Returns false if a value would change; `to` is undefined then.
 */
bool drua_convert_stored(drua_stored_type stored, const void *from, size_t count, void *to);

#endif
