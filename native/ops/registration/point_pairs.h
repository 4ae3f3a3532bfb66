/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transforms that take points to given other points: affine by least squares, and thin-plate splines, which pass
 * through all points with the least bending.
 *
 * Source: Bookstein, IEEE Transactions on Pattern Analysis and Machine Intelligence 11, 567-585, 1989; in a volume, the
 * function of the distance is the distance.
 */
#ifndef DRUA_OPS_REGISTRATION_POINT_PAIRS_H
#define DRUA_OPS_REGISTRATION_POINT_PAIRS_H

#include "plan.h"

/** Points in an image, and the shifts from them to the points of another image, in pixels. z is 0 in a plane. */
typedef struct point_pairs {
    double (*at)[3], (*shift)[3];
    int count, dimension; /**< 2 or 3 */
} point_pairs;

enum { AFFINE_ROWS = 4 };

/**
 * The shift of a position p is rows[0] + rows[1] q.x + rows[2] q.y + rows[3] q.z with q = (p - center) / extent, plus
 * rows[4 + k] times the function of the distance to point k if `bends`.
 */
typedef struct point_fit {
    double center[3], extent;
    double (*rows)[3];
    bool bends;
} point_fit;

/** Fits a transform. Fails if the points are too few, lie on a line (in a plane, if the dimension is 3) or coincide. */
point_fit point_fit_of(drua_plan *plan, const point_pairs *pairs, bool thin_plate);

/** Distance between where a fit puts a point and where it should lie, in pixels. */
double point_error(const point_fit *fit, const point_pairs *pairs, int point);

#endif
