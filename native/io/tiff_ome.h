/* SPDX-License-Identifier: BSD-3-Clause */
/* The OME-XML of an open TIFF file: which page holds which channel, slice and frame; scale, unit and time. */
#ifndef DRUA_IO_TIFF_OME_H
#define DRUA_IO_TIFF_OME_H

#include "ome_xml.h"
#include "tiff_in.h"

/**
 * Parses the OME-XML `text` as drua_ome_parse does. If the text refers to another file in the same folder, parses the
 * OME-XML of that file. A text that is not OME-XML gives an empty *ome. The caller closes *ome in all cases. `series`
 * may be NULL: only files with one series are read.
 */
drua_status drua_tiff_read_ome(const drua_tiff *t, const char *text, const char *series, drua_ome *ome);

/** Returns the number of pages that the OME-XML states, at least 1; 1 if it names files or several images. */
double drua_tiff_pages_by_ome(const drua_tiff *t, const drua_ome *ome);

/**
 * Sets the axes, scale and order of pages that the OME-XML states; does nothing if *ome is empty. Fails if the text
 * does not give the channel, slice and frame of each page. If it states one channel and one frame and lists the pages
 * in the file's order, it does not fail: all pages are slices.
 */
drua_status drua_tiff_apply_ome(drua_tiff *t, const char *series, drua_ome *ome);

#endif
