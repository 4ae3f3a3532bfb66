/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TIFF files. The planes become the slices of an image on the device. They belong to one channel and one frame; in a
 * file without depth they are all channels or all frames. A coloured slice has three planes.
 *
 * The text holds lines key=value, as the ImageJ plugin writes them: width, height, depth, bits, pixelWidth,
 * pixelHeight, pixelDepth, unit, frameInterval, min, max, lut, rgb, labels. A text for writing also holds channels,
 * slices and frames. Any thread; one thread at a time may use a file.
 */
#ifndef DRUA_IO_TIFF_H
#define DRUA_IO_TIFF_H

#include "text.h"

#include <drua/types.h>

#include <stdbool.h>

typedef struct drua_tiff drua_tiff;

/**
 * Opens a file and selects planes. channel and frame count from 1; 0 selects the channel and frame that ImageJ pushes.
 * `series` chooses an image of an OME-TIFF by its number from 1 or its name; "": the first one; NULL: the first one if
 * the file has no other, else DRUA_E_ARGUMENT. The error message of DRUA_E_ARGUMENT names the path and the problem. For
 * example, the chain of directories is truncated or cyclic, or the text of a single directory states more pages than
 * the file has bytes for.
 */
drua_status drua_tiff_open(const char *path, const char *series, int64_t channel, int64_t frame, drua_tiff **tiff);
void drua_tiff_close(drua_tiff *tiff);

/** Selects other planes of an open file. */
drua_status drua_tiff_select(drua_tiff *tiff, int64_t channel, int64_t frame);

/**
 * Chooses a smaller resolution level of an OME-TIFF, right after drua_tiff_open. Level 0 is the largest; the others are
 * in the SubIFDs of its pages. DRUA_E_ARGUMENT names the number of levels.
 */
drua_status drua_tiff_choose_level(drua_tiff *tiff, int level);

/** Returns numbers and names of the images (series) that were not chosen; NULL if the file has no other image. */
const char *drua_tiff_other_series(const drua_tiff *tiff);

/** Adds the state of the file, and of other files of its OME-TIFF, when they were opened. */
void drua_tiff_identify(const drua_tiff *tiff, drua_text *text);
drua_shape drua_tiff_shape(const drua_tiff *tiff);
drua_type drua_tiff_type(const drua_tiff *tiff);

/** Returns the number of planes of a page: 1, or 3 for a coloured page. */
int drua_tiff_samples(const drua_tiff *tiff);

/** Gives the numbers of channels and frames in the file. */
void drua_tiff_axes(const drua_tiff *tiff, int64_t *channels, int64_t *frames);

/**
 * Returns how many pages are missing: the file's text states them, but the file lacks them, although its chain of
 * directories ends properly. The text is ImageJ's images=N and channels, slices and frames; tifffile's shape; the
 * planes of an OME-TIFF that is one file; or MetaMorph's number of planes. If the text states several channels, frames
 * or unnamed axes, and the file has more pages, returns the number of surplus pages, which have no channel and frame.
 * Returns all pages if tifffile's text states several axes of pages without naming them C, Z or T.
 */
int64_t drua_tiff_missing(const drua_tiff *tiff);

/** Appends why drua_tiff_missing is not 0, without a full stop; appends nothing if it is 0. */
void drua_tiff_describe_missing(const drua_tiff *tiff, drua_text *text);

/**
 * Appends how many pages the OME-XML does not list, or how many the text states if the file has more and all are
 * slices; without a full stop. Appends nothing for other files.
 */
void drua_tiff_describe_left_out(const drua_tiff *tiff, drua_text *text);

size_t drua_tiff_plane_bytes(const drua_tiff *tiff);

/** Returns the number of selected pages. A page has one plane, or three if it is coloured. */
int64_t drua_tiff_selected_pages(const drua_tiff *tiff);

/** Reads the planes of a page as contiguous pixels of the file's type. Reading pages in order is fastest. */
drua_status drua_tiff_read_page(drua_tiff *tiff, int64_t page, void *const *planes);

/** Opens the same planes of the same file again, for another thread. `tiff` must stay open for longer. */
drua_status drua_tiff_reopen(const drua_tiff *tiff, drua_tiff **again);

/** Fails with DRUA_E_AWAY if the file no longer exists, or has changed its size or time since it was opened. */
drua_status drua_tiff_check(const drua_tiff *tiff);

/** Returns the path of the `part`-th further file of an OME-TIFF of several files, from 0; NULL if it has fewer. */
const char *drua_tiff_part_path(const drua_tiff *tiff, int64_t part);

/** Appends the metadata of the selected planes to the text; with `all_channels` those of all channels. */
void drua_tiff_describe(drua_tiff *tiff, bool all_channels, drua_text *text);

/**
 * Creates a file for planes of uint8, uint16 or float32. ImageJ's files cannot hold other types, which are written as
 * TIFF allows. The file appears under its name when it is complete; above 4 GB it is a BigTIFF. compression: NULL or
 * "none", "lzw", "deflate". `folder` is as for drua_new_file_begin. `path` and `text` must stay valid until the file is
 * closed.
 */
typedef struct drua_tiff_out drua_tiff_out;
drua_status drua_tiff_create(const char *path, drua_shape shape, drua_type type, const char *text,
                             const char *compression, const char *folder, drua_tiff_out **out);

/**
 * Adds the names, separated by commas, of the metadata in an image's text that the file cannot hold. The name of the
 * file tells whether it is a plain TIFF or an OME-TIFF. DRUA_E_ARGUMENT if the text is not as drua_zarr_describe makes
 * it.
 */
drua_status drua_tiff_add_lost(const char *path, const char *text, drua_text *lost);

#endif
