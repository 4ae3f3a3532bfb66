/* SPDX-License-Identifier: BSD-3-Clause */
/* A point spread function in other voxels. */
#ifndef DRUA_PSF_SAMPLING_H
#define DRUA_PSF_SAMPLING_H

#include "check_psf.h"

/** How many pixels of the psf one of the result is wide, along x, y, z. */
typedef struct psf_ratios {
    double along[3];
} psf_ratios;

/** The extent of the result: odd, as far as the psf reaches. */
void psf_resampled_shape(drua_plan *plan, psf_ratios ratios, drua_shape *shape);

/** "psf", which was read as `pixels`, into "destination"; `centre` comes to the middle; waits. */
void psf_resample(drua_plan *plan, const psf_pixels *pixels, const double *centre, psf_ratios ratios);

#endif
