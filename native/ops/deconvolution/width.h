/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PSF_WIDTH_H
#define DRUA_PSF_WIDTH_H

#include <drua/types.h>

/** Full width at half maximum along an axis through the middle of dense pixels, uphill from there, 1 at least; NAN
 * where they do not fall so far. */
double psf_width(const float *pixels, drua_shape shape, int axis);

#endif
