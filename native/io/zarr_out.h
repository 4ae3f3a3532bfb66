/* SPDX-License-Identifier: BSD-3-Clause */
/* An image during writing, shared by the files that write it. */
#ifndef DRUA_IO_ZARR_OUT_H
#define DRUA_IO_ZARR_OUT_H

#include "ome_line.h"
#include "zarr_image.h"

struct drua_zarr_out {
    char path[DRUA_PATH], folder[DRUA_PATH];    /**< folder: of the unfinished image */
    char parts[DRUA_PATH];                      /**< folder for temporary files during writing */
    bool replaces; /**< an existing image is replaced when this one gets its name */
    const char *provenance; /**< as in the options; only while the image is created */
    bool inside_image; /**< labels in the group `labels` of an image */
    int levels;
    drua_chunked arrays[DRUA_ZARR_LEVELS];
    drua_zarr_metadata metadata[DRUA_ZARR_LEVELS];
    drua_ome_line line; /**< what the text of a new image carries; empty for a resumed one */
};

/** Folder in an unfinished image for files that are being written. */
#define DRUA_PARTS "parts" DRUA_WRITING

/** Returns whether a name in an image's folder belongs to an image: a level, chunk or metadata file. */
bool drua_zarr_is_known(const char *name);

/** Removes an image and the labels in its group. Other files stay, and then so does the folder; returns false. */
bool drua_zarr_remove_folder(const char *folder);

/**
 * Fails if something lies at the path of an image that the image must not replace: anything other than an image, or an
 * image without permission. An empty folder may be used.
 */
drua_status drua_zarr_check_folder(const drua_zarr_out *out);

/** Write the contents of an array's metadata file and of an image's metadata file. */
void drua_array_text(const drua_chunked *array, drua_text *text);
void drua_image_text(const drua_zarr_out *out, const char *about, drua_text *text);

#endif
