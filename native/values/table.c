/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "alloc.h"

#include <stdbool.h>
#include <string.h>

void drua_table_discard(drua_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; table->headings && i < table->columns; i++)
        drua_free(table->headings[i]);
    drua_free(table->headings);
    drua_free(table->cells);
    drua_free(table);
}

drua_table *drua_table_make(const char *const *headings, size_t columns, const double *cells, size_t rows)
{
    drua_table *table = drua_alloc(sizeof *table);
    if (!table)
        return NULL;
    table->columns = columns;
    table->rows = rows;
    table->headings = drua_alloc(columns * sizeof *table->headings);
    table->cells = drua_realloc(NULL, columns * rows * sizeof *cells);
    bool complete = table->headings && table->cells;
    for (size_t i = 0; complete && i < columns; i++)
        complete = (table->headings[i] = drua_copy_text(headings[i])) != NULL;
    if (!complete) {
        drua_table_discard(table);
        return NULL;
    }
    if (cells)
        memcpy(table->cells, cells, columns * rows * sizeof *cells);
    return table;
}
