/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the labels, the tables of labels and the stored images of a plan. */
#ifndef DRUA_BLOCKS_LABEL_TABLES_H
#define DRUA_BLOCKS_LABEL_TABLES_H

#include "job.h"

/* Functions of graph_measure whose payload is the job. */
drua_status job_label(void *payload, const graph *g, const graph_label_call *call, label_map **made);
drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *call);
drua_status job_store(void *payload, const graph *g, const drua_op *op, int value, stored_image **made);

/* Writes all tables of all channels and frames beside the outputs. */
drua_status label_tables_finish(const job *j);

#endif
