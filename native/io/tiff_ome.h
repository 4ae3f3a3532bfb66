/* SPDX-License-Identifier: BSD-3-Clause */
/* The OME-XML of an open TIFF file: which page holds which channel, slice and frame; scale, unit and time. */
#ifndef DRUA_IO_TIFF_OME_H
#define DRUA_IO_TIFF_OME_H

#include "tiff_in.h"

/**
 * Sets the axes, scale and order of pages that the OME-XML `description` states; does nothing for other texts. Fails if
 * the text does not tell the channel, slice and frame of each page. A text that states one channel and one frame does
 * not have to: then the pages are slices in the file's order.
 */
drua_status drua_tiff_follow_ome(drua_tiff *t, const char *description);

#endif
