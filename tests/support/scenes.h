/* SPDX-License-Identifier: BSD-3-Clause */
/* Random volumes to blur and restore, for the reference and for the engine. The caller frees `v` of each volume. */
#ifndef DRUA_TESTS_SCENES_H
#define DRUA_TESTS_SCENES_H

#include "harness.h"
#include "reference_deconvolution.h"

/** A volume of random numbers that float32 represents exactly. */
volume random_volume(harness_random *chance, int w, int h, int d, double low, double high);

/** An asymmetric psf, so that convolution and correlation differ; rough, or with a single peak. */
volume lopsided_psf(harness_random *chance, int w, int h, int d, bool rough);

/** A rough asymmetric psf. */
volume rough_psf(harness_random *chance, int w, int h, int d);

/** Bright points on an uneven background, blurred with the psf. */
volume blurred_scene(harness_random *chance, int w, int h, int d, volume psf, double background);

/** A blurred scene with the noise of a camera that counts `photons` per grey value. */
volume noisy_scene(harness_random *chance, volume psf, int w, int h, int d, double background, double photons);

drua_image volume_push(drua_context *context, volume a);
volume volume_pull(drua_context *context, drua_image image);

/**
 * Calls `deconvolve` with those options and leaves no image in the context. `table`: NULL, or receives the call's
 * table.
 */
volume volume_deconvolve(drua_context *context, volume image, volume psf, const char *options, drua_table **table);

/** The largest difference as a share of the range of `whole`. */
double volume_seam(volume whole, volume other);

#endif
