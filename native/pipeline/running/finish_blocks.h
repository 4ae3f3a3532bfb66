/* SPDX-License-Identifier: BSD-3-Clause */
/* Finished blocks: their checksums, and flushing them to the disk. */
#ifndef DRUA_PIPELINE_FINISH_BLOCKS_H
#define DRUA_PIPELINE_FINISH_BLOCKS_H

#include "job.h"
#include "journal.h"

/*
 * Computes the checksum and the length in bytes of a block's files in all outputs, as they are on the disk. If `crc` is
 * NULL, computes only the length.
 */
drua_status job_sum(drua_zarr *const *outputs, int count, const drua_zarr_box *box, uint32_t *crc, uint64_t *bytes);

/* Returns whether all outputs have their final names. */
bool job_is_finished(const job *j);

/* Flushes all written files and their records to the disk. */
void job_settle(const job *j, journal *records);

#endif
