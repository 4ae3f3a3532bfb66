/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The finished blocks of a plan. Each process appends records of one size to its own file, after the files of the block
 * have their final names. A truncated record, or one with a wrong checksum, counts as not written. All files of a plan
 * lie in one folder beside it.
 */
#ifndef DRUA_PIPELINE_JOURNAL_H
#define DRUA_PIPELINE_JOURNAL_H

#include "error.h"
#include "sha256.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum block_state {
    BLOCK_OPEN, /* not done */
    BLOCK_DONE,
    BLOCK_LOST /* it was done, but its files have changed */
} block_state;

typedef struct block_record {
    int64_t block;
    block_state state;
    uint32_t crc; /* combined from the checksums of the block's files in all outputs; see job_sum */
    uint64_t bytes;
    int64_t time; /* milliseconds since 1970 */
    uint32_t attempt; /* counts from 1 */
} block_record;

/* The newest record of each block, from the records of all processes. The newest record is that of the last attempt. */
typedef struct journal_state {
    block_record *blocks;
    int64_t count, done;
    block_record *twins; /* other records of done blocks, from processes that stored the same pixels as other bytes */
    int64_t twin_count;
    int64_t records, files; /* number of records and files read */
    double blocks_per_second; /* over the last minutes; 0: unknown */
} journal_state;

/*
 * Reads the records. `plan` is the plan's hash; records of another plan are an error. Free with
 * journal_state_free, also after a failure.
 */
drua_status journal_read(const char *folder, const char *plan, int64_t blocks, journal_state *state);
void journal_state_free(journal_state *state);

/*
 * Returns whether a process has recorded files with this checksum (NULL: any) and length in the block's last attempt.
 * Two processes with different versions of a compressor may both write a block; the files are those of the process that
 * was last.
 */
bool journal_knows(const journal_state *state, int64_t block, const uint32_t *crc, uint64_t bytes);

/* Returns whether the folder has records of any plan. A folder that cannot be listed counts as having some; then
 * journal_read says why it fails. */
bool journal_exists(const char *folder);

typedef struct journal journal;

/* Creates this process's file, and the folder if it is missing. */
drua_status journal_open(const char *folder, const char *plan, journal **j);

/* Sets the time of a record and appends it. Any thread, one at a time. */
drua_status journal_add(journal *j, block_record *record);

/* Flushes the records to the disk. */
void journal_settle(journal *j);
void journal_close(journal *j);

/*
 * Writes the newest record of each block into one file and removes the other files. Call it only while no process adds
 * records.
 */
drua_status journal_merge(const char *folder, const char *plan, const journal_state *state);

/* Removes all records, and the mark of a finished plan. */
void journal_remove(const char *folder);

/*
 * Marks the plan as finished: its outputs have their final names. Without the mark, an image with an output's name may
 * be the one that the plan replaces.
 */
drua_status journal_mark_finished(const char *folder);
bool journal_is_finished(const char *folder);

#endif
