/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows around a pixel, stored as chords: the half length along x of each row. */
#ifndef DRUA_WINDOW_H
#define DRUA_WINDOW_H

#include "plan.h"

enum {
    WINDOW_MAX_RADIUS = 490, /* largest radius for which kernels/window/chords.cl can store a row */
    WINDOW_ROWS = 2 /* rows that a work-item of kernels/filter/convolve.cl computes */
};

typedef struct drua_window {
    int32_t radius[3];
    const int16_t *chords;      /**< half length for dy and dz from 0 to radius, dy fastest; -1: no pixels */
    size_t bytes;
    int64_t pixels;
} drua_window;

/**
 * Returns the window for the call's radius_x, radius_y, radius_z; flat for 2D images. `sphere`: an ellipsoid instead of
 * a box.
 */
drua_window window_of(drua_plan *plan, bool sphere);

/** Returns the window of `steps` steps, which alternate between all neighbours and side neighbours. */
drua_window window_octagon(drua_plan *plan, int64_t steps);

/** Returns the extent of a copy with borders, large enough for work-items that each compute `lanes` pixels. */
drua_shape window_padded(drua_layout layout, const int32_t radius[3], int32_t lanes);

/** Returns a float32 copy of that extent. Its pixel 0, 0, 0 is at -radius in the source; borders are repeated. */
drua_view window_copy(drua_plan *plan, drua_view from, drua_shape shape, const int32_t radius[3]);

/** Returns a copy with borders for the kernels of taps.cl; rows are whole vectors. */
drua_view window_taps(drua_plan *plan, drua_view from, drua_layout layout, const int32_t radius[3]);

/** As window_copy, with the keys of kernels/window/median.cl, which keep all bits of each type. */
drua_view window_keys(drua_plan *plan, drua_view from, drua_shape shape, const int32_t radius[3]);

/**
 * Writes the sum of the pixels of each window times the weights. With `correlates`, divides this sum by the root of the
 * sum of squared pixels and by that of squared weights. `weights`: float32, without gaps. Borders are repeated.
 */
void window_weigh(drua_plan *plan, bool correlates, drua_view from, drua_view weights, drua_view to);

/** Returns the OpenCL name of a view's element type. */
const char *window_element(drua_view view);

/** Whether both views have the same width and their rows lie in aligned vectors of `lanes` pixels. */
bool window_in_vectors(drua_layout from, drua_layout to, int32_t lanes);

/**
 * Returns how many rows a work-item of a chord kernel computes, so that sums of `bytes` bytes fit into local memory; 0
 * if the window must be divided into bands.
 */
int32_t window_rows_of_sums(drua_window window, size_t bytes);

/**
 * Filters with a GPU kernel compiled for the window. Returns false if the kernel is not ready or the window is too
 * large.
 */
typedef bool window_special(drua_plan *plan, drua_window window, drua_view from, drua_view to);
window_special window_special_minimum, window_special_maximum, window_special_mean, window_special_exact_mean,
    window_special_count, window_special_variance, window_special_deviation;

/**
 * window_disc_suits: whether the window is flat and sums of these pixels are exact. window_disc computes the statistic
 * `wanted` with a GPU kernel compiled for the window; it returns false if the kernel is not ready.
 */
typedef enum drua_disc { WINDOW_MEAN, WINDOW_VARIANCE, WINDOW_DEVIATION } drua_disc;
bool window_disc_suits(drua_window window, drua_view from);
bool window_disc(drua_plan *plan, drua_disc wanted, drua_window window, drua_view from, drua_view to);

/**
 * Computes the variance, or with `deviation` its square root, on GPUs, over a window of several slices or one that
 * suits window_disc. Returns false for other windows, types and devices.
 */
bool window_deep_moments(drua_plan *plan, bool deviation, drua_window window, drua_view from, drua_view to);

#define WINDOW_RADIUS(axis, default_)                                                                                  \
    DRUA_INTEGER("radius_" axis, "half width of the window along " axis, .unit = "pixel",                              \
                 DRUA_RANGE(0, WINDOW_MAX_RADIUS), .default_value = default_)
#define WINDOW_PARAMS(...)                                                                                             \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),                                                            \
                DRUA_IMAGE_OUT("destination", "filtered image", __VA_ARGS__), WINDOW_RADIUS("x", 1),                   \
                WINDOW_RADIUS("y", 1), WINDOW_RADIUS("z", 0))

#endif
