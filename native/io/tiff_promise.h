/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of pages that the text of a TIFF file states. */
#ifndef DRUA_IO_TIFF_PROMISE_H
#define DRUA_IO_TIFF_PROMISE_H

#include <stdint.h>

/**
 * Returns the number of pages that tifffile's or OME-TIFF's text states, at least 1; 1 for other texts, and for an
 * OME-TIFF whose text names files. `samples`: values of a pixel.
 */
double drua_tiff_promised(const char *text, uint32_t width, uint32_t height, int samples);

#endif
