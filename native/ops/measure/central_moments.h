/* SPDX-License-Identifier: BSD-3-Clause */
/* Central moments of the nonzero pixels. */
#ifndef DRUA_CENTRAL_MOMENTS_H
#define DRUA_CENTRAL_MOMENTS_H

#include "plan.h"

enum { MOMENT_ORDERS = 3 };

/**
 * of[i][j][k]: sum of (x - cx)^i (y - cy)^j (z - cz)^k over the nonzero pixels, without weights; (cx, cy, cz) is their
 * mean position. i, j, k: 0 to 2.
 */
typedef struct moments {
    double of[MOMENT_ORDERS][MOMENT_ORDERS][MOMENT_ORDERS];
} moments;

/** Returns the central moments of an image; waits. */
moments central_moments(drua_plan *plan, drua_view source);

#endif
