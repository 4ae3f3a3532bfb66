/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes of doubles; convolutions and spectra as the sums that define them. The caller frees `v` of each volume. */
#ifndef DRUA_TESTS_REFERENCE_VOLUME_H
#define DRUA_TESTS_REFERENCE_VOLUME_H

#include <complex.h>
#include <stdbool.h>

typedef struct volume {
    int w, h, d;
    double *v;
} volume;

volume volume_make(int w, int h, int d);
volume volume_copy(volume a);
int volume_count(volume a);
double *volume_at(volume a, int x, int y, int z);

/** The pixel, or the nearest one if the position is outside. */
double volume_pixel(volume a, int x, int y, int z);
double volume_sum(volume a);

/** The norm of a - b, as a share of b's norm. */
double volume_distance(volume a, volume b);

/** i modulo n, 0 ... n - 1. */
int volume_wrap(int i, int n);

/**
 * The kernel's centre is at half of its extent, rounded down; the kernel is not normalised. Outside the image are
 * zeros, or its periodic continuation.
 */
volume volume_convolve(volume a, volume kernel, bool periodic, bool correlate);

typedef struct spectrum {
    int n[3];
    double complex *v;
} spectrum;

/** The caller frees `v`. */
spectrum spectrum_of(volume a);

/**
 * The spectrum of the kernel, scaled to a sum of 1, on a periodic grid like that of `image`, its centre at the origin.
 */
spectrum spectrum_of_kernel(volume kernel, volume image);

/** The image whose spectrum is the spectrum of `image` times a. */
volume spectrum_filter(volume image, spectrum a);

/** The frequency of number k of n, in cycles per pixel. */
double spectrum_cycles(int k, int n);

#endif
