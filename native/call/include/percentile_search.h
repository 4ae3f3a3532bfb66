/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact percentiles of any number of pixels by a radix select: passes count the pixels by digits of their sort keys,
 * from the highest digit to the lowest. A device and passes over blocks use the same steps, so they find the same
 * pixels.
 */
#ifndef DRUA_PERCENTILE_SEARCH_H
#define DRUA_PERCENTILE_SEARCH_H

#include <drua/types.h>

#include <stdbool.h>
#include <stdint.h>

enum { DRUA_SELECTED = 2 };

/**
 * Two percentiles of one image. Percentile q is the smallest pixel value such that at least q percent of the pixels are
 * not larger. Infinite pixels and NaN are not counted.
 */
typedef struct drua_percentile_search {
    drua_type type;
    double percents[DRUA_SELECTED];
    uint32_t known[DRUA_SELECTED]; /**< upper digits of the sort key of each percentile, as far as they are known */
    uint64_t
        ranks[DRUA_SELECTED]; /**< rank of each percentile, from 0, among the pixels whose keys have these digits */
    int bits, left; /**< bits of a key, and how many of them are not known yet */
    bool empty; /**< no pixel is a finite number */
} drua_percentile_search;

/** Begins a search for two percentiles of an image of this type. */
drua_percentile_search drua_select(drua_type type, const double percents[DRUA_SELECTED]);

/** The sort key of a pixel, from its bits: an unsigned integer; the keys of a type sort like its pixels. */
static inline uint32_t drua_sort_key(uint32_t bits, drua_type type)
{
    switch (type) {
    case DRUA_INT8: return bits ^ 0x80u;
    case DRUA_INT16: return bits ^ 0x8000u;
    case DRUA_INT32: return bits ^ 0x80000000u;
    case DRUA_FLOAT32: return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    default: return bits;
    }
}

/**
 * Takes the counts of the pixels by the next `digit` bits of their keys: `counts[i]` has 2^digit counts of the pixels
 * whose upper digits are known[i]. In the first step no digit is known, so both arrays count all pixels.
 */
void drua_select_digit(drua_percentile_search *selection, int digit, const uint64_t *const counts[DRUA_SELECTED]);

/** The percentiles, after all digits; NaN if no pixel is a finite number. */
void drua_selected(const drua_percentile_search *selection, double numbers[DRUA_SELECTED]);

#endif
