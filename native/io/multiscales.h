/* SPDX-License-Identifier: BSD-3-Clause */
/* The metadata of OME-Zarr and N5 about the arrays of an image: levels, axes, scale and units. */
#ifndef DRUA_IO_MULTISCALES_H
#define DRUA_IO_MULTISCALES_H

#include "chunked.h"

typedef struct drua_multiscales {
    drua_json *json; /**< the whole file; the next three point into it, or are NULL */
    const drua_json *omero; /**< display ranges and colours of the channels */
    const drua_json *attributes; /**< the attributes of the group */
    const drua_json *ome; /**< OME-Zarr 0.5: its part of the attributes */
    char level[DRUA_PATH];          /**< folder of the selected level */
    int levels, version;
    int dimensions;                 /**< number of dimensions of the arrays, and the axis of each; 0: the array's own
                                         metadata decide */
    drua_axis axis[DRUA_AXES];
    char name[DRUA_AXES][64], kind[DRUA_AXES][64]; /**< name and type of the axes t, c, z, y, x; "" if not stated */
    double scale[DRUA_AXES]; /**< distance of neighbouring pixels; negative if the coordinate falls */
    double translation[DRUA_AXES]; /**< coordinate of the centre of the first pixel */
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

/** As drua_multiscales_read, for the folder of an N5 image, level or setup whose attributes.json is about->json. */
drua_status drua_n5_multiscales(const char *folder, int level, drua_multiscales *about, bool *found);

/** Convert the unit of an axis in the file to ImageJ's unit, and back. */
const char *drua_unit_to_imagej(const char *unit);
const char *drua_unit_from_imagej(const char *unit);

/** Returns the seconds in a unit of time; 0 if the unit is unknown. */
double drua_seconds_of_unit(const char *unit);

#endif
