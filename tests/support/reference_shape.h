/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of labels, for the tests of measure_labels: whole lines, sections and flood fills instead of the engine's
 * configurations of neighbouring pixels.
 */
#ifndef DRUA_TESTS_REFERENCE_SHAPE_H
#define DRUA_TESTS_REFERENCE_SHAPE_H

#include "reference.h"

/** Number of steps along a direction, inside the image and to its border, that enter or leave a label. */
int64_t shape_crossings(const reference_image *labels, int label, int dx, int dy, int dz);

/** Perimeter of a label of a plane by Crofton's formula with 2 or 4 directions. */
double shape_perimeter(const reference_image *labels, int label, const double size[3], int directions);

/** Surface area of a label of a stack with 3 or 13 directions, whose shares are x, y, z, xy, xz, yz, xyz. */
double shape_surface(const reference_image *labels, int label, const double size[3], const double shares[7],
                     int directions);

/** Mean breadth with 3 directions, from the Euler numbers of slices across x, y and z. */
double shape_breadth(const reference_image *labels, int label, const double size[3]);

/** Components minus holes of a plane, found by flood fills; `full`: corners connect the label's pixels. */
int shape_plane_euler(const reference_image *labels, int label, bool full);

/** Euler number of a stack from its voxels, edges, faces and cubes. */
int shape_stack_euler(const reference_image *labels, int label, bool full);

/** Shares of the half sphere around 13 directions, by sampling; x, y, z, xy, xz, yz, xyz. */
void shape_shares(const double size[3], double shares[7]);

/**
 * Central moments of a label in units of length, times the size of a voxel: sum of (x - cx)^p (y - cy)^q (z - cz)^r.
 */
double shape_moment(const reference_image *labels, int label, const double size[3], int p, int q, int r);

/** The three eigenvalues of a symmetric matrix, the largest first, by the trigonometric formula. */
void shape_eigenvalues(double m[3][3], double values[3]);

#endif
