/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, minimum and maximum of all pixels on the device; the sums' meanings stand at the kernels in kernels/measure/tally.cl. */
#ifndef DRUA_TALLY_H
#define DRUA_TALLY_H

#include "plan.h"

typedef struct tally {
    double sum[4], low, high;
} tally;

/** Whether kernels of kernels/measure/by_line.cl may take it as a line: its rows follow each other, with equal gaps or none. */
bool tally_is_line(const drua_layout *layout);

/** LAUNCH of such a kernel that reads `source`; the chain that computes it is fused where its rows follow each other without gaps. */
#define LAUNCH_LINE(plan, kernel, grid, source, ...)                                                                             \
    (tally_is_line(&(source).layout) && drua_layout_is_dense(&(source).layout) ? plan_launch_with_prologue : plan_launch)(         \
        plan, kernel, grid, (const drua_arg[]){ARG(source), __VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** Position of the minimum among the floats of a tally on the device; the maximum comes next. */
enum { TALLY_LOW = 8 };

/** Sends `kernel` over all pixels of `source`; the result is a tally in device memory. `center`: an earlier tally or {0}. */
drua_view tally_send(drua_plan *plan, const char *kernel, drua_view source, drua_view center);

/** The same with the pixels of another image. */
drua_view tally_send_two(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center);

/** Sum of all pixels alone. Waits for the device. */
double tally_sum(drua_plan *plan, drua_view source);

/** Sends the tally of one pixel, chosen from a sample to be near the mean of all pixels. */
drua_view tally_sample(drua_plan *plan, drua_view source);

/** How many of a dense image's pixels go through some of a tally's groups, whose kernels take four of them an item, and these as scratch in rows. */
drua_view tally_pixels_of_groups(drua_plan *plan, drua_view image, int64_t first, int64_t count, int64_t groups, int64_t *pixels);

/** Reads a tally. Waits for the device. */
tally tally_read(drua_plan *plan, drua_view results);

/** Floats on the device of a tally with positions; sums are pairs. */
enum { TALLY_SUM_X = 2, TALLY_SUM_Y = 4, TALLY_SQUARES = 6, TALLY_SUM_Z = 10, TALLY_ORIGIN = 12, TALLY_POSITIONS = 13 };

/**
 * Sends sums of pixels, of them times positions, of their squares; minimum and maximum. `about`: of differences from an origin, a
 * pixel that is near the mean of all, so that squares do not cancel; else it is 0.
 */
drua_view tally_positions(drua_plan *plan, drua_view source, bool about);

/** What a pair of floats adds up to; what infinity lost in rounding is not a number. */
double tally_pair(const float *pair);

#endif
