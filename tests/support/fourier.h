/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for tests of Fourier transforms: a device with its transforms, and reference sums in double precision. */
#ifndef DRUA_TESTS_FOURIER_H
#define DRUA_TESTS_FOURIER_H

#include "harness.h"

#include "provider.h"

extern drua_device *fourier_device;
extern drua_fft *fourier_fft;
extern harness_random fourier_chance;

void fourier_open(void);
void fourier_close(void);

/** A request for transforms of a shape, by any library. */
#define FOURIER(fft_, ...) (&(drua_fft_request){.fft = (fft_), .shape = __VA_ARGS__})

size_t fourier_count(drua_shape shape);     /* number of pixels */
float *fourier_random(drua_shape shape);

/** Circular convolution as a sum; sign -1 correlates instead. */
double *fourier_convolve(const float *image, const float *kernel, drua_shape shape, int sign);

/** Copies between dense rows and rows padded for the spectrum; `pull` leaves the padding unread. */
drua_buffer *fourier_push(const float *image, drua_shape shape);
float *fourier_pull(drua_buffer *buffer, drua_shape shape);

/** The norm of the error of a padded `work` image, relative to the norm of `image`. */
double fourier_error(const float *work, const float *image, drua_shape shape);

/**
 * Tests of a shape: a random image transformed forward and back; convolutions and correlations of random images, in
 * place and out of place.
 */
void fourier_transforms(drua_shape shape);
void fourier_convolutions(drua_shape shape);

/** Replaces the entry `place` of the table of providers. */
void fourier_put(int place, const fft_provider *provider);

#endif
