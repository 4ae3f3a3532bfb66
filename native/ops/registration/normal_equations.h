/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_OPS_NORMAL_EQUATIONS_H
#define DRUA_OPS_NORMAL_EQUATIONS_H

#include <stdbool.h>

/**
 * Solves n linear equations by Gauss-Jordan elimination with row pivots, in place. Row i has n coefficients and then
 * the right side, which becomes the solution; rows begin `stride` numbers apart. Returns false for a singular matrix.
 * Any thread may call it.
 */
bool normal_equations_solve(double *rows, int n, int stride);

#endif
