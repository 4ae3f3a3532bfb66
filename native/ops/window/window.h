/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows around a pixel as chords: for each row its half length along x. */
#ifndef DRUA_WINDOW_H
#define DRUA_WINDOW_H

#include "plan.h"

enum {
    WINDOW_MOST_RADIUS = 490,   /* what kernels/window/chords.cl keeps of a row */
    WINDOW_ROWS = 2             /* that a work-item of kernels/filter/convolve.cl makes */
};

typedef struct drua_window {
    int32_t radius[3];
    const int16_t *chords;      /**< half length for dy and dz of 0 to radius, dy fastest; -1: none */
    size_t bytes;
    int64_t pixels;
} drua_window;

/** The window of the call's radius_x, radius_y, radius_z; flat for 2-D images. A sphere is an ellipsoid, else it is a
 * box. */
drua_window window_of(drua_plan *plan, bool sphere);

/** The window of that many steps, by all neighbours and by side alternately. */
drua_window window_octagon(drua_plan *plan, int64_t steps);

/** The extent of a copy with borders for all windows of work-items that make `lanes` pixels each. */
drua_shape window_padded(drua_layout layout, const int32_t radius[3], int32_t lanes);

/** A float32 copy of that extent whose pixel 0, 0, 0 is the source's at -radius; borders are repeated. */
drua_view window_copy(drua_plan *plan, drua_view from, drua_shape shape, const int32_t radius[3]);

/** Such a copy with borders for the kernels of taps.cl; rows are whole vectors. */
drua_view window_taps(drua_plan *plan, drua_view from, drua_layout layout, const int32_t radius[3]);

/** What OpenCL calls a view's element type. */
const char *window_element(drua_view view);

/** Whether rows of both views, of one width, lie in aligned vectors of so many pixels. */
bool window_in_vectors(drua_layout from, drua_layout to, int32_t lanes);

/** Rows that an item computes of order-dependent sums of `bytes` each; 0 where the window has to be divided into bands.
 */
int32_t window_rows_of_sums(drua_window window, size_t bytes);

/** Filters by kernels compiled for the window, for GPUs; false where that is not ready or the window is large. */
typedef bool window_special(drua_plan *plan, drua_window window, drua_view from, drua_view to);
window_special window_special_minimum, window_special_maximum, window_special_mean, window_special_exact_mean,
    window_special_count, window_special_variance, window_special_deviation;

/** Whether windows of these pixels are flat and their sums exact; what comes of them, by a kernel compiled for the
 * window, for GPUs. */
typedef enum drua_disc { WINDOW_MEAN, WINDOW_VARIANCE, WINDOW_DEVIATION } drua_disc;
bool window_disc_suits(drua_window window, drua_view from);
bool window_disc(drua_plan *plan, drua_disc wanted, drua_window window, drua_view from, drua_view to);

/** Variance or its root on GPUs, over a window of several slices or one for window_disc; false for other windows, types
 * and devices. */
bool window_deep_moments(drua_plan *plan, bool deviation, drua_window window, drua_view from, drua_view to);

#define WINDOW_RADIUS(axis, preset_)                                                                                   \
    DRUA_INTEGER("radius_" axis, "half width of the window along " axis, .unit = "pixel", DRUA_RANGE(0, WINDOW_MOST_RADIUS), .preset = preset_)
#define WINDOW_PARAMS(...)                                                                                             \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image", __VA_ARGS__), \
                WINDOW_RADIUS("x", 1), WINDOW_RADIUS("y", 1), WINDOW_RADIUS("z", 0))

#endif
