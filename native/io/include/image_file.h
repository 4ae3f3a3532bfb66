/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An image on disk, a TIFF file or one in chunks (OME-Zarr, N5), as the slices of an image on the device. The format is
 * told by the path: a folder, or a name that ends in .zarr or .n5, is in chunks. Any thread; one file is used by one
 * thread at a time.
 */
#ifndef DRUA_IO_IMAGE_FILE_H
#define DRUA_IO_IMAGE_FILE_H

#include "text.h"

#include <drua/types.h>

#include <stdbool.h>

typedef struct drua_image_file drua_image_file;

/** Zeros: what a push in ImageJ takes, the slices of the first channel and frame, else all channels, else all frames.
 */
typedef struct drua_selection {
    int64_t channels[2], frames[2];     /**< first and last, from 1; several of both are slices in ImageJ's order */
    int64_t origin[3], size[3];         /**< a box of each; a size of 0 goes to the end. Only of images in chunks */
    int level;                          /**< of images in chunks */
} drua_selection;

/** DRUA_E_ARGUMENT with the path and what is wrong, DRUA_E_UNSUPPORTED without the library that reads it. */
drua_status drua_image_file_open(const char *path, const drua_selection *which, drua_image_file **file);
void drua_image_file_close(drua_image_file *file);

/** Refuses a path to write that is an image which is open in this process, by whatever spelling or link, lies in it or
 * has it inside. Any thread. */
drua_status drua_image_file_may_write(const char *path);

drua_shape drua_image_file_shape(const drua_image_file *file);
drua_type drua_image_file_type(const drua_image_file *file);

/** Whether slices have colours: three planes each. */
bool drua_image_file_has_colours(const drua_image_file *file);

/** How many channels and frames the file has in all. */
void drua_image_file_axes(const drua_image_file *file, int64_t *channels, int64_t *frames);

/** As drua_tiff_missing; 0 of images in chunks. */
int64_t drua_image_file_missing(const drua_image_file *file);

/** As drua_tiff_tell_missing. */
void drua_image_file_tell_missing(const drua_image_file *file, drua_text *text);

/** Adds the text: lines key=value as in tiff.h. */
void drua_image_file_describe(const drua_image_file *file, drua_text *text);

/**
 * Which kind of image a file is to be by its name. DRUA_E_ARGUMENT if the name ends as files of another format do, such
 * as "out.png". An ending is up to eight letters and digits behind the last point, of which the first is a letter; a
 * name without an ending is a name of both kinds.
 */
typedef enum drua_file_kinds { DRUA_FILE_TIFF = 1, DRUA_FILE_ZARR = 2 } drua_file_kinds;
drua_status drua_image_file_check_name(const char *path, int kinds);

/* ---- its planes, read ahead while others take them */

typedef struct drua_file_planes drua_file_planes;

/** Starts to read with plane `first`; those before are not asked for. The file stays open until the planes are closed.
 */
drua_status drua_file_planes_open(const drua_image_file *file, size_t first, drua_file_planes **planes);

/** The functions of a drua_stream with the planes as payload. */
int drua_file_planes_prepare(void *planes, size_t first, size_t last);
void drua_file_planes_copy(void *planes, size_t plane, size_t inside, void *memory, size_t bytes);

/** Ends. `status` is that of the transfer; what failed in a file is told in its place. */
drua_status drua_file_planes_close(drua_file_planes *planes, drua_status status);

#endif
