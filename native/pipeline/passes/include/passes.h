/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pass goes over all blocks before a plan computes its first block. Passes measure numbers, number labels, fill
 * tables of labels and store images that are expensive to compute.
 */
#ifndef DRUA_PIPELINE_PASSES_H
#define DRUA_PIPELINE_PASSES_H

#include "job.h"

/*
 * Functions of graph_measure whose payload is the job. job_measure measures the numbers of an operation over all pixels
 * of a value, block by block.
 */
drua_status job_measure(void *payload, const graph *g, const drua_op *op, const drua_bound *bound, int value,
                        double numbers[GRAPH_NUMBERS]);
drua_status job_label(void *payload, const graph *g, const graph_label_call *call, label_map **made);
drua_status job_tabulate(void *payload, const graph *g, const graph_label_call *call);
drua_status job_store(void *payload, const graph *g, const drua_op *op, int value, stored_image **made);

/* Writes all tables of all channels and frames beside the outputs. */
drua_status label_tables_finish(const job *j);

/*
 * Estimates the costs of passes and chooses the images that are computed once and stored. The estimate uses only
 * extents and the efforts of operations (op.h), so it is the same on all computers.
 *
 * stored_images_choose fills text.stored of a recorded plan whose passes are counted. passes_price sets job.costs: the
 * cost of each pass and of the blocks, the stored images, and the space that the plan needs.
 */
drua_status stored_images_choose(job *j);
drua_status passes_price(job *j);

/* The folder of a plan's pass (from 1) for a channel and frame. */
enum { PASS_PATH = 2200 };
void pass_folder(const char *journal_folder, int pass, const pass_store *store, int64_t volume, char path[PASS_PATH]);

/* Returns whether a name in a plan's journal is that of such a folder. */
bool pass_is_folder(const char *name);

/* Creates the stores of all passes of a shared plan, for all channels and frames. */
drua_status pass_stores_create(const job *j);

/* Removes the stored images of a plan whose outputs are finished. */
void stored_images_remove(const job *j);

/* Removes all stores, results and tables in a plan's journal. */
void passes_forget(const char *journal_folder);

#endif
