/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the drift of a movie and shifts its frames back. */
#ifndef DRUA_OPS_ESRRF_DRIFT_H
#define DRUA_OPS_ESRRF_DRIFT_H

#include "esrrf_options.h"
#include "movie.h"
#include "stream.h"

/** Device memory in bytes that esrrf_find_drift needs, besides up to `chunk` frames at a time. */
uint64_t esrrf_drift_bytes(drua_shape movie);

/**
 * Returns shifts in pixels, x of all frames, then y, in host memory of the call. Groups of `together` frames are added
 * up, and each sum is compared with the sum of the other groups. Shifts of frames between the middles of two groups are
 * interpolated.
 */
double *esrrf_find_drift(drua_plan *p, const esrrf_movie *movie, int32_t together, int32_t chunk);

/** Sets the call's table to the shifts. */
void esrrf_set_drift_table(drua_plan *p, const double *shifts, int32_t frames);

/** Sends to the device the data with which kernels undo the shifts: one entry for each frame. */
drua_view esrrf_send_moves(drua_plan *p, const double *shifts, int32_t frames);
uint64_t esrrf_moves_bytes(int32_t frames);

/**
 * Sets the range of rows, from rows[0] to before rows[1], that are read when `count` frames from `first` on are shifted
 * back to the band's rows.
 */
void esrrf_moved_rows(const double *shifts, int32_t frames, int32_t first, int32_t count, const esrrf_band *band,
                      int32_t rows[2]);

/**
 * Measures the drift if the options request it, else returns NULL. `tells`: also sets the call's table. Afterwards,
 * movie->from and movie->to cover the rest of the call's progress.
 */
const double *esrrf_find_shifts(drua_plan *p, esrrf_movie *movie, const esrrf_options *options, int32_t chunk,
                                bool tells);

/** As esrrf_find_shifts, but returns the data that undo the shifts (esrrf_send_moves). */
drua_view esrrf_find_moves(drua_plan *p, esrrf_movie *movie, const esrrf_options *options, int32_t chunk, bool tells);

#define ESRRF_DRIFT_FRAMES                                                                                             \
    "frames that are added up for one measurement of the drift: more if few emitters are on, fewer if the drift is "   \
    "fast"

#endif
