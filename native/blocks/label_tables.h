/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels of a plan, and tables of them: what job.c and finish_blocks.c ask for. */
#ifndef DRUA_BLOCKS_LABEL_TABLES_H
#define DRUA_BLOCKS_LABEL_TABLES_H

#include "job.h"

/* A graph_measure's functions, with the job as payload. */
drua_status job_label(void *payload, const graph *g, const graph_label_call *call, label_map **made);
drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *call);

/* Pixels of a box as labels, for the caller to free also after a failure. By all cores. */
drua_status label_pixels(const drua_box *box, drua_type type, const void *pixels, uint32_t **labels);

/* The path of a table of the plan, from 0. */
void label_table_path(const job *j, int table, char path[JOB_PATH]);

/* Writes all tables of all channels and frames beside the outputs. */
drua_status label_tables_finish(const job *j);

/* Begins what the passes of a plan write labels to, for all channels and frames. */
drua_status label_stores_create(const job *j);

/* Removes what passes have left in a plan's folder. */
void passes_forget(const char *journal_folder);

#endif
