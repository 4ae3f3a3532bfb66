/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of text tables, separated by commas, semicolons or tabs. */
#ifndef DRUA_OPS_TABLE_FIELDS_H
#define DRUA_OPS_TABLE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/** Reads the next field of a line, without quotes and blanks. Returns false at the end of the line. */
bool table_next_field(const char **at, const char *end, const char **field, size_t *length);

/** Returns whether the whole field is a number, and sets it. */
bool table_is_number(const char *field, size_t length, double *number);

#endif
