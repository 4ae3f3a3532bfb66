/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of a test's folder, and pipelines on them by blocks. */
#ifndef DRUA_TESTS_BLOCK_FILES_H
#define DRUA_TESTS_BLOCK_FILES_H

#include "block_pipeline.h"
#include "harness.h"

enum { BLOCK_PATH = 512 };

/** A new folder for a test, and its end; both for a fixture. */
void block_folder_make(void);
void block_folder_remove(void);

/** The path of a file there. */
void block_path(const char *name, char path[BLOCK_PATH]);
void block_write_text(const char *name, const char *text);

/** in.zarr in chunks. */
void block_write_input(drua_context *context, drua_image image, const int64_t chunk[3]);

/** out.zarr. */
reference_image block_read_output(drua_context *context);

/** Plans pipeline.ijm from in.zarr to out.zarr as plan.json, with all else that a request has; lines for people are
 * kept in block_lines. */
drua_status block_plan(const drua_blocks_request *request);

/** A watch that keeps lines for people in block_lines. */
bool block_keep_lines(void *payload, const drua_blocks_progress *progress);

/** The text of a file there, for the caller to free. */
char *block_read_text(const char *name);

/** Plans a pipeline from in.zarr to out.zarr, anew, as plan.json. */
void block_plan_anew(const char *pipeline, const char *memory, const int64_t block[3], const int64_t chunk[3]);

/** Runs it on devices (NULL: one); lines for people are kept in block_lines. */
drua_status block_run(const char *devices);
extern char block_lines[8192];

/** Finishes, verifies and forgets it. */
void block_finish(void);

/** All of that on one device; the message of a run that fails ends with the pipeline. */
void block_process(const char *pipeline, const int64_t block[3], const int64_t chunk[3]);

/** The same of a text with commands, which becomes pipeline.ijm. */
void block_process_macro(const char *macro, const int64_t block[3], const int64_t chunk[3]);

/** Both images have the same bits; the message ends with `about`. */
void block_compare(const reference_image *whole, const reference_image *blocks, const char *about);

/** out.zarr has the bits of the context's image of that name. */
void block_compare_output(drua_context *context, const char *name, const char *about);

#endif
