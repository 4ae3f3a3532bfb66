/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames go through the device in chunks; what stays of them is a few numbers for each magnified pixel. Used as
 * esrrf_measure, esrrf_open, then for each time point esrrf_add for all its frames, a chunk at a time, and
 * esrrf_project.
 */
#ifndef DRUA_OPS_ESRRF_STREAM_H
#define DRUA_OPS_ESRRF_STREAM_H

#include "esrrf_options.h"

enum { ESRRF_IMAGES = 5, ESRRF_BLOCK_ROWS = 16 }; /* the latter as in kernels/esrrf */

/**
 * Some rows of the results, and the rows of the frames that these need: what is made of them has the bits of whole
 * frames. Rows of the frames go from `first` to before `end`, those of the results, in the frames' pixels, from `top`
 * to before `bottom`.
 */
typedef struct esrrf_band {
    int32_t first, end, top, bottom;
    int32_t height; /**< of a whole frame */
} esrrf_band;

typedef struct esrrf_stream {
    esrrf_options options;
    int32_t width, height; /**< of a frame, or of its rows in the band */
    esrrf_band band;
    int32_t rows; /**< of the frames that have results */
    int32_t reach;              /**< samples of the half grid around a magnified pixel, in each direction */
    int32_t last_x, last_y; /**< last samples of a whole frame's half grid that count */
    int32_t chunk;              /**< frames at a time */
    int32_t item_count;
    size_t item_bytes;
    void *items;                /**< and behind them the weights of the interpolation for each phase */
    float *weights; /**< these */
    int32_t most_taps; /**< of an item */
    void *tap_list;             /**< the host's copy of taps */
    drua_shape shape[ESRRF_IMAGES];     /**< of the views below, in their order */
    drua_view frames, directions, magnified, state, taps;
    int32_t done;               /**< frames of the time point so far */
} esrrf_stream;

/** The band of these rows of the results. */
esrrf_band esrrf_band_of(const esrrf_options *options, int32_t height, int32_t top, int32_t bottom);

/** As esrrf_measure. Frames that are added have the band's rows, and what is projected is not corrected. */
esrrf_stream esrrf_measure_band(drua_plan *p, const esrrf_options *options, int32_t width, const esrrf_band *band,
                                int32_t frames);

/** What a stream of groups of so many frames needs; nothing of it is on the device yet. */
esrrf_stream esrrf_measure(drua_plan *p, const esrrf_options *options, int32_t width, int32_t height, int32_t frames);

/** Bytes that esrrf_open takes on the device, and esrrf_project for a moment. */
uint64_t esrrf_bytes(const esrrf_stream *s);

void esrrf_open(drua_plan *p, esrrf_stream *s);

/** Adds the slices of a stack, up to `chunk` of them. `moves`: how each is put back (drift.h), or nothing. */
void esrrf_add(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves);

/** The same of a band, with the rows of the frames from `first` on, of which moves need others. */
void esrrf_add_rows(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves, int32_t first);

/** The frames that were added last, corrected, as float32. */
drua_view esrrf_last_frames(const esrrf_stream *s, int32_t count);

/** Gives the device memory back. */
void esrrf_close(drua_plan *p, esrrf_stream *s);

/** Writes the time point's projection, or all three, and starts the next one. */
void esrrf_project(drua_plan *p, esrrf_stream *s, drua_view destination);

/**
 * Means of the phases of an image: planes of width x height pixels, or with magnification > 1 every so many pixels of a
 * slice. A line of `phases` numbers, float32.
 */
drua_view esrrf_phase_means(drua_plan *p, drua_view image, int32_t width, int32_t height, int32_t phases,
                            int magnification);

/** Weight of a neighbour at that distance in Catmull-Rom interpolation. */
double esrrf_cubic(double distance);

#endif
