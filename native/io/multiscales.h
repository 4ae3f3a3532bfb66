/* SPDX-License-Identifier: BSD-3-Clause */
/* What OME-Zarr and N5 say about the arrays of an image: its levels, axes, scale and units. */
#ifndef DRUA_IO_MULTISCALES_H
#define DRUA_IO_MULTISCALES_H

#include "chunked.h"

typedef struct drua_multiscales {
    drua_json *json;                /**< the file, which `omero` is a part of */
    const drua_json *omero;         /**< display ranges and colours of channels, or NULL */
    char level[DRUA_PATH];          /**< folder of the chosen one */
    int levels, version;
    int dimensions;                 /**< of the arrays, and which axis each is; 0: the array decides */
    drua_axis axis[DRUA_AXES];
    double scale[DRUA_AXES];        /**< of axes t, c, z, y, x */
    char unit[DRUA_AXES][64];
    bool labels;
} drua_multiscales;

/** What an image that is being written will say, until it is whole. */
#define DRUA_PENDING "ome.writing"

/** Reads what the folder says, or will say. *found is false if it has no image, or none but a plain array of Zarr.
 * Closed also after a failure. */
drua_status drua_multiscales_read(const char *folder, bool pending, int level, drua_multiscales *about, bool *found);
void drua_multiscales_close(drua_multiscales *about);

/** From an axis' unit in the file to ImageJ's, and back; `factor`: seconds in a unit of time. */
const char *drua_unit_to_imagej(const char *unit);
const char *drua_unit_from_imagej(const char *unit);
double drua_seconds_of_unit(const char *unit);

/** How many units `to` one unit `from` has, both as ImageJ writes them; 0 if that is unknown. */
double drua_unit_factor(const char *from, const char *to);

#endif
