/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pyramids of cubic B-spline coefficients. Each level halves the extent, rounded down, and is the spline that is
 * nearest to the finer one (least squares). Frames are mirrored at their borders, with the last pixel repeated.
 *
 * Source: Unser, Aldroubi and Eden, IEEE Transactions on Image Processing 2, 364-379, 1993.
 */
#ifndef DRUA_OPS_REGISTRATION_SPLINE_LEVELS_H
#define DRUA_OPS_REGISTRATION_SPLINE_LEVELS_H

#include "plan.h"

enum { SPLINE_LEVELS = 24 };

/** Coefficients of `frames` frames, float32 scratch, finest level first. */
typedef struct spline_levels {
    drua_view level[SPLINE_LEVELS];
    int count;
} spline_levels;

/**
 * Number of levels for frames of this extent. If there are two or more, the coarsest has at least 12 pixels along each
 * axis.
 */
int spline_level_count(int64_t width, int64_t height);

/** Bytes of device memory for one frame, with the scratch that its levels take while they are made. */
uint64_t spline_level_bytes(int64_t width, int64_t height);

/** Writes the coefficients of (pixel - offset) * scale into scratch of the frames' extent. */
void spline_coefficients(drua_plan *plan, drua_view frames, drua_view coefficients, double offset, double scale);

/** Makes the coarser levels from level[0]. `count` is set by the caller. */
void spline_coarser_levels(drua_plan *plan, spline_levels *levels);

/** Frees the scratch. */
void spline_drop_levels(drua_plan *plan, spline_levels *levels);

#endif
