/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads or writes the planes of a chunked image in slabs of a few layers of chunks. Disk, decoding or encoding on all
 * cores, and bus work at the same time. Planes are in ImageJ's order: channels, then slices, then frames. Memory holds
 * two slabs; a slab is one layer of chunks, or several thin layers.
 */
#ifndef DRUA_IO_ZARR_SLABS_H
#define DRUA_IO_ZARR_SLABS_H

#include "zarr.h"

typedef struct drua_zarr_slabs drua_zarr_slabs;

/**
 * Start reading a range, or writing all slices of some channels and frames of a level. The image must stay open until
 * the slabs are closed.
 */
drua_status drua_zarr_slabs_read(drua_zarr *zarr, const drua_zarr_range *range, drua_zarr_slabs **slabs);
drua_status drua_zarr_slabs_write(drua_zarr_out *out, int level, const drua_zarr_range *range, drua_zarr_slabs **slabs);

/** The functions of a drua_stream whose payload is the slabs. */
int drua_zarr_slabs_prepare(void *slabs, size_t first, size_t last);
void drua_zarr_slabs_copy(void *slabs, size_t plane, size_t inside, void *memory, size_t bytes);

/**
 * Waits until all planes are written, and frees the slabs. Takes the transfer's status and returns it, or returns the
 * file error that made the transfer fail.
 */
drua_status drua_zarr_slabs_close(drua_zarr_slabs *slabs, drua_status status);

#endif
