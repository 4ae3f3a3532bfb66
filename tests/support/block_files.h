/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary folder with images for one test, and functions that run pipelines on these images block by block. */
#ifndef DRUA_TESTS_BLOCK_FILES_H
#define DRUA_TESTS_BLOCK_FILES_H

#include "block_pipeline.h"
#include "harness.h"

enum { BLOCK_PATH_SIZE = 512 };

/** Create and remove the test's folder; a test case uses both as its fixture. */
void block_folder_make(void);
void block_folder_remove(void);

/** Writes the path of the file `name` in the test's folder to `path`. */
void block_folder_path(const char *name, char path[BLOCK_PATH_SIZE]);
void block_write_text(const char *name, const char *text);

/** Writes the context's image to in.zarr in chunks of extent `chunk`. */
void block_write_input(drua_context *context, drua_image image, const int64_t chunk[3]);

/** Reads out.zarr. The caller frees the image. */
reference_image block_read_output(drua_context *context);

/**
 * Plans the processing of in.zarr by pipeline.ijm, or by the pipeline of the request if it names one, with the result
 * out.zarr and the plan plan.json. Other fields of the request are used as given. Progress lines are kept in
 * block_lines.
 */
drua_status block_plan(const drua_blocks_request *request);

/** A progress callback that keeps each line in block_lines. */
bool block_keep_lines(void *payload, const drua_blocks_progress *progress);

/** Reads a text file of the test's folder. The caller frees the text. */
char *block_read_text(const char *name);

/** Like block_plan, for a pipeline file. Replaces an earlier plan. */
void block_plan_anew(const char *pipeline, const char *memory, const int64_t block[3], const int64_t chunk[3]);

/** Runs the plan on these devices (NULL: on one); progress lines are kept in block_lines. */
drua_status block_run(const char *devices);
extern char block_lines[8192];

/** Finishes the plan, verifies its output and removes the plan. */
void block_finish(void);

/** Plans, runs and finishes a pipeline on one device. A failure message ends with the name of the pipeline. */
void block_process(const char *pipeline, const int64_t block[3], const int64_t chunk[3]);

/** Like block_process, for the text of a macro, which is written to pipeline.ijm first. */
void block_process_macro(const char *macro, const int64_t block[3], const int64_t chunk[3]);

/** Fails unless both images are bit-identical. The message ends with `about`. */
void block_compare(const reference_image *whole, const reference_image *blocks, const char *about);

/**
 * Fails unless out.zarr has the pixels and type of the context's image of that name. Labels of type float32 must be
 * uint32 in the file.
 */
void block_compare_output(drua_context *context, const char *name, const char *about);

#endif
