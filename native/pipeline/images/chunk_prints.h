/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of all files of an image in chunks since it was opened. */
#ifndef DRUA_PIPELINE_CHUNK_PRINTS_H
#define DRUA_PIPELINE_CHUNK_PRINTS_H

#include "text.h"
#include "zarr.h"

typedef struct chunk_prints chunk_prints;

/* As drua_zarr_file_print, but 0 for a file that cannot be examined; its reader reports the error. */
drua_status chunk_print_find(const drua_zarr *zarr, int64_t file, uint64_t *print);

/*
 * Takes the prints of all files, on all cores, and adds their hash to `state`. Reading fails with DRUA_E_AWAY from then
 * on if a file has another print. Close with chunk_prints_close before the image, also after a failure.
 */
drua_status chunk_prints_open(drua_zarr *zarr, drua_text *state, chunk_prints **prints);
void chunk_prints_close(chunk_prints *prints);

#endif
