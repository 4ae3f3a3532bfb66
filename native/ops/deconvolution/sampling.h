/* SPDX-License-Identifier: BSD-3-Clause */
/* Resampling of a point spread function to other voxels. */
#ifndef DRUA_PSF_SAMPLING_H
#define DRUA_PSF_SAMPLING_H

#include "check_psf.h"

/** Voxel size of the result divided by that of the psf, along x, y, z. */
typedef struct psf_ratios {
    double along[3];
} psf_ratios;

/** Sets `shape` to odd extents that hold the whole psf. */
void psf_resampled_shape(drua_plan *plan, psf_ratios ratios, drua_shape *shape);

/**
 * Resamples the argument "psf", whose pixels the caller has read into `pixels`, into "destination", so that the psf's
 * point `centre` lies in the middle. Waits for the device.
 */
void psf_resample(drua_plan *plan, const psf_pixels *pixels, const double *centre, psf_ratios ratios);

#endif
