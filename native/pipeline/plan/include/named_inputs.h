/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inputs of a plan that have names in its pipeline: channels of IN, and other images of the same extent. Blocks read
 * them like IN.
 */
#ifndef DRUA_PIPELINE_NAMED_INPUTS_H
#define DRUA_PIPELINE_NAMED_INPUTS_H

#include "job.h"

/* Copies the texts "NAME=FILE" and "NAME=CHANNEL" of a request to a plan. Fails with a message about a wrong text. */
drua_status named_inputs_take(const drua_blocks_request *request, block_plan *plan);

/*
 * Opens the other images and finds the channels of IN, which is open. Fails if an image differs in extent from IN, or
 * channels or frames that do not match. `keep` is as in source_open. job_close closes the images.
 */
drua_status named_inputs_open(job *j, size_t keep);

/* Adds the state of the other images to a text, as source_identify. */
void named_inputs_identify(const job *j, drua_text *text);

/* The functions of input_record.h for the other images that are in chunks. */
drua_status named_inputs_watch(job *j, const char *hash, bool listed);
drua_status named_inputs_check(const job *j, int64_t part, int64_t parts);
drua_status named_inputs_list(const job *j);

/* Fills in all inputs for graph_record and returns their number. Free the texts with named_inputs_free_graph. */
int named_inputs_graph(const job *j, graph_named inputs[GRAPH_NAMED + 1]);
void named_inputs_free_graph(graph_named *inputs, int count);

#endif
