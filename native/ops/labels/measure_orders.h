/* SPDX-License-Identifier: BSD-3-Clause */
/* Order statistics of the intensities of labels, for the groups intensity and percentiles of measure_labels. */
#ifndef DRUA_OPS_MEASURE_ORDERS_H
#define DRUA_OPS_MEASURE_ORDERS_H

#include "measure_labels.h"

/** A share of ORDERS_ALL stands for the sorted pixel n * share / ORDERS_ALL, rounded down, at most n - 1. */
enum { ORDERS_ALL = 100000000 };

/** Number of bits of the keys, which sort like the intensities of a part. */
int measure_key_bits(const measure_part *part);

/**
 * Finds the keys of sorted pixels of each label: `count` successive keys for increasing `shares`. `modes` receives the
 * fullest bins; no buffer: they are not wanted.
 */
void measure_orders(drua_plan *plan, const measure_part *part, const uint32_t *shares, int count, drua_view keys,
                    drua_view modes);

#endif
