/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of a plan: their paths and metadata. */
#ifndef DRUA_PIPELINE_JOB_OUTPUTS_H
#define DRUA_PIPELINE_JOB_OUTPUTS_H

#include "job.h"
#include "text.h"

/* Makes the final paths of the results. Fails if a name cannot be the name of a separate file. */
drua_status job_name_outputs(job *j);

/*
 * The path of an output that blocks write. Labels that belong to an image lie in its folder, and move with it when it
 * gets its final name; text.paths has the final paths.
 */
void job_output_path(const job *j, int output, char path[JOB_PATH]);

/* Returns the index of the image in whose folder an output of labels lies, or -1 if it lies in no other output. */
int job_image_of(const job *j, int output);

/* Returns whether one of the results has the output's path, which is otherwise a folder of results. */
bool job_has_main_image(const job *j);

/* Path of a table of the plan; tables count from 0. */
void label_table_path(const job *j, int table, char path[JOB_PATH]);

/*
 * Writes a file beside outputs when all blocks are done, and frees `text`; the unfinished file lies in `folder`. Unless
 * `replaces` is set, fails if a file with another text has the name. An interrupted run leaves a file with the same
 * text.
 */
drua_status job_write_new(const char *path, const char *folder, bool replaces, drua_text *text);

/* As job_write_new, for a file beside the outputs of a plan. */
drua_status job_write_beside(const job *j, const char *path, drua_text *text);

/* Lists in an unfinished image the labels that lie in it, if there are any. */
drua_status job_write_labels_group(const job *j, int image);

/* Metadata, text and options of an output for drua_zarr_create. */
const char *job_output_text(const job *j, int output);
drua_zarr_metadata job_output_metadata(const job *j, int output);
drua_zarr_options job_output_options(const job *j, int output);

/*
 * Returns whether the output is a TIFF. The blocks then write a temporary image in chunks, from which the TIFF is
 * written.
 */
bool job_makes_tiff(const job *j);

/* Returns whether a path is the name of a TIFF. */
bool job_is_tiff(const char *output);

#endif
