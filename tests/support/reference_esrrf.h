/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eSRRF by its definition in double precision. Every magnified pixel is computed separately, and every sample is
 * interpolated when it is read.
 */
#ifndef DRUA_TESTS_REFERENCE_ESRRF_H
#define DRUA_TESTS_REFERENCE_ESRRF_H

#include <stdbool.h>

typedef enum reference_registration { REFERENCE_NANOPYX, REFERENCE_REGISTERED, REFERENCE_NANOJ } reference_registration;

typedef struct reference_esrrf {
    int magnification;
    double radius, sensitivity;
    bool intensity_weighting;
    reference_registration registration;
} reference_esrrf;

/** Interpolates a frame at the magnified pixels; width and height are the frame's. Has no NanoJ variant. */
void reference_esrrf_magnify(const reference_esrrf *settings, const double *frame, int width, int height,
                             double *magnified);

/** One frame's convergence, optionally weighted with the intensity. */
void reference_esrrf_frame(const reference_esrrf *settings, const double *frame, int width, int height,
                           double *magnified);

/** Mean ('A'), variance ('V') or autocorrelation ('T') of `count` values with stride `step`. */
double reference_esrrf_projection(char which, const double *values, int count, int step);

/** Divides by the mean of each phase; width and height are the magnified image's. */
void reference_esrrf_macro_pixels(int magnification, double *image, int width, int height);

#endif
