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
 * Reads the records of all processes for `blocks` blocks. `hash` is that of the pass; NULL accepts any pass. Records
 * of another pass give DRUA_E_ARGUMENT. The folder may be missing. Close *r with pass_results_close, also after a
 * failure.
 */
drua_status pass_results_open(const char *folder, const char *hash, int64_t blocks, pass_results **r);
void pass_results_close(pass_results *r);

/* Returns whether a block has a result. Any thread. */
bool pass_results_has(pass_results *r, int64_t block);

/* Returns whether the folder has a joined result of any pass. */
bool pass_joined_exists(const char *folder);

/* Returns whether a file has the name of a file of results. */
bool pass_results_is_file(const char *name);

#endif
