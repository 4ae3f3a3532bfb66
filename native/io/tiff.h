/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TIFF files. Planes are what an image on the device has as slices: those of one channel and one frame, or all channels or
 * frames of a file without depth; a colour slice is three planes. The text holds lines key=value, as the ImageJ plugin writes
 * them: width, height, depth, bits, pixelWidth, pixelHeight, pixelDepth, unit, frameInterval, min, max, lut, rgb, labels; to write also channels, slices, frames.
 * Any thread; one file is used by one thread at a time.
 */
#ifndef DRUA_IO_TIFF_H
#define DRUA_IO_TIFF_H

#include "text.h"

#include <drua/types.h>

typedef struct drua_tiff drua_tiff;

/** Opens a file and chooses planes. channel and frame count from 1; 0: those that a push in ImageJ takes. */
drua_status drua_tiff_open(const char *path, int64_t channel, int64_t frame, drua_tiff **tiff);
void drua_tiff_close(drua_tiff *tiff);
drua_shape drua_tiff_shape(const drua_tiff *tiff);
drua_type drua_tiff_type(const drua_tiff *tiff);

/** Planes of a page: 1, or 3 of a colour page. */
int drua_tiff_samples(const drua_tiff *tiff);

/** How many images ImageJ wrote that are not there any more: the file was cut off. */
int64_t drua_tiff_missing(const drua_tiff *tiff);

size_t drua_tiff_plane_bytes(const drua_tiff *tiff);

/** Pages that were chosen; one has a plane, or three of colours. */
int64_t drua_tiff_pages(const drua_tiff *tiff);

/** Reads the planes of a page, dense, in their own type. Fastest in order. */
drua_status drua_tiff_read_page(drua_tiff *tiff, int64_t page, void *const *planes);

/** Opens the same planes of the same file again, for another thread. */
drua_status drua_tiff_again(const drua_tiff *tiff, drua_tiff **again);

/** Adds the text. */
void drua_tiff_describe(drua_tiff *tiff, drua_text *text);

/**
 * Writes planes of uint8, uint16 or float32 (others have no place in ImageJ's files and are written as TIFF allows). The file
 * appears when it is whole. Above 4 GB it is a BigTIFF. compression: NULL or "none", "lzw", "deflate".
 */
drua_status drua_tiff_write(const char *path, drua_shape shape, drua_type type, const void *const *planes, const char *text,
                            const char *compression);

#endif
