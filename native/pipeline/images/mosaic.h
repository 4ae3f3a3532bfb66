/* SPDX-License-Identifier: BSD-3-Clause */
/* An image that consists of overlapping tiles, each in its own file, which a list places (tile_list.h). */
#ifndef DRUA_PIPELINE_MOSAIC_H
#define DRUA_PIPELINE_MOSAIC_H

#include "source.h"

typedef struct mosaic mosaic;

/*
 * Opens a list of tiles. `path` must stay valid as long as the mosaic; `keep` is as in source_open. Fails with
 * DRUA_E_ARGUMENT, and names the tile, if a tile is missing, has other extents or another type than the first one, or
 * holds several images.
 */
drua_status mosaic_open(const char *path, size_t keep, mosaic **m);
void mosaic_close(mosaic *m);

/* Extents of the mosaic; channels, frames, type and scale of its tiles; `chunk` is a plane of a tile. */
const drua_zarr_metadata *mosaic_metadata(const mosaic *m);

/* Adds lines key=value about the first tile as source_describe does, without its position and slice labels. */
void mosaic_describe(mosaic *m, int64_t channel, drua_text *text);

/*
 * Adds a text that identifies the list and the state of each file that the list names, as source_identify. The state of
 * a file in chunks includes size and time of all chunks.
 */
void mosaic_identify(const mosaic *m, drua_text *text);

/* Fails with DRUA_E_AWAY if a file has disappeared or changed since the mosaic was opened. */
drua_status mosaic_check(mosaic *m);

/* Returns the path of a file that the list names, counted from 0, or NULL after the last. */
const char *mosaic_file(const mosaic *m, int64_t number);

/*
 * Reads a box into dense pixels, on all cores: the pixels that stitch_positions would compute with these tiles at these
 * positions, corrected by the flat and the dark field. DRUA_E_AWAY if a tile has disappeared or changed since the
 * mosaic was opened. One thread at a time.
 */
drua_status mosaic_read(mosaic *m, int64_t channel, int64_t frame, const drua_box *box, void *pixels);

#endif
