/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TIFF files. Planes are what an image on the device has as slices: those of one channel and one frame, or all channels
 * or frames of a file without depth; a colour slice is three planes. The text holds lines key=value, as the ImageJ
 * plugin writes them: width, height, depth, bits, pixelWidth, pixelHeight, pixelDepth, unit, frameInterval, min, max,
 * lut, rgb, labels; to write also channels, slices, frames. Any thread; one file is used by one thread at a time.
 */
#ifndef DRUA_IO_TIFF_H
#define DRUA_IO_TIFF_H

#include "text.h"

#include <drua/types.h>

typedef struct drua_tiff drua_tiff;

/**
 * Opens a file and chooses planes. channel and frame count from 1; 0: those that a push in ImageJ takes.
 * DRUA_E_ARGUMENT with the path and what is wrong, such as a chain of directories that was cut off or leads back to
 * itself, or one directory whose text tells of more pages than the file has bytes for.
 */
drua_status drua_tiff_open(const char *path, int64_t channel, int64_t frame, drua_tiff **tiff);
void drua_tiff_close(drua_tiff *tiff);
drua_shape drua_tiff_shape(const drua_tiff *tiff);
drua_type drua_tiff_type(const drua_tiff *tiff);

/** Planes of a page: 1, or 3 of a colour page. */
int drua_tiff_samples(const drua_tiff *tiff);

/** How many channels and frames the file has. */
void drua_tiff_axes(const drua_tiff *tiff, int64_t *channels, int64_t *frames);

/**
 * How many of the pages that the file's text tells of are not there, although its chain of directories ends properly.
 * Texts are ImageJ's images=N and channels, slices and frames; tifffile's shape; MetaMorph's number of planes.
 */
int64_t drua_tiff_missing(const drua_tiff *tiff);

/** Adds how many pages the text tells of and how many there are, without a full stop; nothing if none is missing. */
void drua_tiff_tell_missing(const drua_tiff *tiff, drua_text *text);

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
 * Creates a file for planes of uint8, uint16 or float32 (others have no place in ImageJ's files and are written as TIFF
 * allows), which appears when it is whole. Above 4 GB it is a BigTIFF. compression: NULL or "none", "lzw", "deflate".
 * `path` and `text` stay until the file is closed.
 */
typedef struct drua_tiff_out drua_tiff_out;
drua_status drua_tiff_create(const char *path, drua_shape shape, drua_type type, const char *text,
                             const char *compression, drua_tiff_out **out);

/** Planes of a page: 1, or 3 of a colour page. A page is written in strips. */
int drua_tiff_out_samples(const drua_tiff_out *out);
int64_t drua_tiff_out_pages(const drua_tiff_out *out);
int64_t drua_tiff_out_strips(const drua_tiff_out *out);

/** A strip as it is in the file. */
typedef struct drua_strip {
    void *bytes, *memory;       /**< memory: what has to be freed with drua_free, or NULL. */
    size_t length, capacity;
} drua_strip;

/** Encodes a strip from the planes of its page, dense. Any thread. */
drua_status drua_tiff_encode(const drua_tiff_out *out, int64_t strip, void *const *planes, drua_strip *encoded);

/** Writes the next strip, in order from the first page's first on. One thread at a time. */
drua_status drua_tiff_put(drua_tiff_out *out, int64_t page, int64_t strip, const drua_strip *encoded);

/** `status`: whether all strips were written. Else no file is left, and one that was there stays as it was. */
drua_status drua_tiff_finish(drua_tiff_out *out, drua_status status);

#endif
