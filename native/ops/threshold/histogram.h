/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms on the device. */
#ifndef DRUA_HISTOGRAM_H
#define DRUA_HISTOGRAM_H

#include "plan.h"

/**
 * Counts the pixels of `source` into bins of uint32: bin = trunc((v - low) * (bins - 1) * (1 / (high - low))) in
 * float32, the reciprocal first. Pixels outside low..high are not counted; without a range all are in bin 0. With
 * `range` it is the image's minimum and maximum, two floats on the device that it then is. With `parts` the bins may
 * come in so many parts, one after the other.
 */
drua_view histogram_send(drua_plan *plan, drua_view source, int32_t bins, double low, double high, drua_view *range,
                         int64_t *parts);

/** Whether `source` has more pixels than such bins count. */
bool histogram_has_totals(drua_plan *plan, drua_view source);

/**
 * Its counts then, on the host, until the call ends; NULL after a failure. From range[0] to range[1], which if
 * `measured` become the image's minimum and maximum. Waits.
 */
double *histogram_totals(drua_plan *plan, drua_view source, int32_t bins, bool measured, double range[2]);

#endif
