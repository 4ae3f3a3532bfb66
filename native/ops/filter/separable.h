/* SPDX-License-Identifier: BSD-3-Clause */
/* Separable filters over boxes of weights, applied one axis after another. */
#ifndef DRUA_SEPARABLE_H
#define DRUA_SEPARABLE_H

#include "plan.h"

enum { SEPARABLE_MAX_TAPS = DRUA_TABLE_BYTES / sizeof(float) };

enum { SEPARABLE_WIDE = DRUA_NO_TYPE }; /**< "type" of a view of 64-bit sums */

/** Operation on the pixels of a window. The numbers equal FILTER in kernels/specialized/separable/separable_axes.cl. */
typedef enum separable_kind { SEPARABLE_GAUSSIAN, SEPARABLE_MEAN, SEPARABLE_MINIMUM, SEPARABLE_MAXIMUM } separable_kind;

typedef struct separable {
    separable_kind kind;
    int radius[3];          /**< radius along x, y, z; -1: the axis is not filtered */
    double divisor; /**< for a mean: divisor; for a Gaussian: number of roundings of a result, see snap in
                      kernels/common/prelude.cl */
    drua_type sums; /**< type of the images between passes: DRUA_FLOAT32; for a mean also an integer type; for extremes
                       of 32-bit integers the type of the source */
    bool wide[3]; /**< the sums after the pass along this axis and after all later passes have 64 bits; only for
                       integer means, and not after x */
    float *weights[3]; /**< for a Gaussian: 2 radius + 1 weights for each axis */
} separable;

/** A subtraction that the filter's last pass includes. */
typedef struct separable_join {
    enum { SEPARABLE_OTHER_LESS_RESULT = 1, SEPARABLE_RESULT_LESS_OTHER } kind;     /**< SUBTRACT in the kernels */
    drua_view other;
    drua_type type;         /**< type to which the filter's own result is converted before the subtraction */
} separable_join;

/**
 * Returns a Gaussian with these standard deviations. An axis is not filtered if its standard deviation is 0 or its
 * extent is one pixel.
 */
separable separable_gaussian(drua_plan *plan, const double sigma[3], drua_view from);
int separable_gaussian_radius(double sigma);

/** Sets the parts of an operation with parameters sigma_x, sigma_y, sigma_z. */
void separable_gaussian_parts(drua_plan *plan, drua_parts *parts);

/** Returns the filter restricted to the axes from `axis` to `end`. */
separable separable_axes(const separable *filter, int axis, int end);

/** Filters `from` to `to`. A filter without axes copies the image. `join` may be NULL. */
void separable_filter(drua_plan *plan, const separable *filter, drua_view from, drua_view to,
                      const separable_join *join);

/**
 * Applies a minimum and then a maximum over boxes, or a maximum and then a minimum. On GPUs, one pass along z serves
 * both filters; it runs between x and y of the first filter and x and y of the second.
 */
void separable_pair(drua_plan *plan, separable_kind first, separable_kind second, const double radius[3],
                    drua_view from, drua_view to, const separable_join *join);

/** Mean over boxes of 2 radius + 1 pixels per axis; border pixels are repeated. */
void box_mean(drua_plan *plan, const double radius[3], drua_view from, drua_view to);

/** Returns a scratch image of the view's extent and row layout, for the result between two passes. */
drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type);

/** As separable_middle, for 64-bit sums. */
drua_view separable_wide_middle(drua_plan *plan, drua_view from);

/** Returns the view with y and z exchanged. */
drua_view separable_exchange(drua_view view);

/** A pass of a filter over the axes from `axis` to `end`. */
typedef struct separable_pass {
    const separable *filter;
    int axis, end;
    bool last; /**< no pass follows */
    drua_view from, to;
    const separable_join *join; /**< NULL: no subtraction */
} separable_pass;

/**
 * Runs a pass with a kernel from kernels/specialized. Returns false if no kernel is suitable, or the suitable one has
 * not been compiled yet.
 */
bool separable_special(drua_plan *plan, const separable_pass *pass);

/** Filters both members of a pair along z, from one float32 image to another. */
bool separable_special_pair_z(drua_plan *plan, const separable *first, drua_view from, drua_view to);

/** The difference of two Gaussians of an image. */
typedef struct separable_difference {
    const separable *narrow, *wide;
    drua_type type; /**< type to which both results are converted before the subtraction */
} separable_difference;

/** Whether separable_special_two and separable_special_two_z can apply these two Gaussians. */
bool separable_fits_two(drua_plan *plan, const separable_difference *two, drua_view from, drua_view to);

/**
 * separable_special_two applies both Gaussians to an image along x and y, and writes the results to `to` and `second`.
 * Without `second`, it writes the difference to `to`. separable_special_two_z then applies both along z and writes the
 * difference. Both return false in the cases of separable_special.
 */
bool separable_special_two(drua_plan *plan, const separable_difference *two, drua_view from, drua_view to,
                           drua_view second);
bool separable_special_two_z(drua_plan *plan, const separable_difference *two, drua_view from, drua_view second,
                             drua_view to);

#endif
