/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames go through the device in chunks; what stays of them is a few numbers for each magnified pixel. Used as
 * esrrf_open, then for each time point esrrf_add for all its frames and esrrf_project.
 */
#ifndef DRUA_OPS_ESRRF_STREAM_H
#define DRUA_OPS_ESRRF_STREAM_H

#include "esrrf_options.h"

typedef struct esrrf_stream {
    esrrf_options options;
    int32_t width, height;      /**< of a frame */
    int32_t reach;              /**< samples of the half grid around a magnified pixel, in each direction */
    int32_t last_x, last_y;     /**< last samples of the half grid that count */
    int32_t chunk;              /**< frames at a time */
    int32_t item_count;
    size_t item_bytes;
    void *items;                /**< and behind them the weights of the interpolation for each phase */
    drua_view taps, frames, magnified, directions, state;
    int32_t done;               /**< frames of the time point so far */
} esrrf_stream;

esrrf_stream esrrf_open(drua_plan *p, const esrrf_options *options, int32_t width, int32_t height, int32_t frames);

/** Adds `count` slices of the stack from `first` on. */
void esrrf_add(drua_plan *p, esrrf_stream *s, drua_view stack, int32_t first, int32_t count);

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
