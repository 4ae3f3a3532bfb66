/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the pixels of a box that need no image. */
#ifndef DRUA_DISTANCES_H
#define DRUA_DISTANCES_H

#include <stdint.h>

/** Sum of the distances of all pixels of an image to a point: within 1e-7 of it, and within 1e-4 of a pixel if it is
 * below 1e9 and the point in the image. */
double distances_to(const double point[3], const int32_t extent[3]);

#endif
