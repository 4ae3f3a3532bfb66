/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the transforms of the frames of a movie. */
#ifndef DRUA_OPS_REGISTRATION_SEARCH_FRAMES_H
#define DRUA_OPS_REGISTRATION_SEARCH_FRAMES_H

#include "counted_pixels.h"
#include "registration.h"

typedef enum movie_reference { PREVIOUS, FIRST, MEAN } movie_reference;

/** A movie, cropped as StackReg does, and its transforms. */
typedef struct movie {
    drua_plan *p;
    landmark_mode mode;
    movie_reference reference;
    counted_frames all, still; /**< `still`: the frame with which all others are compared; not used with PREVIOUS */
    counted_values *values; /**< of each frame */
    double offset, scale; /**< sums are those of (pixel - offset) * scale, so that their squares keep their digits */
    registration_row *rows;
} movie;

/** Whether a frame has counted pixels of more than one value. */
static inline bool has_texture(const movie *m, int32_t frame)
{
    return m->values[frame].number > 0 && m->values[frame].high > m->values[frame].low;
}

/**
 * Sets `rows`: the transform of each frame to the still frame with which it is compared, and how well they match. With
 * PREVIOUS, the still frame is the last earlier frame that has texture. Rows of frames without texture hold NaN.
 */
void search_frames(const movie *m);

#endif
