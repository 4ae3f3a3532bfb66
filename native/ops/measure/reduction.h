/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums, minimum and maximum of all pixels on the device. Each kernel in kernels/measure/reduction.cl defines the
 * meaning of its sums.
 */
#ifndef DRUA_REDUCTION_H
#define DRUA_REDUCTION_H

#include "plan.h"

typedef struct reduction {
    double sum[4], low, high;
} reduction;

/**
 * Whether kernels of kernels/measure/by_line.cl can process the image as a line: the gaps between its rows are equal or
 * 0.
 */
bool reduction_is_line(const drua_layout *layout);

/**
 * Launches a kernel of by_line.cl that reads `source`. If the rows are contiguous, the chain that computes `source` is
 * fused.
 */
#define LAUNCH_LINE(plan, kernel, grid, source, ...)                                                                   \
    (reduction_is_line(&(source).layout) && drua_layout_is_dense(&(source).layout)                                     \
         ? plan_launch_with_prologue                                                                                   \
         : plan_launch)(plan, kernel, grid, (const drua_arg[]){ARG(source), __VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/** Position of the minimum among the floats of a reduction on the device; the maximum follows it. */
enum { REDUCTION_LOW = 8 };

/**
 * Launches `kernel` over all pixels of `source`. Returns a reduction in device memory. `center`: an earlier reduction,
 * or {0}.
 */
drua_view reduction_send(drua_plan *plan, const char *kernel, drua_view source, drua_view center);

/** As reduction_send, with the pixels of a second image. */
drua_view reduction_send_two(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center);

/**
 * As reduction_send, with a kernel whose result does not depend on the order of pixels
 * (kernels/measure/by_line_rows.cl). `other` may be {0}.
 */
drua_view reduction_send_exactly(drua_plan *plan, const char *kernel, drua_view source, drua_view other);

/** Returns the number of work-items in a group of a kernel for reduction_send_exactly. */
int32_t reduction_exact_items(drua_plan *plan);

/** Returns the sum of all pixels. Waits for the device. */
double reduction_sum(drua_plan *plan, drua_view source);

/** Returns, in device memory, the reduction of one sampled pixel, which is near the mean of all pixels. */
drua_view reduction_sample(drua_plan *plan, drua_view source);

/**
 * Returns the pixels that groups `first` to `first` + `count` of a reduction process, in rows of scratch memory, and
 * sets their number. The image must be contiguous; each work-item of the reduction takes four pixels at a time.
 */
drua_view reduction_pixels_of_groups(drua_plan *plan, drua_view image, int64_t first, int64_t count, int64_t groups,
                                     int64_t *pixels);

/** Reads a reduction from the device. Waits for the device. */
reduction reduction_read(drua_plan *plan, drua_view results);

/**
 * Returns the smallest and the largest pixel of uint32 or int32, which float32 would round. `mask` limits the pixels to
 * those where it is not 0, or is {0}; sum[1] is above 0 if there are such pixels. Waits for the device.
 */
reduction reduction_integer_extremes(drua_plan *plan, drua_view source, drua_view mask);

/** For composites: measures the smallest and the largest finite pixel of an image argument; 0 without such pixels. */
void reduction_finite_extremes(drua_plan *plan, const char *name, double *low, double *high);

/** Positions of the floats of a reduction with positions, in device memory; sums are pairs. */
enum {
    REDUCTION_SUM_X = 2,
    REDUCTION_SUM_Y = 4,
    REDUCTION_SQUARES = 6,
    REDUCTION_SUM_Z = 10,
    REDUCTION_ORIGIN = 12,
    REDUCTION_POSITIONS = 13
};

/**
 * Returns, in device memory, the sums of pixels, of pixels times positions and of squares, with minimum and maximum.
 * `about`: sums of differences from an origin, which is a pixel near the mean, so that squares do not cancel; otherwise
 * the origin is 0.
 */
drua_view reduce_positions(drua_plan *plan, drua_view source, bool about);

/** Returns the sum of a pair of floats; NaN if an infinity made the rounding error undefined. */
double reduce_pair(const float *pair);

#endif
