/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of a pass for its blocks, and their joined result, in a folder beside the plan. Each process appends records
 * to its own file, after all other data of the block are on the disk. A truncated record, or one with a wrong checksum,
 * counts as not written.
 */
#ifndef DRUA_PIPELINE_PASS_RESULTS_H
#define DRUA_PIPELINE_PASS_RESULTS_H

#include "error.h"
#include "file.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pass_results pass_results;

/*
 * Reads the records of all processes for `blocks` blocks. `what` is a hash of the pass; NULL accepts any pass. Records
 * of another pass give DRUA_E_ARGUMENT. The folder may be missing. Close *r with
 * pass_results_close, also after a failure.
 */
drua_status pass_results_open(const char *folder, const char *what, int64_t blocks, pass_results **r);
void pass_results_close(pass_results *r);

/*
 * Reads records that other processes have added, at most once in `seconds` seconds. Any thread may call this and the
 * functions below.
 */
drua_status pass_results_refresh(pass_results *r, double seconds);

/* The first function returns whether a block has a result, the second one how many blocks have. */
bool pass_results_has(pass_results *r, int64_t block);
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
drua_status pass_joined_write(const char *folder, const char *what, const drua_bytes *joined);

/* Reads the joined result; the caller frees it. Returns false if it is missing, damaged or of another pass. */
bool pass_joined_read(const char *folder, const char *what, drua_bytes *joined);

/* Returns whether the folder has a joined result of any pass. */
bool pass_joined_exists(const char *folder);

/* Returns whether a file has the name of a file of results. */
bool pass_results_is_file(const char *name);

#endif
