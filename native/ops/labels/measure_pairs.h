/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of labels that share a side of pixels. */
#ifndef DRUA_OPS_MEASURE_PAIRS_H
#define DRUA_OPS_MEASURE_PAIRS_H

#include "measure_labels.h"

/** `list`: for each pair both labels, its slot in `counts`, and 0; sorted. A slot has 8 words; see pairs.cl. */
typedef struct measure_pairs {
    drua_view list, counts;
    uint32_t count;
} measure_pairs;

/** Finds all pairs of labels 1 to `largest`. With `diagonals`, also counts diagonal steps between them. Waits. */
measure_pairs measure_find_pairs(drua_plan *plan, drua_view labels, uint32_t largest, bool diagonals);

/** Releases the memory of pairs. */
void measure_drop_pairs(drua_plan *plan, const measure_pairs *pairs);

#endif
