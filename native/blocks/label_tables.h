/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the labels and the tables of labels of a plan, for job.c and finish_blocks.c. */
#ifndef DRUA_BLOCKS_LABEL_TABLES_H
#define DRUA_BLOCKS_LABEL_TABLES_H

#include "job.h"

/* Functions of graph_measure whose payload is the job. */
drua_status job_label(void *payload, const graph *g, const graph_label_call *call, label_map **made);
drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *call);

/* Writes all tables of all channels and frames beside the outputs. */
drua_status label_tables_finish(const job *j);

/* Creates the images to which the passes of a plan write labels, for all channels and frames. */
drua_status label_stores_create(const job *j);

/* Removes the results of passes from a plan's folder. */
void passes_forget(const char *journal_folder);

#endif
