/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of an operation on the host, in addition to plan.h: threads on all CPU cores, and text files. */
#ifndef DRUA_HOST_WORK_H
#define DRUA_HOST_WORK_H

#include "plan.h"

/* ---- work of the CPU */

/** Number of threads that work on `count` items, including the caller. */
int plan_workers(int64_t count);

/**
 * Calls `work` once for each item from 0 to count - 1, on all cores. `worker` is below plan_workers(count). `work` must
 * not use the plan.
 */
void plan_on_cores(drua_plan *plan, int64_t count, void (*work)(void *payload, int worker, int64_t item),
                   void *payload);

/* ---- text files. A path is the value of a path parameter, or a file in the folder that a path parameter names. */

/** A text that grows. Begins as {0}; its memory lives as long as the call. */
typedef struct drua_plan_text {
    char *characters;
    size_t length, capacity;
} drua_plan_text;

/** Appends to a text. */
void plan_print(drua_plan *plan, drua_plan_text *text, const char *format, ...);

/** Writes a text to a file. An existing file is replaced once the new file is complete. */
void plan_write_text(drua_plan *plan, const char *path, const drua_plan_text *text);

/**
 * Reads a file of at most 1 GB, without a byte order mark of UTF-8, and appends a NUL byte. The memory lives as long as
 * the call. NULL after a failure.
 */
char *plan_read_text(drua_plan *plan, const char *path);

/**
 * Fails if writing `output` would replace the file or folder `input`. Links and other spellings are resolved. Every
 * call does this for its parameters of the kind path; an operation does it for files that their names stand for.
 */
void plan_keep_input(drua_plan *plan, const char *output, const char *input);

/** Whether an ordinary file exists. */
bool plan_is_file(const char *path);

/** Creates a folder unless it exists. */
void plan_make_folder(drua_plan *plan, const char *path);

#endif
