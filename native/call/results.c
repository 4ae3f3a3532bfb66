/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are not images: numbers, texts, tables. */
#include "call_parts.h"

#include "alloc.h"
#include "error.h"
#include "table.h"

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

double *plan_new_table(drua_plan *plan, const char *const *headings, size_t columns, size_t rows)
{
    if (plan->status != DRUA_OK)
        return NULL;
    if (!plan->table) /* the caller does not want it */
        return plan_host_memory(plan, columns * rows * sizeof(double));
    drua_table_discard(*plan->table); /* from an attempt that ran out of memory */
    *plan->table =
        plan_may_take(plan, columns * rows * sizeof(double)) ? drua_table_make(headings, columns, NULL, rows) : NULL;
    if (!*plan->table)
        plan_try(plan, drua_fail_memory(columns * rows * sizeof(double)));
    return *plan->table ? (*plan->table)->cells : NULL;
}

void plan_set_table(drua_plan *plan, const char *const *headings, size_t columns, const double *cells, size_t rows)
{
    static const double none;
    if (plan->status != DRUA_OK || !plan->table)
        return;
    drua_table_discard(*plan->table); /* from an attempt that ran out of memory */
    *plan->table = drua_table_make(headings, columns, rows ? cells : &none, rows);
    if (!*plan->table)
        plan_try(plan, drua_fail_memory(columns * rows * sizeof *cells));
}
