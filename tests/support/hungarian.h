/* SPDX-License-Identifier: BSD-3-Clause */
/* The linear assignment problem on a full matrix, for comparison with the engine's sparse solver. */
#ifndef DRUA_TESTS_HUNGARIAN_H
#define DRUA_TESTS_HUNGARIAN_H

/** Cost of a pair that must not be assigned. */
#define HUNGARIAN_BLOCKED 1e12

/**
 * Assigns each of n rows to one of n columns with the smallest sum of costs (n x n, row by row) by the Hungarian method
 * in O(n^3). Sets column[i] and returns the sum.
 */
double hungarian(int n, const double *cost, int *column);

/**
 * Links at most `rows` sources to at most `columns` targets by the matrix of four blocks of Jaqaman et al. (2008),
 * whose lower right block has the alternative cost. `cost` has HUNGARIAN_BLOCKED where a link is not possible. Sets
 * target[i], -1 for none. Returns the sum of the costs of links plus the alternative cost of each source without a
 * link.
 */
double hungarian_link(int rows, int columns, const double *cost, double alternative, int *target);

#endif
