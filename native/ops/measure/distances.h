/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the pixels of a box that need no image. */
#ifndef DRUA_DISTANCES_H
#define DRUA_DISTANCES_H

#include <stdint.h>

/** Sum of the distances of all pixels of an image to a point, within 1e-7 of it. */
double distances_to(const double point[3], const int32_t extent[3]);

#endif
