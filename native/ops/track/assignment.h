/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse linear assignment. */
#ifndef DRUA_OPS_ASSIGNMENT_H
#define DRUA_OPS_ASSIGNMENT_H

#include <stddef.h>
#include <stdint.h>

/**
 * Row i may be assigned to `column[k]` at `cost[k]`, for k from start[i] - base to start[i + 1] - base - 1. Columns are
 * numbers from 0 to columns - 1, and costs are at least 0. A row without a column costs `unlinked`.
 */
typedef struct track_candidates {
    int64_t rows, columns, base;
    const int64_t *start;
    const int32_t *column;
    const double *cost;
    double unlinked;
} track_candidates;

/** Bytes of scratch memory for at most this many rows and columns. */
size_t track_assign_bytes(int64_t rows, int64_t columns);

/**
 * Assigns each row to at most one column and each column to at most one row, with the smallest sum of costs. Sets
 * assigned[i] to the column of row i, or to -1. Prefers a column over none if both cost the same. Any thread may call
 * it.
 */
void track_assign(const track_candidates *c, int32_t *assigned, void *scratch);

/**
 * The cost of an unlinked row for `count` costs: 1.05 times the cost at that fraction of the ascending order (1: the
 * largest). Sorts `cost` if `fraction` is below 1.
 */
double track_unlinked_cost(double *cost, int64_t count, double fraction);

#endif
