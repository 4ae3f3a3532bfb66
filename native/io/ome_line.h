/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two lines of an image's text that carry the metadata of OME-Zarr and OME-TIFF for which ImageJ has no keys.
 *
 * `position=x,y,z` is the coordinate of the centre of the first pixel, in the text's `unit`.
 *
 * `ome=` is followed by a JSON object:
 * - "axes": a list of the axes that the file has, each with its "axis" (t, c, z, y or x), its "name", "type" and "unit"
 *   as the file spells them, its "scale" and its "translation" in that unit
 * - "omero": as in OME-Zarr, with one entry of "channels" for each channel of the image, without members of a wrong
 * type - "attributes", "ome": members of the group's attributes, and of their part "ome", that Drua does not know
 */
#ifndef DRUA_IO_OME_LINE_H
#define DRUA_IO_OME_LINE_H

#include "multiscales.h"

typedef struct drua_line_axis {
    bool is_present;
    char name[64], kind[64], unit[64];
    double scale, translation;
} drua_line_axis;

typedef struct drua_ome_line {
    drua_json *json; /**< NULL if the text has no such line; the next three point into it, or are NULL */
    const drua_json *omero, *attributes, *ome;
    drua_line_axis axis[DRUA_AXES];
    double position[3];
} drua_ome_line;

/** Names of the axes, which are also the names in files if no other one is known. */
extern const char *const drua_axis_names[DRUA_AXES];

/** Adds both lines for a range of an image with these metadata; leaves out a line that says nothing. */
void drua_ome_line_add(const drua_multiscales *about, const drua_zarr_metadata *metadata, const drua_zarr_range *range,
                       drua_text *text);

/**
 * Adds the names, separated by commas, of the members of "omero" that drua_ome_line_add leaves out because OME-Zarr
 * gives them another type.
 */
void drua_ome_line_add_left_out(const drua_multiscales *about, drua_text *text);

/**
 * Reads both lines of a text. The caller closes *line, also after a failure. DRUA_E_ARGUMENT if the text is not as
 * described above.
 */
drua_status drua_ome_line_read(const char *text, drua_ome_line *line);
void drua_ome_line_close(drua_ome_line *line);

#endif
