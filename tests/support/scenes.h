/* SPDX-License-Identifier: BSD-3-Clause */
/* Random volumes to blur and restore, and the engine's side of both. Who gets a volume frees its `v`. */
#ifndef DRUA_TESTS_SCENES_H
#define DRUA_TESTS_SCENES_H

#include "harness.h"
#include "reference_deconvolution.h"

/** Numbers that float32 can hold. */
volume random_volume(harness_random *chance, int w, int h, int d, double low, double high);

/** Lopsided, so that a convolution is no correlation; rough, or with one peak. */
volume lopsided_psf(harness_random *chance, int w, int h, int d, bool rough);

/** The same, rough. */
volume rough_psf(harness_random *chance, int w, int h, int d);

/** Bright points on an uneven ground, blurred. */
volume blurred_scene(harness_random *chance, int w, int h, int d, volume psf, double background);

/** The same with the noise of a camera for which a grey value stands for so many photons. */
volume noisy_scene(harness_random *chance, volume psf, int w, int h, int d, double background, double photons);

drua_image volume_push(drua_context *context, volume a);
volume volume_pull(drua_context *context, drua_image image);

/** `deconvolve` with those options; the context holds no image afterwards. `table`: NULL, or where the call's table
 * goes. */
volume volume_deconvolve(drua_context *context, volume image, volume psf, const char *options, drua_table **table);

/** Largest difference as a share of the range of `whole`. */
double volume_seam(volume whole, volume other);

#endif
