/* SPDX-License-Identifier: BSD-3-Clause */
/* Affine and bilinear maps of the plane. */
#ifndef DRUA_OPS_REGISTRATION_PLANE_MAP_H
#define DRUA_OPS_REGISTRATION_PLANE_MAP_H

#include <stdbool.h>

/** x = at[0][0] + at[0][1] u + at[0][2] v + at[0][3] u v, and the same for y with at[1]. */
enum { PLANE_TERMS = 4 };
typedef struct plane_map {
    double at[2][PLANE_TERMS];
} plane_map;

plane_map plane_identity(void);

/** Returns the map that applies `first`, then `second`, for maps without terms in u v. */
plane_map plane_product(plane_map second, plane_map first);

/** Returns the inverse of a map without terms in u v; NaN for a map without an inverse. */
plane_map plane_inverse(plane_map m);

/** Returns the factor by which the map scales areas, at a position. */
double plane_area(plane_map m, double u, double v);

/** Whether no term is infinite or NaN. */
bool plane_is_finite(plane_map m);

/**
 * Sets the terms of the map that is 1 at one corner of a rectangle and 0 at the three others. The corners 0 and 3 are
 * opposite, and so are 1 and 2.
 */
void plane_corner(const double corners[][2], int corner, double terms[PLANE_TERMS]);

/** Returns the bilinear map that takes the corners of a rectangle to others. */
plane_map plane_of_corners(const double from[][2], const double to[][2]);

#endif
