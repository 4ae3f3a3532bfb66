/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of Fourier transforms share: a device with its plans, and sums in double precision to hold them against.
 */
#ifndef DRUA_TESTS_FOURIER_H
#define DRUA_TESTS_FOURIER_H

#include "harness.h"

#include "provider.h"

extern drua_device *fourier_device;
extern drua_fft *fourier_fft;
extern harness_random fourier_chance;

void fourier_open(void);
void fourier_close(void);

size_t fourier_count(drua_shape shape);     /* pixels */
float *fourier_random(drua_shape shape);

/** Circular sums; sign -1 correlates. */
double *fourier_convolve(const float *image, const float *kernel, drua_shape shape, int sign);

/** Between dense rows and rows with room for the spectrum, which `pull` leaves as they are. */
drua_buffer *fourier_push(const float *image, drua_shape shape);
float *fourier_pull(drua_buffer *buffer, drua_shape shape);

/** Of rows with room for the spectrum, relative to the norm. */
double fourier_error(const float *work, const float *image, drua_shape shape);

/** Tests: a random image there and back; convolutions and correlations of random images, in place and out of place. */
void fourier_transforms(drua_shape shape);
void fourier_convolutions(drua_shape shape);

/** Puts a provider into the table of all, in place of the one that is there. */
void fourier_put(int place, const fft_provider *provider);

#endif
