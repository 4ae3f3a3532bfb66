/* SPDX-License-Identifier: BSD-3-Clause */
/* Which samples of the half grid count for which magnified pixel, and how much; weights of the interpolation. */
#ifndef DRUA_OPS_ESRRF_TABLES_H
#define DRUA_OPS_ESRRF_TABLES_H

#include "stream.h"

/* The same as in kernels/esrrf: phases of an item at most, pixels of an interpolation, pixels around a frame. */
enum { ESRRF_PHASES = 3, ESRRF_NEAR = 5, ESRRF_BORDER = 2, ESRRF_TAP_BYTES = 16 };

/** Of the ring of gradients, in pixels. */
double esrrf_sigma(const esrrf_options *options);

/** Makes the stream's tables for rows of directions of so many samples; returns the number of taps, at least 1. */
int32_t esrrf_make_items(drua_plan *p, esrrf_stream *s, int32_t row);

#endif
