/* SPDX-License-Identifier: BSD-3-Clause */
#include "percentile_search.h"

#include "device.h"

#include <math.h>
#include <string.h>

drua_percentile_search drua_select(drua_type type, const double percents[DRUA_SELECTED])
{
    const int bits = 8 * (int)drua_type_size(type);
    drua_percentile_search s = {.type = type, .bits = bits, .left = bits};
    memcpy(s.percents, percents, sizeof s.percents);
    return s;
}

/* Returns whether a first digit is that of infinite numbers and NaN, which have the largest exponent. */
static bool is_infinite(const drua_percentile_search *s, int digit, uint32_t value)
{
    enum { SIGN_AND_EXPONENT = 9 };
    const uint32_t infinite = 1u << (digit - SIGN_AND_EXPONENT), values = 1u << digit;
    return s->type == DRUA_FLOAT32 && (value < infinite || value >= values - infinite);
}

/* Finds the ranks of the percentiles among all finite pixels. */
static void begin_ranks(drua_percentile_search *s, int digit, const uint64_t *counts)
{
    uint64_t numbers = 0;
    for (uint32_t value = 0; value < 1u << digit; value++)
        numbers += is_infinite(s, digit, value) ? 0 : counts[value];
    s->empty = !numbers;
    for (int i = 0; i < DRUA_SELECTED && numbers; i++) {
        const double rank = ceil(s->percents[i] / 100 * (double)numbers);
        s->ranks[i] = rank < 1 ? 0 : (uint64_t)rank > numbers ? numbers - 1 : (uint64_t)rank - 1;
    }
}

void drua_select_digit(drua_percentile_search *s, int digit, const uint64_t *const counts[DRUA_SELECTED])
{
    const bool first = s->left == s->bits;
    if (first)
        begin_ranks(s, digit, counts[0]);
    for (int i = 0; i < DRUA_SELECTED && !s->empty; i++) {
        uint32_t value = 0;
        for (;; value++) {
            const uint64_t count = first && is_infinite(s, digit, value) ? 0 : counts[i][value];
            if (s->ranks[i] < count || value == (1u << digit) - 1)
                break;
            s->ranks[i] -= count;
        }
        s->known[i] = s->known[i] << digit | value;
    }
    s->left -= digit;
}

static double number_of_key(uint32_t key, drua_type type)
{
    float number;
    switch (type) {
    case DRUA_INT8: return (double)key - 0x80;
    case DRUA_INT16: return (double)key - 0x8000;
    case DRUA_INT32: return (double)key - 0x80000000u;
    case DRUA_FLOAT32:
        key = key & 0x80000000u ? key ^ 0x80000000u : ~key;
        memcpy(&number, &key, sizeof number);
        return (double)number;
    default: return key;
    }
}

void drua_selected(const drua_percentile_search *s, double numbers[DRUA_SELECTED])
{
    for (int i = 0; i < DRUA_SELECTED; i++)
        numbers[i] = s->empty ? (double)NAN : number_of_key(s->known[i], s->type);
}
