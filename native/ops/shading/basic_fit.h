/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of BaSiC on small frames: frame t = flat field * brightness[t] + dark field + rest. The flat and the dark
 * field have few cosine waves, and the rest is sparse. The fit uses augmented Lagrange multipliers, and repeats with
 * new weights.
 *
 * Source: Peng et al., Nature Communications 8, 14836, 2017.
 */
#ifndef DRUA_OPS_SHADING_BASIC_FIT_H
#define DRUA_OPS_SHADING_BASIC_FIT_H

#include "plan.h"

/** Extent of the frames of the fit. */
enum { BASIC_EXTENT = 128, BASIC_PIXELS = BASIC_EXTENT * BASIC_EXTENT };

typedef struct basic_options {
    bool dark; /**< whether the dark field is estimated; otherwise it is 0 */
    double smooth_flat, smooth_dark; /**< factors of the weights of cosine waves; 1: as in the publication */
    double most_offset; /**< largest mean of the dark field, in grey values */
} basic_options;

/**
 * Fits frames (float32, dense, BASIC_EXTENT pixels along x and y; slices). Writes the flat field, whose mean is 1, and
 * the dark field into float32 scratch of that extent, and the brightness of each frame. Fails for frames without light.
 * The fit sorts a copy of the frames at each pixel; `frames` keeps its order.
 */
void basic_fit(drua_plan *plan, drua_view frames, const basic_options *options, drua_view flat, drua_view dark,
               double *brightness);

#endif
