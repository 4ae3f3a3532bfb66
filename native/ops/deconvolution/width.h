/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PSF_WIDTH_H
#define DRUA_PSF_WIDTH_H

#include <drua/types.h>

/** Full width at half of the middle's height along an axis of dense pixels; NAN where they do not fall so far. */
double psf_width(const float *pixels, drua_shape shape, int axis);

#endif
