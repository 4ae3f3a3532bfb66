/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames go through the device in chunks; what stays of them is a few numbers for each magnified pixel. Used as
 * esrrf_measure, esrrf_open, then for each time point esrrf_add for all its frames, a chunk at a time, and esrrf_project.
 */
#ifndef DRUA_OPS_ESRRF_STREAM_H
#define DRUA_OPS_ESRRF_STREAM_H

#include "esrrf_options.h"

enum { ESRRF_IMAGES = 5 };

typedef struct esrrf_stream {
    esrrf_options options;
    int32_t width, height;      /**< of a frame */
    int32_t reach;              /**< samples of the half grid around a magnified pixel, in each direction */
    int32_t last_x, last_y;     /**< last samples of the half grid that count */
    int32_t chunk;              /**< frames at a time */
    int32_t item_count;
    size_t item_bytes;
    void *items;                /**< and behind them the weights of the interpolation for each phase */
    void *tap_list;             /**< the host's copy of taps */
    drua_shape shape[ESRRF_IMAGES];     /**< of the views below, in their order */
    drua_view frames, directions, magnified, state, taps;
    int32_t done;               /**< frames of the time point so far */
} esrrf_stream;

/** What a stream of groups of so many frames needs; nothing of it is on the device yet. */
esrrf_stream esrrf_measure(drua_plan *p, const esrrf_options *options, int32_t width, int32_t height, int32_t frames);

/** Bytes that esrrf_open takes on the device, and esrrf_project for a moment. */
uint64_t esrrf_bytes(const esrrf_stream *s);

void esrrf_open(drua_plan *p, esrrf_stream *s);

/** Adds the slices of a stack, up to `chunk` of them. `moves`: how each is put back (drift.h), or nothing. */
void esrrf_add(drua_plan *p, esrrf_stream *s, drua_view stack, drua_view moves);

/** The frames that were added last, corrected, as float32. */
drua_view esrrf_last_frames(const esrrf_stream *s, int32_t count);

/** Gives the device memory back. */
void esrrf_close(drua_plan *p, esrrf_stream *s);

/** Writes the time point's projection, or all three, and starts the next one. */
void esrrf_project(drua_plan *p, esrrf_stream *s, drua_view destination);

/** Slices of a time point. */
int32_t esrrf_projections(const esrrf_options *options);

/**
 * Means of the phases of an image: planes of width x height pixels, or with magnification > 1 every so many pixels of a slice.
 * A line of `phases` numbers, float32.
 */
drua_view esrrf_phase_means(drua_plan *p, drua_view image, int32_t width, int32_t height, int32_t phases, int magnification);

/** Weight of a neighbour at that distance in Catmull-Rom interpolation. */
double esrrf_cubic(double distance);

#endif
