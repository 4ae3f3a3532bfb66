/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, minimum and maximum of all pixels on the device; the sums' meanings stand at the kernels in kernels/measure/tally.cl. */
#ifndef DRUA_TALLY_H
#define DRUA_TALLY_H

#include "plan.h"

typedef struct tally {
    double sum[4], low, high;
} tally;

/** Position of the minimum among the floats of a tally on the device; the maximum comes next. */
enum { TALLY_LOW = 8 };

/** Sends `kernel` over all pixels of `source`; the result is a tally in device memory. `center`: an earlier tally or {0}. */
drua_view tally_send(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center);

/** Sends the tally of one pixel of a sample, which is near the mean of all. */
drua_view tally_sample(drua_plan *plan, drua_view source);

/** Reads a tally; waits. */
tally tally_read(drua_plan *plan, drua_view results);

/** Floats on the device of a tally with positions. The centres of mass and of all pixels are x y z in floats; other sums are pairs. */
enum { TALLY_SUM_X = 2, TALLY_SUM_Y = 4, TALLY_SQUARES = 6, TALLY_SUM_Z = 10, TALLY_CENTRES = 12, TALLY_ORIGIN = 18, TALLY_POSITIONS = 20 };

/**
 * Sends sums of differences from `center`, an earlier tally or {0}, of them times positions, of their squares; minimum and
 * maximum. There is room for so many floats more.
 */
drua_view tally_positions(drua_plan *plan, drua_view source, drua_view center, int64_t more);

/** What a pair of floats adds up to; what infinity lost in rounding is not a number. */
double tally_pair(const float *pair);

#endif
