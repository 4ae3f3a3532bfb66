/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Affine matrices that map positions in the result to positions in the source. A pixel's centre is half a pixel from
 * its corner.
 */
#ifndef DRUA_OPS_GEOMETRY_MATRIX_H
#define DRUA_OPS_GEOMETRY_MATRIX_H

#include "plan.h"

typedef struct matrix {
    double at[3][4];
} matrix;

matrix matrix_identity(void);
matrix matrix_translation(double x, double y, double z);
matrix matrix_scaling(double x, double y, double z);

/** Rotates the axis after `axis` (0 is x) towards the axis after that one. */
matrix matrix_rotation(int axis, double degrees);

/** Adds `factor` times axis `by` to axis `changed`. */
matrix matrix_shear(int changed, int by, double factor);

/** Returns the transform that applies `right` first, then `left`. */
matrix matrix_product(matrix left, matrix right);

/** Returns the inverse; for a singular matrix, all entries are NaN. */
matrix matrix_inverse(matrix m);

/**
 * matrix_from_middle returns the translation that moves an image's middle (its size halved, rounded down) to the
 * origin. matrix_to_middle returns the inverse translation.
 */
matrix matrix_from_middle(drua_shape shape);
matrix matrix_to_middle(drua_shape shape);

/** Fills "destination" from "source". The matrix refers to the whole images. Pixels outside the source are 0. */
void matrix_resample(drua_plan *plan, matrix m, bool linear);

/** Sets which slices, rows or columns of the source each part of the result reads. */
void matrix_parts(drua_plan *plan, drua_parts *parts, matrix m);

/** Sets the steps in the source along each axis of the result. */
void matrix_steps(matrix m, double steps[3][3]);

/** Sets the position in the source of the centre of the result's first pixel. */
void matrix_place(matrix m, double first[3]);

/** Sets the box of the source that a box of the result reads. */
void matrix_region(matrix m, const drua_box *made, drua_box *read);

#endif
