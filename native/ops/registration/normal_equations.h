/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_OPS_NORMAL_EQUATIONS_H
#define DRUA_OPS_NORMAL_EQUATIONS_H

#include <stdbool.h>

/**
 * Solves n linear equations by Gauss-Jordan elimination with partial pivoting, in place. Row i has n coefficients and
 * then the right-hand side, which is replaced with the solution; `stride` is the distance between rows in numbers.
 * Returns false for a singular matrix. Any thread may call it.
 */
bool solve_linear_equations(double *rows, int n, int stride);

#endif
