/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pixels of a movie count in a registration, and which of its frames hold anything to register. */
#ifndef DRUA_OPS_REGISTRATION_COUNTED_PIXELS_H
#define DRUA_OPS_REGISTRATION_COUNTED_PIXELS_H

#include "plan.h"

/** Rules by which pixels do not count, as in kernels/registration/counted_pixels.cl. */
enum { BY_MASK = 1, NOT_ZERO = 2, NOT_NAN = 4 };

/** Frames, and with BY_MASK a mask of their extent with one slice, or one for each frame. */
typedef struct counted_frames {
    drua_view frames, mask;
    int rules; /**< 0: all pixels count */
} counted_frames;

/** Values of the counted pixels of a frame. */
typedef struct counted_values {
    double low, high, mean; /**< undefined if `number` is 0 */
    double number, not_finite;
} counted_values;

/** Some of the frames, with their masks. */
counted_frames counted_part(const counted_frames *all, int32_t first, int32_t count);

/** Writes the values of each frame to `values`. Waits for the device. */
void counted_measure(drua_plan *plan, const counted_frames *frames, counted_values *values);

/**
 * Writes the frames into float32 scratch, with `fill` (a number for each frame) in place of pixels that do not count.
 * Writes into uint8 scratch for each pixel whether it counts: 1 or 0.
 */
void counted_fill(drua_plan *plan, const counted_frames *frames, const float *fill, drua_view filled,
                  drua_view counted);

/**
 * Makes the levels of a mask, all uint8 scratch. The caller sets levels[0] to the mask of counted_fill, which is
 * replaced. Each further level has half of the extent, rounded down. In all levels, a pixel counts if all pixels count
 * that have a visible effect on it.
 */
void counted_levels(drua_plan *plan, drua_view *levels, int count);

/** Writes the mean of the counted pixels of those frames whose `used` is not 0; NaN where no pixel counts. */
void counted_mean(drua_plan *plan, const counted_frames *frames, const float *used, drua_view mean);

#endif
