/* SPDX-License-Identifier: BSD-3-Clause */
/* Quality measures of super-resolved images. Each function waits, and releases its device memory before it returns. */
#ifndef DRUA_OPS_ESRRF_QUALITY_H
#define DRUA_OPS_ESRRF_QUALITY_H

#include "plan.h"

typedef struct esrrf_fit {
    double correlation, scale, offset, error, sigma;
} esrrf_fit;

enum { ESRRF_MAX_MAGNIFICATION = 20 };

/**
 * Returns how well an image, blurred and scaled for the best fit, explains the wide-field image. Both images have one
 * slice; the image's extents are the same integer multiple of the wide-field image's. `map`: receives the differences;
 * may be empty.
 */
esrrf_fit esrrf_compare(drua_plan *p, drua_view wide_field, drua_view image, drua_view map);

/**
 * Returns the resolution in pixels by Fourier ring correlation of two slices of equal size, at least
 * ESRRF_MIN_EXTENT along each axis. `cells`: NULL, or receives for each ring the frequency in cycles per pixel, the
 * correlation and the smoothed correlation, in host memory of the call. Returns NaN if a spectrum is not finite, as
 * that of an image with NaN.
 */
double esrrf_ring_resolution(drua_plan *p, drua_view a, drua_view b, double threshold, double **cells, size_t *rings);

enum { ESRRF_MIN_EXTENT = 4, ESRRF_RING_COLUMNS = 3 };

#endif
