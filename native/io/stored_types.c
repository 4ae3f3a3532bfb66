/* SPDX-License-Identifier: BSD-3-Clause */
#include "stored_types.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

size_t drua_stored_row_bytes(drua_stored_type stored, size_t count)
{
    static const size_t bits[] = {[DRUA_STORED_1_BIT] = 1,    [DRUA_STORED_12_BITS] = 12, [DRUA_STORED_FLOAT16] = 16,
                                  [DRUA_STORED_FLOAT64] = 64, [DRUA_STORED_INT64] = 64,   [DRUA_STORED_UINT64] = 64};
    return (count * bits[stored] + 7) / 8;
}

static void expand_1_bit(const unsigned char *from, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i / 8] & 0x80 >> i % 8 ? 255 : 0;
}

static void expand_12_bits(const unsigned char *from, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = from + i / 2 * 3;
        const uint16_t value = i % 2 ? (uint16_t)((at[1] & 15) << 8 | at[2]) : (uint16_t)(at[0] << 4 | at[1] >> 4);
        memcpy(to + 2 * i, &value, sizeof value);
    }
}

/* IEEE 754: a sign, 5 bits of the exponent, 10 of the fraction. */
static float float_of_half(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    float value = ldexpf((float)(exponent ? fraction + 1024 : fraction), (exponent ? exponent : 1) - 25);
    if (exponent == 31)
        value = fraction ? NAN : INFINITY;
    return half >> 15 ? -value : value;
}

static void expand_float16(const unsigned char *from, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, from + 2 * i, sizeof half);
        const float value = float_of_half(half);
        memcpy(to + 4 * i, &value, sizeof value);
    }
}

static bool narrow_float64(const unsigned char *from, size_t count, unsigned char *to)
{
    bool same = true;
    for (size_t i = 0; i < count && same; i++) {
        double value;
        memcpy(&value, from + 8 * i, sizeof value);
        const float narrow = (float)value;
        same = (double)narrow == value || isnan(value);
        memcpy(to + 4 * i, &narrow, sizeof narrow);
    }
    return same;
}

static bool narrow_integers(const unsigned char *from, size_t count, bool is_signed, unsigned char *to)
{
    bool same = true;
    for (size_t i = 0; i < count && same; i++) {
        uint64_t value;
        memcpy(&value, from + 8 * i, sizeof value);
        const uint32_t narrow = (uint32_t)value;
        same = is_signed ? (uint64_t)(int64_t)(int32_t)narrow == value : narrow == value;
        memcpy(to + 4 * i, &narrow, sizeof narrow);
    }
    return same;
}

bool drua_convert_stored(drua_stored_type stored, const void *from, size_t count, void *to)
{
    switch (stored) {
    case DRUA_STORED_1_BIT: expand_1_bit(from, count, to); return true;
    case DRUA_STORED_12_BITS: expand_12_bits(from, count, to); return true;
    case DRUA_STORED_FLOAT16: expand_float16(from, count, to); return true;
    case DRUA_STORED_FLOAT64: return narrow_float64(from, count, to);
    case DRUA_STORED_INT64:
    case DRUA_STORED_UINT64: return narrow_integers(from, count, stored == DRUA_STORED_INT64, to);
    case DRUA_STORED_AS_IS: break;
    }
    return false;
}
