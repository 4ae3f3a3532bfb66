/* SPDX-License-Identifier: BSD-3-Clause */
/* The image that blocks read: OME-Zarr and N5 in boxes, TIFF in planes, a mosaic from the tiles of a list. */
#ifndef DRUA_PIPELINE_SOURCE_H
#define DRUA_PIPELINE_SOURCE_H

#include "sha256.h"
#include "text.h"
#include "tile.h"
#include "zarr.h"

typedef struct block_source block_source;

/*
 * Opens an image. `keep` is the number of bytes of decoded chunks or planes to cache for neighbouring blocks. The error
 * message names the path. `series` chooses one of several images, as in tiff.h and zarr.h; `level` a resolution, 0 is
 * the largest. A path with the extension .csv or .txt is a list of tiles (tile_list.h), which make up one image.
 */
drua_status source_open(const char *path, const char *series, int level, size_t keep, block_source **source);
void source_close(block_source *source);

/* Extents, channels, frames, type and scale; `chunk` is the file's chunk, or a plane of a TIFF or a tile. */
const drua_zarr_metadata *source_metadata(const block_source *source);

/*
 * Limits the image to `count` of its frames, from `first` (from 0) on. DRUA_E_ARGUMENT if the image has no such frames.
 * Call it before the image is read or identified.
 */
drua_status source_choose_frames(block_source *source, int64_t first, int64_t count);

/* Returns the number of frames of the image, also of those that were not chosen. */
int64_t source_all_frames(const block_source *source);

/*
 * Limits the image to a box of its pixels: `origin` is the first pixel along x, y, z, from 0, and a `size` of 0 reaches
 * to the end. DRUA_E_ARGUMENT if the image has no such pixels. Call it before the image is read or identified.
 */
drua_status source_choose_box(block_source *source, const int64_t origin[3], const int64_t size[3]);

/* Numbers and names of the images of an OME-TIFF that were not chosen; NULL if the file has no other image. */
const char *source_other_series(const block_source *source);

/* Like drua_zarr_describe_left_out or drua_tiff_describe_left_out. */
void source_describe_left_out(const block_source *source, drua_text *text);

/* Adds lines key=value with display range and colours, as in tiff.h, about one channel from 0, or about all (-1). */
void source_describe(block_source *source, int64_t channel, drua_text *text);

/*
 * Finds a channel by its number from 1, or by its name in the metadata; `number` counts from 0. DRUA_E_ARGUMENT lists
 * the channels.
 */
drua_status source_find_channel(block_source *source, const char *channel, int64_t *number);

/* Takes scale, unit and frame interval from lines that source_describe has made. */
void source_take_scale(const char *text, drua_zarr_metadata *to);

/*
 * Adds a text that identifies the state of the image: its metadata, for a TIFF also size and time, and for a mosaic
 * those of its tiles. Pixels are not read.
 */
void source_identify(const block_source *source, drua_text *text);

/* Adds the checksums and lengths of the files of an image in chunks to a hash. */
drua_status source_hash(const block_source *source, drua_sha256 *hash);

/* Returns the image in chunks; NULL for a TIFF or a mosaic. */
drua_zarr *source_zarr(const block_source *source);

/* Returns whether the image consists of the tiles of a list. */
bool source_is_mosaic(const block_source *source);

/*
 * Returns the path of a file that the list of a mosaic names, or of a further file of an OME-TIFF, counted from 0; NULL
 * after the last.
 */
const char *source_file(const block_source *source, int64_t number);

/* Fails with DRUA_E_AWAY if the image has disappeared, or has changed in a way that its metadata or its time show. */
drua_status source_check(const block_source *source);

/*
 * Reads a box into dense pixels, on all cores. Fails with DRUA_E_AWAY if the image's files have disappeared or changed
 * since the image was opened. One thread at a time.
 */
drua_status source_read(block_source *source, int64_t channel, int64_t frame, const drua_box *box, void *pixels);

#endif
