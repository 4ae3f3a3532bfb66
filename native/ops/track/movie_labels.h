/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of a movie whose frames follow each other along z. */
#ifndef DRUA_OPS_MOVIE_LABELS_H
#define DRUA_OPS_MOVIE_LABELS_H

#include "track.h"

/**
 * Tables have a row for each label number from the smallest to the largest of each frame. Row `base[t]` is that of
 * label `min[t]` of frame t, and base[frames] is the number of all rows.
 */
typedef struct movie_labels {
    drua_view labels;
    int64_t frames, rows;
    int32_t slices; /**< of a frame */
    uint32_t *min, *base;
    drua_view table; /**< both on the device, in pairs */
    int64_t *spot; /**< of each row: index of its spot in the list; -1: no such label; set by movie_spots */
} movie_labels;

/** Measures the ranges of labels. Fails the call if the slices cannot be divided into that many frames. */
movie_labels movie_open_labels(drua_plan *plan, const char *image, int64_t frames);

/** Like movie_open_labels, for an image that a call returned; `name` names it in errors. */
movie_labels movie_open_operand(drua_plan *plan, drua_operand image, const char *name, int64_t frames);

/** Spots at the centroids, in the order of frames and labels. `*count` receives their number. */
track_spot *movie_spots(drua_plan *plan, movie_labels *movie, const double voxel[3], int64_t *count);

/** Pixels shared by labels of successive frames, for a graph of all spots of movie_spots. */
track_overlaps movie_overlaps(drua_plan *plan, const movie_labels *movie, const track_graph *graph);

/**
 * Counts the pixels that labels share with labels of an image of the same extent, `shift` slices later. Returns, for
 * each row, *slots pairs of a label and a number of pixels; 0: no pair. Returns NULL after a failure.
 */
uint32_t *movie_shared(drua_plan *plan, const movie_labels *movie, drua_view other, int32_t shift, int32_t *slots);

/** Paints each label with a number per row. Returns a float32 image of the movie's extent. */
drua_operand movie_paint(drua_plan *plan, const char *image, const movie_labels *movie, const uint32_t *numbers);

#endif
