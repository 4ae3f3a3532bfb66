/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the OME-XML of an OME-TIFF file, as schema 2016-06 defines it. */
#ifndef DRUA_IO_OME_WRITE_H
#define DRUA_IO_OME_WRITE_H

#include "tiff_out.h"

/** Returns whether a path has the name of an OME-TIFF: it ends in .ome.tif or .ome.tiff, in any case. */
bool drua_ome_is_name(const char *path);

/**
 * Appends the XML of a file. Axes, scale, unit, frame interval, position, names and colours of channels come from the
 * text of the image. DRUA_E_ARGUMENT if its line "ome=" is not as in ome_line.h.
 */
drua_status drua_ome_write(const drua_tiff_out *out, drua_text *xml);

#endif
