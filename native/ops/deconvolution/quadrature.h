/* SPDX-License-Identifier: BSD-3-Clause */
/* Numerical integration of smooth functions in double precision. */
#ifndef DRUA_QUADRATURE_H
#define DRUA_QUADRATURE_H

#include "plan.h"

/** Nodes and weights of Gauss-Legendre quadrature on the interval from 0 to 1. */
typedef struct quadrature {
    int64_t n;
    double *at, *weight;
} quadrature;

/**
 * Whether a computation of `steps` steps takes too long, or the call has already failed. In the first case it fails the
 * call.
 */
bool psf_is_too_much(drua_plan *plan, double steps);

/** Returns a quadrature of n nodes, or one without nodes after a failure. */
quadrature quadrature_of(drua_plan *plan, int64_t n);

/**
 * Returns the number of nodes for an integrand. Its phase would change by `radians` over the interval if it changed at
 * its fastest rate everywhere.
 */
int64_t quadrature_nodes(double radians);

#endif
