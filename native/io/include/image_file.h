/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An image on disk, a TIFF file or a chunked image (OME-Zarr, N5), seen as the slices of an image on the device. The
 * path determines the format (drua_zarr_is_path). Any thread; one thread at a time may use a file.
 */
#ifndef DRUA_IO_IMAGE_FILE_H
#define DRUA_IO_IMAGE_FILE_H

#include "file.h"
#include "text.h"

#include <drua/types.h>

#include <stdbool.h>

typedef struct drua_image_file drua_image_file;

/**
 * The part of a file to read. Zeros select the slices of the first channel and frame. If there is only one slice, they
 * select all channels or, with one channel, all frames.
 */
typedef struct drua_selection {
    int64_t channels[2], frames[2];     /**< first and last, counted from 1; several channels or frames become slices
                                             in ImageJ's order */
    int64_t origin[3], size[3];         /**< a box in each channel and frame; a size of 0 extends to the image's end.
                                             Chunked images only */
    int level; /**< the resolution level; 0: the largest */
    const char *series; /**< as in tiff.h and zarr.h */
} drua_selection;

/** Opens an image. DRUA_E_ARGUMENT names the path and the problem; DRUA_E_UNSUPPORTED names a missing library. */
drua_status drua_image_file_open(const char *path, const drua_selection *which, drua_image_file **file);
void drua_image_file_close(drua_image_file *file);

/**
 * Fails with DRUA_E_AWAY if the image no longer exists or was replaced since it was opened. The size and time of a TIFF
 * file, or the text and time of an array's metadata, show this.
 */
drua_status drua_image_file_check(const drua_image_file *file);

/**
 * Finds the properties of a file or folder. Returns false if it does not exist or cannot be read. On a server, an image
 * in chunks counts as a folder without further properties.
 */
bool drua_image_file_stat(const char *path, drua_file_info *info);

/**
 * Refuses an output path that is an image open in this process, lies inside such an image, or contains one. Links and
 * other spellings of the path are resolved first. Any thread.
 */
drua_status drua_image_file_may_write(const char *path);

drua_shape drua_image_file_shape(const drua_image_file *file);
drua_type drua_image_file_type(const drua_image_file *file);

/** Returns whether the slices are coloured: each has three planes. */
bool drua_image_file_has_colours(const drua_image_file *file);

/** Returns whether the file says that it holds a label map. */
bool drua_image_file_has_labels(const drua_image_file *file);

/** Gives the numbers of channels and frames in the whole file. */
void drua_image_file_axes(const drua_image_file *file, int64_t *channels, int64_t *frames);

/** Like drua_tiff_missing; 0 for chunked images. */
int64_t drua_image_file_missing(const drua_image_file *file);

/** Like drua_tiff_describe_missing. */
void drua_image_file_describe_missing(const drua_image_file *file, drua_text *text);

/** Like drua_zarr_describe_left_out or drua_tiff_describe_left_out. */
void drua_image_file_describe_left_out(const drua_image_file *file, drua_text *text);

/** Returns numbers and names of the images (series) that were not chosen; NULL if the file has one image. */
const char *drua_image_file_other_series(const drua_image_file *file);

/** Returns the path of the `part`-th further file that holds pixels of the image, from 0; NULL if it has fewer. */
const char *drua_image_file_part(const drua_image_file *file, int part);

/** Appends lines key=value as in tiff.h to the text. */
void drua_image_file_describe(const drua_image_file *file, drua_text *text);

/**
 * Determines the format of an output file from its name. DRUA_E_ARGUMENT if the name ends like a file of another
 * format, such as "out.png". An extension is a letter followed by up to seven letters and digits, after the last point.
 * Both formats accept a name without an extension.
 */
typedef enum drua_file_kinds { DRUA_FILE_TIFF = 1, DRUA_FILE_ZARR = 2 } drua_file_kinds;
drua_status drua_image_file_check_name(const char *path, int kinds);

/** Refuses the extension of an image for a file that will be a text. */
drua_status drua_image_file_check_text_name(const char *path);

/* ---- planes, read ahead by other threads */

typedef struct drua_file_planes drua_file_planes;

/**
 * Starts reading at plane `first`; the caller must not ask for earlier planes. The file must stay open until the planes
 * are closed.
 */
drua_status drua_file_planes_open(const drua_image_file *file, size_t first, drua_file_planes **planes);

/** The functions of a drua_stream whose payload is the planes. */
int drua_file_planes_prepare(void *planes, size_t first, size_t last);
void drua_file_planes_copy(void *planes, size_t plane, size_t inside, void *memory, size_t bytes);

/**
 * Ends reading and frees the planes. Takes the transfer's status and returns it, or returns the file error that made
 * the transfer fail. Fails like drua_image_file_check if the image was replaced while it was read.
 */
drua_status drua_file_planes_close(drua_file_planes *planes, drua_status status);

#endif
