/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms on the device. */
#ifndef DRUA_HISTOGRAM_H
#define DRUA_HISTOGRAM_H

#include "plan.h"

/**
 * Counts the pixels of `source` into bins of uint32: bin = trunc((v - low) * (bins - 1) * (1 / (high - low))) in float32,
 * the reciprocal first. Pixels outside low..high are not counted; without a range all are in bin 0.
 * With `range`, a tally (see measure/tally.h), it is the minimum and maximum in it.
 */
drua_view histogram_send(drua_plan *plan, drua_view source, int32_t bins, double low, double high, const drua_view *range);

#endif
