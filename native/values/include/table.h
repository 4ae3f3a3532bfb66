/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of numbers. */
#ifndef DRUA_TABLE_H
#define DRUA_TABLE_H

#include <drua/drua.h>

/** A table with copies of the headings and of the cells (row by row; NULL: undefined), or NULL without memory. */
drua_table *drua_table_make(const char *const *headings, size_t columns, const double *cells, size_t rows);

/** NULL is allowed. */
void drua_table_discard(drua_table *table);

#endif
