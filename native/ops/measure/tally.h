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

/** Sends the tally of a sample of the pixels, whose mean is near that of all. */
drua_view tally_sample(drua_plan *plan, drua_view source);

/** Reads a tally; waits. */
tally tally_read(drua_plan *plan, drua_view results);

#endif
