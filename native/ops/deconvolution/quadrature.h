/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrals over smooth functions, in double. */
#ifndef DRUA_QUADRATURE_H
#define DRUA_QUADRATURE_H

#include "plan.h"

/** Nodes and weights of Gauss and Legendre on 0 to 1. */
typedef struct quadrature {
    int64_t n;
    double *at, *weight;
} quadrature;

/** Whether so many steps are more than a psf may take, or the call has failed before; fails it. */
bool psf_is_too_much(drua_plan *plan, double steps);

/** Without nodes after a failure. */
quadrature quadrature_of(drua_plan *plan, int64_t n);

/** So many nodes serve for an integrand that turns by `radians` in all, wherever it turns fastest. */
int64_t quadrature_nodes(double radians);

#endif
