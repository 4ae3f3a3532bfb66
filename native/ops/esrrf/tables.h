/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the half-pixel samples that contribute to each magnified pixel, and of interpolation weights. */
#ifndef DRUA_OPS_ESRRF_TABLES_H
#define DRUA_OPS_ESRRF_TABLES_H

#include "stream.h"

/*
 * As in kernels/esrrf: maximum number of phases in an item, pixels of an interpolation, border around a frame in
 * pixels, and size of a tap.
 */
enum { ESRRF_PHASES = 3, ESRRF_NEAR = 5, ESRRF_BORDER = 2, ESRRF_TAP_BYTES = 16 };

/** Standard deviation of the ring of gradients, in pixels. */
double esrrf_sigma(const esrrf_options *options);

/** Creates the stream's tables. `row`: samples in a row of `directions`. Returns the number of taps, at least 1. */
int32_t esrrf_make_items(drua_plan *p, esrrf_stream *s, int32_t row);

#endif
