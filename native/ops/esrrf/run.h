/* SPDX-License-Identifier: BSD-3-Clause */
/* eSRRF of a whole movie from an image ("source") or a file ("path"), and an estimate of its cost. */
#ifndef DRUA_OPS_ESRRF_RUN_H
#define DRUA_OPS_ESRRF_RUN_H

#include "esrrf_options.h"
#include "movie.h"

typedef esrrf_movie (*esrrf_movie_rule)(drua_plan *p, uint64_t bytes);

/** Returns the shape of the result for a movie of that shape. */
drua_shape esrrf_result_shape(drua_plan *p, drua_shape movie);

/** Writes "destination" and "frames", and sets the table of shifts if drift is corrected. */
void esrrf_run(drua_plan *p, esrrf_movie_rule movie_of, drua_shape shape);

/**
 * Sets "bytes", "seconds" and "estimate". The memory is computed; the time is extrapolated from a run over some frames.
 */
void esrrf_estimate(drua_plan *p, esrrf_movie_rule movie_of, drua_shape shape);

#endif
