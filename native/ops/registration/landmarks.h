/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One pair of frames whose transform is searched with the steps of TurboReg: landmarks in the moved frame follow the
 * content of the still frame.
 *
 * Source of the method: Thevenaz, Ruttimann and Unser, IEEE Transactions on Image Processing 7, 27-41, 1998.
 */
#ifndef DRUA_OPS_REGISTRATION_LANDMARKS_H
#define DRUA_OPS_REGISTRATION_LANDMARKS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum landmark_mode { TRANSLATION, RIGID_BODY, SCALED_ROTATION, AFFINE } landmark_mode;

/** x = at[0][0] + at[0][1] u + at[0][2] v, and the same for y with at[1]. */
typedef struct plane_map {
    double at[2][3];
} plane_map;

/** Returns the map that applies `first`, then `second`. */
plane_map plane_product(plane_map second, plane_map first);

/** Returns the inverse; NaN for a map without an inverse. */
plane_map plane_inverse(plane_map m);

/** Sums over the pairs of pixels of two frames, as alignment_sums in kernels/registration writes them. */
enum { ALIGNMENT_SUMS = 30 };

/** Positions in these sums count from `middle`, in units of 1 / `scale` pixels. */
typedef struct sum_frame {
    double middle[2], scale;
} sum_frame;

enum { MAX_LANDMARKS = 3, MAX_UNKNOWNS = 6 };

/** State of one search. */
typedef struct landmark_search {
    landmark_mode mode;
    double still[MAX_LANDMARKS][2], moved[MAX_LANDMARKS][2], tried[MAX_LANDMARKS][2];
    plane_map map, tried_map; /**< from the moved to the still frame: of the best landmarks, and to compare next */
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
