/* SPDX-License-Identifier: BSD-3-Clause */
/* The image that blocks read: OME-Zarr and N5 in boxes, TIFF in planes. */
#ifndef DRUA_BLOCKS_SOURCE_H
#define DRUA_BLOCKS_SOURCE_H

#include "sha256.h"
#include "text.h"
#include "tile.h"
#include "zarr.h"

typedef struct block_source block_source;

/* `keep`: bytes of decoded chunks or planes that may be kept for the blocks beside. The sentence names the path. */
drua_status source_open(const char *path, size_t keep, block_source **source);
void source_close(block_source *source);

/* Extents, channels, frames, type, scale; chunk is that of the file, or a plane of a TIFF. */
const drua_zarr_metadata *source_metadata(const block_source *source);

/* Lines key=value with display range and colours, as tiff.h has them. */
void source_describe(block_source *source, drua_text *text);

/* What tells that the image is still the same: its metadata, of a TIFF its size and time too; not its pixels. */
void source_identify(const block_source *source, drua_text *text);

/* Adds the pixels of an image in chunks, as its files hold them. */
drua_status source_hash(const block_source *source, drua_sha256 *hash);

/* The image in chunks; NULL: a TIFF. */
drua_zarr *source_chunks(const block_source *source);

/* Reads a box into dense pixels, by all cores. DRUA_E_AWAY if the image's files have gone or changed since it was
 * opened. One thread at a time. */
drua_status source_read(block_source *source, int64_t channel, int64_t frame, const drua_box *box, void *pixels);

#endif
