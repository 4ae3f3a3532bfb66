/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the view moves while a movie is taken, and its frames put back. */
#ifndef DRUA_OPS_ESRRF_DRIFT_H
#define DRUA_OPS_ESRRF_DRIFT_H

#include "esrrf_options.h"
#include "movie.h"
#include "stream.h"

/** Bytes on the device that esrrf_find_drift takes, beside the frames that it reads, up to `chunk` at a time. */
uint64_t esrrf_drift_bytes(drua_shape movie);

/**
 * Shifts in pixels: x of all frames, then y; host memory of the call. `together` frames are added up before they are
 * compared with what came before them; frames between the middles of two such groups are shifted as lies between.
 */
double *esrrf_find_drift(drua_plan *p, const esrrf_movie *movie, int32_t together, int32_t chunk);

/** Sets the call's table. */
void esrrf_set_drift_table(drua_plan *p, const double *shifts, int32_t frames);

/** What kernels need to undo the shifts: one entry a frame. */
drua_view esrrf_send_moves(drua_plan *p, const double *shifts, int32_t frames);
uint64_t esrrf_moves_bytes(int32_t frames);

/** The rows of frames from `first` on, from rows[0] to before rows[1], that shifting them back to the band's rows
 * reads. */
void esrrf_moved_rows(const double *shifts, int32_t frames, int32_t first, int32_t count, const esrrf_band *band,
                      int32_t rows[2]);

/** Finds the drift if the options want that, else NULL; `tells`: as the call's table too. What is left of the work is
 * the movie's then. */
const double *esrrf_find_shifts(drua_plan *p, esrrf_movie *movie, const esrrf_options *options, int32_t chunk,
                                bool tells);

/** Finds the drift if the options want that, and says what undoes it; `tells`: as the call's table too. What is left of
 * the work is the movie's then. */
drua_view esrrf_find_moves(drua_plan *p, esrrf_movie *movie, const esrrf_options *options, int32_t chunk, bool tells);

#define ESRRF_DRIFT_FRAMES                                                                                             \
    "frames that are added up for one measurement of the drift: more if few emitters are on, fewer if the drift is "   \
    "fast"

#endif
