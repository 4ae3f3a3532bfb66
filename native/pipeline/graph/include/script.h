/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the text of a pipeline: macro commands, or one operation with its settings. */
#ifndef DRUA_PIPELINE_SCRIPT_H
#define DRUA_PIPELINE_SCRIPT_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct script_argument {
    bool is_number;
    double number;
    char *text; /* a text, or the name of an image; owned */
} script_argument;

typedef struct script_call {
    int line;
    char *name; /* name of the command without "Ext."; owned */
    script_argument *arguments;
    size_t count;
} script_call;

typedef struct script {
    script_call *calls;
    size_t count;
} script;

/**
 * Reads a macro file into UTF-8 text, for the caller to free. The file is UTF-8, or UTF-16 with a byte order mark.
 * Fails if the file cannot be read, is longer than 1 MiB or holds a NUL byte.
 */
drua_status script_read(const char *path, char **macro);

/**
 * Parses commands such as "Ext.Drua_blur(image, result, 2);", assignments of texts and numbers to variables, and for
 * loops. Expressions and loops are computed here, so a pipeline becomes the same list of commands for each block. It
 * skips statements that start Drua or open an image in ImageJ. Anything else fails with its line.
 */
drua_status script_parse(const char *text, script *s);
void script_free(script *s);

/* Calls `visit` with the path of each file that a call reads, until it fails. */
typedef drua_status script_file_visitor(void *payload, const char *path);
drua_status script_call_visit_files(const script_call *call, script_file_visitor *visit, void *payload);

/* As script_call_visit_files, for all calls of a macro. */
drua_status script_visit_files(const char *macro, script_file_visitor *visit, void *payload);

#endif
