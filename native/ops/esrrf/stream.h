/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams frames through the device in chunks. Only a few numbers for each magnified pixel remain on the device. Call
 * esrrf_measure, then esrrf_open. Then, for each time point, call esrrf_add for its frames, a chunk at a time, and
 * esrrf_project.
 */
#ifndef DRUA_OPS_ESRRF_STREAM_H
#define DRUA_OPS_ESRRF_STREAM_H

#include "esrrf_options.h"

enum { ESRRF_IMAGES = 5, ESRRF_BLOCK_ROWS = 16 }; /* ESRRF_BLOCK_ROWS must equal BLOCK_ROWS in kernels/esrrf */

/**
 * A band of result rows and the frame rows that they need. Results of a band are identical to those of whole frames.
 * Frame rows go from `first` to before `end`; result rows go from `top` to before `bottom`, in pixels of the frames.
 */
typedef struct esrrf_band {
    int32_t first, end, top, bottom;
    int32_t height; /**< height of a whole frame */
} esrrf_band;

typedef struct esrrf_stream {
    esrrf_options options;
    int32_t width, height; /**< extent of a frame, or of its rows in the band */
    esrrf_band band;
    int32_t rows; /**< number of frame rows that have results */
    int32_t reach;              /**< radius, in samples of the half-pixel grid, around a magnified pixel */
    int32_t last_x, last_y; /**< last valid samples of a whole frame's half-pixel grid */
    int32_t chunk;              /**< number of frames at a time */
    int32_t item_count;
    size_t item_bytes;
    void *items;                /**< items, followed by the interpolation weights for each phase */
    float *weights; /**< the weights in `items` */
    int32_t max_taps; /**< most taps of any item */
    void *tap_list;             /**< host copy of `taps` */
    drua_shape shape[ESRRF_IMAGES]; /**< shapes of the views that follow, in their order */
    drua_view frames, directions, magnified, state, taps;
    int32_t done;               /**< frames of the time point added so far */
} esrrf_stream;

/** Returns the band for the result rows from `top` to before `bottom`. */
esrrf_band esrrf_band_of(const esrrf_options *options, int32_t height, int32_t top, int32_t bottom);

/**
 * As esrrf_measure, for a band. Added frames contain only the band's rows, and projections are not corrected for
 * macro-pixels.
 */
esrrf_stream esrrf_measure_band(drua_plan *p, const esrrf_options *options, int32_t width, const esrrf_band *band,
                                int32_t frames);

/** Returns a stream for time points of `frames` frames; allocates no device memory. */
esrrf_stream esrrf_measure(drua_plan *p, const esrrf_options *options, int32_t width, int32_t height, int32_t frames);

/** Returns the device memory in bytes that esrrf_open allocates, including what esrrf_project needs temporarily. */
uint64_t esrrf_bytes(const esrrf_stream *s);

void esrrf_open(drua_plan *p, esrrf_stream *s);

/** Adds the slices of a stack, up to `chunk` of them. `moves`: data that undo the drift (drift.h), or an empty view. */
void esrrf_add(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves);

/**
 * As esrrf_add, for a band. The stack's rows begin with row `first` of the frames; with `moves`, they can differ from
 * the band's rows.
 */
void esrrf_add_rows(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves, int32_t first);

/** Returns the last added frames, drift-corrected, as float32. */
drua_view esrrf_last_frames(const esrrf_stream *s, int32_t count);

/** Releases the device memory. */
void esrrf_close(drua_plan *p, esrrf_stream *s);

/** Writes the time point's projection, or all three, and starts the next time point. */
void esrrf_project(drua_plan *p, esrrf_stream *s, drua_view destination);

/**
 * Returns the means of the phases of an image as a line of `phases` float32 numbers. With magnification 1, the phases
 * are planes of width x height pixels. With magnification > 1, they are the interleaved pixels of a slice.
 */
drua_view esrrf_phase_means(drua_plan *p, drua_view image, int32_t width, int32_t height, int32_t phases,
                            int magnification);

/** Returns the weight of a neighbour at that distance in Catmull-Rom interpolation. */
double esrrf_cubic(double distance);

#endif
