/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One pair of frames whose transform is searched with the steps of TurboReg: landmarks in the moved frame follow the
 * content of the still frame.
 *
 * Source of the method: Thevenaz, Ruttimann and Unser, IEEE Transactions on Image Processing 7, 27-41, 1998.
 */
#ifndef DRUA_OPS_REGISTRATION_LANDMARKS_H
#define DRUA_OPS_REGISTRATION_LANDMARKS_H

#include "plane_map.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum landmark_mode { TRANSLATION, RIGID_BODY, SCALED_ROTATION, AFFINE, BILINEAR } landmark_mode;

/**
 * Sums over the pairs of pixels of two frames, from the kernel alignment_sums or, for bilinear maps, bilinear_sums:
 * number, squared differences, slopes times differences, products of slopes. The last SUMS_OF_VALUES numbers are the
 * values and squares of both frames.
 */
enum { ALIGNMENT_SUMS = 30, BILINEAR_SUMS = 41, SUMS_OF_VALUES = 4 };
static inline int landmark_sums(landmark_mode mode)
{
    return mode == BILINEAR ? BILINEAR_SUMS : ALIGNMENT_SUMS;
}

/** Positions in these sums count from `middle`, in units of 1 / `scale` pixels. */
typedef struct sum_frame {
    double middle[2], scale;
} sum_frame;

enum { MAX_LANDMARKS = 4, MAX_UNKNOWNS = 8 };

/** State of one search. */
typedef struct landmark_search {
    landmark_mode mode;
    double still[MAX_LANDMARKS][2], moved[MAX_LANDMARKS][2], tried[MAX_LANDMARKS][2];
    /**
     * `map`: of the best landmarks; `tried_map`: the next one to compare. Both lead from the moved to the still frame;
     * bilinear maps lead from the still to the moved frame, because their inverses are not bilinear
     */
    plane_map map, tried_map;
    double best, lambda, way, slopes[MAX_UNKNOWNS], bends[MAX_UNKNOWNS][MAX_UNKNOWNS];
    int comparisons, max; /**< comparisons on this level, so far and at most; `way`: length of the last step in
                                pixels */
    enum { SEARCH_BEGINS, SEARCH_GOES_ON, SEARCH_ENDS, SEARCH_DONE } stage;
} landmark_search;

/** Begins at the coarsest of `levels` levels with equal landmarks in two frames of this extent. */
landmark_search landmarks_begin(landmark_mode mode, int64_t width, int64_t height, int levels);

/** Prepares the search on a level, 0: full size, for frames of this extent on that level. */
void landmarks_begin_level(landmark_search *s, int level);

/** Doubles all positions, for the next finer level. */
void landmarks_double(landmark_search *s);

/**
 * Takes the sums for `tried_map` and chooses the next map to compare. `extent` is that of the frames on this level.
 * `stage` is SEARCH_DONE after the last one.
 */
void landmarks_take(landmark_search *s, const double *sums, const sum_frame *frame, const int64_t extent[2]);

/** Returns the transform from positions in the still frame to positions in the moved frame. */
plane_map landmarks_result(const landmark_search *s);

#endif
