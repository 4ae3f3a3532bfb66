/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing the results of a pass, for the files of this room alone. */
#ifndef DRUA_PIPELINE_PASS_RECORDS_H
#define DRUA_PIPELINE_PASS_RECORDS_H

#include "pass_results.h"

/*
 * Reads records that other processes have added, at most once in `seconds` seconds. Any thread may call this and the
 * functions below.
 */
drua_status pass_results_refresh(pass_results *r, double seconds);

/* Returns how many blocks have a result. */
int64_t pass_results_count(pass_results *r);

/* Appends the result of a block, of any length, to this process's file. The first call creates the file. */
drua_status pass_results_add(pass_results *r, int64_t block, const drua_bytes *found);

/*
 * Reads the result of a block; the caller frees it. A damaged result is DRUA_E_ARGUMENT and counts as missing from then
 * on.
 */
drua_status pass_results_get(pass_results *r, int64_t block, drua_bytes *found);

/* Flushes the records to the disk. */
void pass_results_settle(pass_results *r);

/*
 * Writes the joined result of all blocks, under a temporary name first. If two processes do so, they write the same
 * bytes.
 */
drua_status pass_joined_write(const char *folder, const char *hash, const drua_bytes *joined);

/* Reads the joined result; the caller frees it. Returns false if it is missing, damaged or of another pass. */
bool pass_joined_read(const char *folder, const char *hash, drua_bytes *joined);

#endif
