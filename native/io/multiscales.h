/* SPDX-License-Identifier: BSD-3-Clause */
/* The metadata of OME-Zarr and N5 about the arrays of an image: levels, axes, scale and units. */
#ifndef DRUA_IO_MULTISCALES_H
#define DRUA_IO_MULTISCALES_H

#include "chunked.h"

typedef struct drua_multiscales {
    drua_json *json;                /**< the whole file; `omero` points into it */
    const drua_json *omero;         /**< display ranges and colours of the channels, or NULL */
    char level[DRUA_PATH];          /**< folder of the selected level */
    int levels, version;
    int dimensions;                 /**< number of dimensions of the arrays, and the axis of each; 0: the array's own
                                         metadata decide */
    drua_axis axis[DRUA_AXES];
    double scale[DRUA_AXES];        /**< for the axes t, c, z, y, x */
    char unit[DRUA_AXES][64];
    bool labels;
} drua_multiscales;

/** Holds the metadata of an unfinished image until it is complete. */
#define DRUA_PENDING "ome.writing"

/**
 * Reads the metadata of a folder; if `pending`, those of an unfinished image. *found is false if the folder holds no
 * image, or only a plain Zarr array. The caller closes `about` also after a failure.
 */
drua_status drua_multiscales_read(const char *folder, bool pending, int level, drua_multiscales *about, bool *found);
void drua_multiscales_close(drua_multiscales *about);

/**
 * Convert the unit of an axis in the file to ImageJ's unit, and back. `factor` receives the seconds in a unit of time.
 */
const char *drua_unit_to_imagej(const char *unit);
const char *drua_unit_from_imagej(const char *unit);
double drua_seconds_of_unit(const char *unit);

/** Returns the number of units `to` in one unit `from`, both in ImageJ's spelling; 0 if it is unknown. */
double drua_unit_factor(const char *from, const char *to);

#endif
