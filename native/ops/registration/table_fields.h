/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of text tables, separated by commas, semicolons or tabs. */
#ifndef DRUA_OPS_TABLE_FIELDS_H
#define DRUA_OPS_TABLE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct table_line {
    const char *at, *end; /* the fields that have not been read */
    char separator;
} table_line;

/**
 * Begins a line. Its separator is a tab or semicolon if the line has one, else a comma: spreadsheets write semicolons
 * where the decimal sign is a comma.
 */
table_line table_begin(const char *line, size_t length);

/**
 * Reads the next field, without quotes and blanks. Separators between quotes belong to the field. Returns false at the
 * end of the line.
 */
bool table_next_field(table_line *line, const char **field, size_t *length);

/** Returns whether the whole field is a number, and sets it. */
bool table_is_number(const char *field, size_t length, double *number);

/** Returns whether the field begins with a digit, after a sign or decimal point if it has one. */
bool table_begins_number(const char *field, size_t length);

#endif
