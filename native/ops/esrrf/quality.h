/* SPDX-License-Identifier: BSD-3-Clause */
/* What judges a super-resolved image. Each gives its memory back before it returns, and waits. */
#ifndef DRUA_OPS_ESRRF_QUALITY_H
#define DRUA_OPS_ESRRF_QUALITY_H

#include "plan.h"

typedef struct esrrf_fit {
    double correlation, scale, offset, error, sigma;
} esrrf_fit;

enum { ESRRF_MOST_MAGNIFICATION = 20 };

/**
 * How well an image, blurred and scaled to fit best, explains the wide-field image, which is a whole number of times
 * smaller. One slice each. `map`: where the differences go, or nothing.
 */
esrrf_fit esrrf_compare(drua_plan *p, drua_view wide_field, drua_view image, drua_view map);

/**
 * Resolution in pixels by Fourier ring correlation of two slices of one size, at least ESRRF_LEAST_EXTENT each way.
 * `cells`: NULL, or receives frequency in cycles a pixel, correlation and smoothed correlation of each ring; host
 * memory of the call.
 */
double esrrf_ring_resolution(drua_plan *p, drua_view a, drua_view b, double threshold, double **cells, size_t *rings);

enum { ESRRF_LEAST_EXTENT = 4, ESRRF_RING_COLUMNS = 3 };

#endif
