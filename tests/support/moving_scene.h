/* SPDX-License-Identifier: BSD-3-Clause */
/* Movies of a scene that moves by known transforms, and how far estimated transforms are from them. */
#ifndef DRUA_TESTS_MOVING_SCENE_H
#define DRUA_TESTS_MOVING_SCENE_H

#include "harness.h"

/** Columns of the table of a registration. */
enum { MOVED_COLUMNS = 12, MOVED_XX = 1, MOVED_CORRELATION = 7, MOVED_RESIDUAL, MOVED_OVERLAP, MOVED_TWIST };

/**
 * The transform of a frame: pixel x, y of the scene lies at xx x + xy y + x0 + twist_x x y, yx x + yy y + y0 + twist_y
 * x y of the frame.
 */
typedef struct moving_frame {
    double xx, xy, x0, yx, yy, y0, twist_x, twist_y;
} moving_frame;

/** A rotation and a scale about the middle of a frame of this extent, a shear, and a shift by x, y. */
moving_frame moving_by(double width, double height, double turn, double scale, double shear, double x, double y);

/** Draws blobs of 2 to 6 pixels in frames of uint16, with grey values of 200 to several thousand and noise. */
reference_image moving_movie(harness_random *chance, const moving_frame *frames, int64_t count, int64_t width,
                             int64_t height, double noise);

/**
 * The largest distance between the positions to which the transform and the table's row move nine points of a frame.
 */
double moving_error(const moving_frame *truth, const double *row, double width, double height);

/** Calls estimate_registration. Sets *transforms unless it is NULL. The caller frees the table. */
drua_table *moving_estimate(drua_context *context, drua_image movie, const char *mode, const char *reference,
                            drua_image *transforms);

#endif
