/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the pixels of a box, computed without an image. */
#ifndef DRUA_DISTANCES_H
#define DRUA_DISTANCES_H

#include <stdint.h>

/**
 * Returns the sum of the distances of all pixels of an image to a point. The relative error is at most 1e-7. The
 * absolute error is at most 1e-4 pixel if the sum is below 1e9 and the point is in the image.
 */
double distances_to(const double point[3], const int32_t extent[3]);

#endif
