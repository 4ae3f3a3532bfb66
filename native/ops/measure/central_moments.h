/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pixels that are not 0, of products of their distances from their mean position. */
#ifndef DRUA_CENTRAL_MOMENTS_H
#define DRUA_CENTRAL_MOMENTS_H

#include "plan.h"

enum { MOMENT_ORDERS = 3 };

/** Of (x - center)^i (y - center)^j (z - center)^k at [i][j][k]. */
typedef struct moments {
    double of[MOMENT_ORDERS][MOMENT_ORDERS][MOMENT_ORDERS];
} moments;

/** Waits. */
moments central_moments(drua_plan *plan, drua_view source);

#endif
