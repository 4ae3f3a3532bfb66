/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of tables. Each channel and frame has its own file in the plan's journal: a line with the hash of its pass,
 * a line with the CRC32C of the rest, the headings, then the rows. Finishing the plan joins these files to one table.
 */
#ifndef DRUA_PIPELINE_LABEL_TABLE_FILES_H
#define DRUA_PIPELINE_LABEL_TABLE_FILES_H

#include "job.h"

/* The rows of a table, which any thread may write. */
typedef struct table_rows {
    const char *headings; /* of all columns after CHANNEL and FRAME, separated by commas */
    int64_t first, end;
    void (*add)(const void *of, int64_t row, drua_text *text); /* adds each cell of the row with a comma before it */
    const void *of;
} table_rows;

/* Returns whether the job's channel and frame has this table; `hash` is that of its pass. */
bool label_table_exists(const job *j, int table, const char *hash);

/* Writes the table of the job's channel and frame, on all cores. */
drua_status label_table_write(const job *j, int table, const char *hash, const table_rows *rows);

/* Adds a comma and a number to a row. */
void label_table_cell(drua_text *text, double cell);

#endif
