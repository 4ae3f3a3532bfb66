/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The planes of an image in chunks, some layers of chunks at a time, while others take or bring them: the disk,
 * decoding or encoding by all cores, and the bus work at once. Planes are in ImageJ's order: channels, then slices,
 * then frames. Memory holds two slabs: of a layer of chunks each, or of several thin ones.
 */
#ifndef DRUA_IO_ZARR_SLABS_H
#define DRUA_IO_ZARR_SLABS_H

#include "zarr.h"

typedef struct drua_zarr_slabs drua_zarr_slabs;

/** What part of an image: channels and frames from 0, and a box of each, whose own channel and frame do not count. */
typedef struct drua_zarr_range {
    int64_t first_channel, channels, first_frame, frames;
    drua_zarr_box box;
} drua_zarr_range;

/** Starts to read, or to write all slices of some channels and frames of a level. The image stays open until the slabs
 * are closed. */
drua_status drua_zarr_slabs_read(drua_zarr *zarr, const drua_zarr_range *range, drua_zarr_slabs **slabs);
drua_status drua_zarr_slabs_write(drua_zarr_out *out, int level, const drua_zarr_range *range, drua_zarr_slabs **slabs);

/** All of an image of those metadata. */
drua_zarr_range drua_zarr_all(const drua_zarr_metadata *metadata);

/** The functions of a drua_stream with the slabs as payload. */
int drua_zarr_slabs_prepare(void *slabs, size_t first, size_t last);
void drua_zarr_slabs_copy(void *slabs, size_t plane, size_t inside, void *memory, size_t bytes);

/** Waits until all is written, and ends. `status` is that of the transfer; what failed in a file is told in its place.
 */
drua_status drua_zarr_slabs_close(drua_zarr_slabs *slabs, drua_status status);

#endif
