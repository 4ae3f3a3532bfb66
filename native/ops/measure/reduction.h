/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums, minimum and maximum of all pixels on the device; the sums' meanings stand at the kernels in
 * kernels/measure/reduction.cl. */
#ifndef DRUA_REDUCTION_H
#define DRUA_REDUCTION_H

#include "plan.h"

typedef struct reduction {
    double sum[4], low, high;
} reduction;

/** Whether kernels of kernels/measure/by_line.cl may take it as a line: its rows follow each other, with equal gaps or
 * none. */
bool reduction_is_line(const drua_layout *layout);

/** LAUNCH of such a kernel that reads `source`; the chain that computes it is fused where its rows follow each other
 * without gaps. */
#define LAUNCH_LINE(plan, kernel, grid, source, ...)                                                                   \
    (reduction_is_line(&(source).layout) && drua_layout_is_dense(&(source).layout) ? plan_launch_with_prologue : plan_launch)( \
        plan, kernel, grid, (const drua_arg[]){ARG(source), __VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** Position of the minimum among the floats of a reduction on the device; the maximum comes next. */
enum { REDUCTION_LOW = 8 };

/** Sends `kernel` over all pixels of `source`; the result is a reduction in device memory. `center`: an earlier
 * reduction or {0}. */
drua_view reduction_send(drua_plan *plan, const char *kernel, drua_view source, drua_view center);

/** The same with the pixels of another image. */
drua_view reduction_send_two(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center);

/** The same by a kernel whose result does not depend on the order of pixels (kernels/measure/by_line_rows.cl); `other`
 * may be {0}. */
drua_view reduction_send_exactly(drua_plan *plan, const char *kernel, drua_view source, drua_view other);

/** Items of such a kernel's groups. */
int32_t reduction_exact_items(drua_plan *plan);

/** Sum of all pixels alone. Waits for the device. */
double reduction_sum(drua_plan *plan, drua_view source);

/** Sends the reduction of one pixel, chosen from a sample to be near the mean of all pixels. */
drua_view reduction_sample(drua_plan *plan, drua_view source);

/** How many of a dense image's pixels go through some of a reduction's groups, whose kernels take four of them an item,
 * and these as scratch in rows. */
drua_view reduction_pixels_of_groups(drua_plan *plan, drua_view image, int64_t first, int64_t count, int64_t groups,
                                     int64_t *pixels);

/** Reads a reduction. Waits for the device. */
reduction reduction_read(drua_plan *plan, drua_view results);

/** Floats on the device of a reduction with positions; sums are pairs. */
enum {
    REDUCTION_SUM_X = 2,
    REDUCTION_SUM_Y = 4,
    REDUCTION_SQUARES = 6,
    REDUCTION_SUM_Z = 10,
    REDUCTION_ORIGIN = 12,
    REDUCTION_POSITIONS = 13
};

/**
 * Sends sums of pixels, of them times positions, of their squares; minimum and maximum. `about`: of differences from an
 * origin, a pixel that is near the mean of all, so that squares do not cancel; else it is 0.
 */
drua_view reduce_positions(drua_plan *plan, drua_view source, bool about);

/** What a pair of floats adds up to; what infinity lost in rounding is not a number. */
double reduce_pair(const float *pair);

#endif
