/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are not images: numbers, texts, tables. */
#include "internal.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

void plan_set_number(drua_plan *plan, const char *name, double value)
{
    plan->bound[plan_find(plan, name)].number_result = value;
}

void plan_set_text(drua_plan *plan, const char *name, const char *text)
{
    drua_bound *bound = &plan->bound[plan_find(plan, name)];
    drua_free(bound->text_result);
    bound->text_result = plan->status == DRUA_OK ? drua_copy_text(text) : NULL;
    if (plan->status == DRUA_OK && !bound->text_result)
        plan_try(plan, drua_fail_memory(strlen(text)));
}

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

double *plan_new_table(drua_plan *plan, const char *const *headings, size_t columns, size_t rows)
{
    if (plan->status != DRUA_OK)
        return NULL;
    if (!plan->table)       /* nobody wants it */
        return plan_host(plan, columns * rows * sizeof(double));
    drua_table_discard(*plan->table);       /* of a try that memory was too small for */
    *plan->table = drua_table_make(headings, columns, NULL, rows);
    if (!*plan->table)
        plan_try(plan, drua_fail_memory(columns * rows * sizeof(double)));
    return *plan->table ? (*plan->table)->cells : NULL;
}

void plan_set_table(drua_plan *plan, const char *const *headings, size_t columns, const double *cells, size_t rows)
{
    static const double none;
    if (plan->status != DRUA_OK || !plan->table)
        return;
    *plan->table = drua_table_make(headings, columns, rows ? cells : &none, rows);
    if (!*plan->table)
        plan_try(plan, drua_fail_memory(columns * rows * sizeof *cells));
}
