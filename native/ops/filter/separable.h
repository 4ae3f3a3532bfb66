/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters whose windows are boxes of weights, filtered one axis after the other. */
#ifndef DRUA_SEPARABLE_H
#define DRUA_SEPARABLE_H

#include "plan.h"

enum { SEPARABLE_MOST_TAPS = DRUA_TABLE_BYTES / sizeof(float) };

enum { SEPARABLE_WIDE = DRUA_NO_TYPE }; /**< "type" of a view of such sums */

/** What happens to the pixels of a window; the numbers are FILTER in kernels/specialized/separable/separable_axes.cl.
 */
typedef enum separable_kind { SEPARABLE_GAUSSIAN, SEPARABLE_MEAN, SEPARABLE_MINIMUM, SEPARABLE_MAXIMUM } separable_kind;

typedef struct separable {
    separable_kind kind;
    int radius[3];          /**< along x, y, z; -1: the axis is left alone */
    double
        divisor; /**< of a mean; of a Gaussian how often a result was rounded, see snap in kernels/common/prelude.cl */
    drua_type sums;         /**< of what a pass leaves to the next: DRUA_FLOAT32, or of a mean an integer type */
    bool wide[3]; /**< sums of the passes that end with the axis have 64 bits, those after it too; of a mean in
                     integers, not x */
    float *weights[3];      /**< of a Gaussian: 2 radius + 1 of an axis */
} separable;

/** A subtraction that the filter's last pass does too. */
typedef struct separable_join {
    enum { SEPARABLE_OTHER_LESS_RESULT = 1, SEPARABLE_RESULT_LESS_OTHER } kind;     /**< SUBTRACT there */
    drua_view other;
    drua_type type;         /**< in which the filter's own result is seen */
} separable_join;

/** Gaussian of those standard deviations; 0 leaves an axis alone, as does an extent of one pixel, which is its own
 * surroundings. */
separable separable_gaussian(drua_plan *plan, const double sigma[3], drua_view from);
int separable_gaussian_radius(double sigma);

/** Parts of an operation with sigma_x, sigma_y, sigma_z. */
void separable_gaussian_parts(drua_plan *plan, drua_parts *parts);

/** The axes of a filter from `axis` to `end` alone. */
separable separable_axes(const separable *filter, int axis, int end);

/** Filters `from` to `to`; without an axis, copies. `join` may be NULL. */
void separable_filter(drua_plan *plan, const separable *filter, drua_view from, drua_view to,
                      const separable_join *join);

/**
 * A minimum and the maximum of its result, or the other way round, over boxes. On GPUs both pass along z at once,
 * between x and y of the first and of the second.
 */
void separable_pair(drua_plan *plan, separable_kind first, separable_kind second, const double radius[3],
                    drua_view from, drua_view to, const separable_join *join);

/** Mean over boxes of 2 radius + 1 pixels an axis, borders repeated. */
void box_mean(drua_plan *plan, const double radius[3], drua_view from, drua_view to);

/** Pixels of the view's extent, in rows such as it has, for what a pass leaves to the next. */
drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type);

/** The same for sums of 64 bits. */
drua_view separable_wide_middle(drua_plan *plan, drua_view from);

/** y and z of a view exchanged. */
drua_view separable_exchange(drua_view view);

/**
 * The axes from `axis` to `end` in one pass by a kernel below kernels/specialized; `last`: there is none after it.
 * False where none serves or is ready.
 */
bool separable_special(drua_plan *plan, const separable *filter, int axis, int end, bool last, drua_view from,
                       drua_view to, const separable_join *join);

/** z of a pair, from one float32 image to another. */
bool separable_special_pair_z(drua_plan *plan, const separable *first, drua_view from, drua_view to);

/** Whether the following serve two Gaussians of an image. */
bool separable_fits_two(drua_plan *plan, const separable *a, const separable *b, drua_view from, drua_view to);

/**
 * Two Gaussians of an image along x and y, each to an image of its own; without `second` their difference, where each
 * is seen in `type`, to `to`. Then both along z and their difference.
 */
bool separable_special_two(drua_plan *plan, const separable *a, const separable *b, drua_type type, drua_view from,
                           drua_view to, drua_view second);
bool separable_special_two_z(drua_plan *plan, const separable *a, const separable *b, drua_type type, drua_view from,
                             drua_view second, drua_view to);

#endif
