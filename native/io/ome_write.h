/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes OME-XML, as schema 2016-06 defines it: of an OME-TIFF file, or of the images in a folder of OME-Zarr. */
#ifndef DRUA_IO_OME_WRITE_H
#define DRUA_IO_OME_WRITE_H

#include "tiff_out.h"

/** Returns whether a path has the name of an OME-TIFF: it ends in .ome.tif or .ome.tiff, in any case. */
bool drua_ome_is_name(const char *path);

/** Returns whether OME-XML has a name for the unit of length in the text of an image, or the text has no unit. */
bool drua_ome_has_unit(const char *text);

/** An image in OME-XML. */
typedef struct drua_ome_image {
    const char *id, *name, *text; /**< its number or path; its name; lines key=value */
    size_t name_length;
    drua_shape shape; /**< the first two sides count */
    drua_type type;
    int samples; /**< colours of a pixel */
    int64_t pages; /**< over all channels, slices and frames */
    bool in_tiff; /**< the pages follow in the same TIFF */
} drua_ome_image;

/**
 * Append the start of the XML, an image (`number` counts from 0), and the end of the XML. drua_ome_add fails like
 * drua_ome_write.
 */
void drua_ome_begin(drua_text *xml);
drua_status drua_ome_add(const drua_ome_image *image, int number, drua_text *xml);
void drua_ome_end(drua_text *xml);

/**
 * Appends the XML of a file. Axes, scale, unit, frame interval, position, names and colours of channels come from the
 * text of the image. DRUA_E_ARGUMENT if its line "ome=" is not as in ome_line.h.
 */
drua_status drua_ome_write(const drua_tiff_out *out, drua_text *xml);

#endif
