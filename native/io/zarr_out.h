/* SPDX-License-Identifier: BSD-3-Clause */
/* An image that is being written, for the files that write it. */
#ifndef DRUA_IO_ZARR_OUT_H
#define DRUA_IO_ZARR_OUT_H

#include "zarr_image.h"

struct drua_zarr_out {
    char path[DRUA_PATH], folder[DRUA_PATH];    /**< folder: until it is whole */
    char parts[DRUA_PATH];                      /**< files that are being written */
    bool replaces; /**< an image that is there when this one gets its name */
    int levels;
    drua_chunked arrays[DRUA_ZARR_LEVELS];
    drua_zarr_metadata metadata[DRUA_ZARR_LEVELS];
};

/** The texts of an array's file and of an image's, both without the file's name. */
void drua_array_text(const drua_chunked *array, drua_text *text);
void drua_image_text(const drua_zarr_out *out, const char *about, drua_text *text);

#endif
