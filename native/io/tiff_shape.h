/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text that tifffile writes into a TIFF, such as {"shape": [2, 40, 512, 512], "axes": "CZYX"}. The last axis
 * changes fastest. Source: tifffile's documentation of "shaped" files.
 */
#ifndef DRUA_IO_TIFF_SHAPE_H
#define DRUA_IO_TIFF_SHAPE_H

#include "tiff_in.h"

/** Returns the number of pages that the text states, at least 1; 1 for other texts. */
double drua_tiff_promised_by_shape(const drua_tiff *t, const char *text);

/**
 * Sets channels, slices, frames and the order of pages from the text. If pages have several axes and the text does not
 * name each of them C, Z or T, `t->axes_unknown` is set, and the pages are slices. Sets only `t->has_axes` for other
 * texts, and if the file has a different number of pages.
 */
drua_status drua_tiff_follow_shape(drua_tiff *t, const char *text);

#endif
