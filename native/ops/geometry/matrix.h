/* SPDX-License-Identifier: BSD-3-Clause */
/* Affine matrices from a result's positions to its source's. A pixel's centre is half a pixel from its corner. */
#ifndef DRUA_OPS_GEOMETRY_MATRIX_H
#define DRUA_OPS_GEOMETRY_MATRIX_H

#include "plan.h"

typedef struct matrix {
    double at[3][4];
} matrix;

matrix matrix_identity(void);
matrix matrix_translation(double x, double y, double z);
matrix matrix_scaling(double x, double y, double z);

/** Turns the axis that follows `axis` (0 is x) towards the one after that. */
matrix matrix_rotation(int axis, double degrees);

/** Adds `factor` times one axis to another. */
matrix matrix_shear(int changed, int by, double factor);

/** `left` after `right`. */
matrix matrix_product(matrix left, matrix right);

/** NaN in every place if there is none. */
matrix matrix_inverse(matrix m);

/** Undoes and does the shift of an image's middle (its size halved, rounded down) to the origin. */
matrix matrix_from_middle(drua_shape shape);
matrix matrix_to_middle(drua_shape shape);

/** Fills "destination" from "source" through the matrix of the whole images; 0 outside. */
void matrix_resample(drua_plan *plan, matrix m, bool linear);

/** Parts of the result read the slices, rows or columns of the source that the matrix leads to. */
void matrix_parts(drua_plan *plan, drua_parts *parts, matrix m);

/** Steps along the result's axes. */
void matrix_steps(matrix m, double steps[3][3]);

/** A box of the result reads the box of the source around its corners. */
void matrix_region(matrix m, const drua_box *made, drua_box *read);

#endif
