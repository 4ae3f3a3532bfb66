/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PSF_WIDTH_H
#define DRUA_PSF_WIDTH_H

#include <drua/types.h>

/**
 * Returns the full width at half maximum along an axis through the middle of contiguous pixels. The peak is searched
 * uphill from the middle. The result is at least 1, or NAN if the pixels do not fall to half.
 */
double psf_width(const float *pixels, drua_shape shape, int axis);

#endif
