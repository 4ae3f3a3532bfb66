/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a pass has found in which blocks, in a folder beside the plan. Each process appends records to a file of its
 * own, after all else that belongs to the block is on the disk; a record that was cut off, or whose checksum is wrong,
 * counts as not written. What all of them give together lies there too.
 */
#ifndef DRUA_BLOCKS_PASS_RESULTS_H
#define DRUA_BLOCKS_PASS_RESULTS_H

#include "error.h"
#include "file.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pass_results pass_results;

/*
 * Reads the records of all processes for so many blocks. `what`: a hash of what the pass does; records of another pass
 * are DRUA_E_ARGUMENT, whose sentence says so. NULL: of any. The folder need not be there. Closed with
 * pass_results_close, which *r is given to also after a failure.
 */
drua_status pass_results_open(const char *folder, const char *what, int64_t blocks, pass_results **r);
void pass_results_close(pass_results *r);

/* Reads what others have added since; not oftener than once in so many seconds. Any thread, as the functions below. */
drua_status pass_results_refresh(pass_results *r, double seconds);

/* Whether a block's result is there, and how many are. */
bool pass_results_has(pass_results *r, int64_t block);
int64_t pass_results_count(pass_results *r);

/* Appends what was found in a block, of any length, to this process' file, which is begun with the first one. */
drua_status pass_results_add(pass_results *r, int64_t block, const drua_bytes *found);

/* Reads it again, for the caller to free. What is damaged counts as not there from then on: DRUA_E_ARGUMENT. */
drua_status pass_results_get(pass_results *r, int64_t block, drua_bytes *found);

/* Hands the records to the disk. */
void pass_results_settle(pass_results *r);

/* Writes what the results of all blocks give, under another name first. Two who do so write the same. */
drua_status pass_joined_write(const char *folder, const char *what, const drua_bytes *joined);

/* Reads that, for the caller to free; false where it is not there, damaged, or of another pass. */
bool pass_joined_read(const char *folder, const char *what, drua_bytes *joined);

/* Whether it is there, of whatever pass. */
bool pass_joined_is_there(const char *folder);

/* Whether a file's name is one of these. */
bool pass_results_is_file(const char *name);

#endif
