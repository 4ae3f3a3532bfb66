/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which blocks are done. Each process appends records of one size to a file of its own, after the files of the block
 * have their names; a record that was cut off, or whose checksum is wrong, counts as not written. All files of a plan
 * lie in one folder beside it.
 */
#ifndef DRUA_BLOCKS_JOURNAL_H
#define DRUA_BLOCKS_JOURNAL_H

#include "error.h"
#include "sha256.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum block_state {
    BLOCK_OPEN,                 /* nobody has done it */
    BLOCK_DONE,
    BLOCK_LOST                  /* it was done, and its files are not as they were */
} block_state;

typedef struct block_record {
    int64_t block;
    block_state state;
    uint32_t crc;               /* of all files of the block, of all outputs, one after the other */
    uint64_t bytes;
    int64_t time;               /* milliseconds since 1970 */
    uint32_t attempt;           /* from 1 */
} block_record;

/* What all processes have written: the newest record of each block, which is that of the last attempt. */
typedef struct journal_state {
    block_record *blocks;
    int64_t count, done;
    int64_t records, files;     /* that were read */
    double blocks_per_second;   /* of the last minutes; 0: unknown */
} journal_state;

/* `plan`: its hash. Records of another plan are an error that says so. Freed with journal_state_free, also after a
 * failure. */
drua_status journal_read(const char *folder, const char *plan, int64_t blocks, journal_state *state);
void journal_state_free(journal_state *state);

/* Whether the folder has records, of any plan. */
bool journal_exists(const char *folder);

typedef struct journal journal;

/* Begins this process' file; the folder is made. */
drua_status journal_open(const char *folder, const char *plan, journal **j);

/* Appends a record, whose time is set. Any thread, one at a time. */
drua_status journal_add(journal *j, block_record *record);

/* Hands the records to the disk. */
void journal_settle(journal *j);
void journal_close(journal *j);

/* Writes the newest record of each block into one file and removes the others; only when no process adds any. */
drua_status journal_merge(const char *folder, const char *plan, const journal_state *state);

/* Removes all records. */
void journal_remove(const char *folder);

#endif
