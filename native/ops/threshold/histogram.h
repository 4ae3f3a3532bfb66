/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms on the device. */
#ifndef DRUA_HISTOGRAM_H
#define DRUA_HISTOGRAM_H

#include "plan.h"

/**
 * Counts the pixels of `source` into bins of uint32: bin = floor((v - low) * (bins - 1) / (high - low)) in exact
 * arithmetic, so that the last bin holds `high` alone. Pixels outside low..high are not counted. If high - low is not
 * finite or not above 0, all pixels are in bin 0. `range`, if given, becomes the image's minimum and maximum, two
 * floats on the device, and replaces low and high. `parts`, if given, becomes the number of partial histograms, one
 * after another, whose sum is the histogram; otherwise the result is one histogram.
 */
drua_view histogram_send(drua_plan *plan, drua_view source, int32_t bins, double low, double high, drua_view *range,
                         int64_t *parts);

/** Whether `source` has more pixels than the bins of histogram_send can count. */
bool histogram_has_totals(drua_plan *plan, drua_view source);

/** The pixels of a view inside a box, as a separate image. */
drua_view histogram_part(drua_view view, const drua_box *at);

/**
 * Returns the counts of an image that needs totals (histogram_has_totals), in host memory of the call; NULL after a
 * failure. The bins cover range[0] to range[1]; with `measured`, the call sets them to the image's minimum and maximum.
 * Waits.
 */
double *histogram_totals(drua_plan *plan, drua_view source, int32_t bins, bool measured, double range[2]);

#endif
