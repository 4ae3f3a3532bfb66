/* SPDX-License-Identifier: BSD-3-Clause */
/* Label maps whose largest label exceeds their number of pixels: a table of all numbers up to it is almost empty. */
#include "call_parts.h"

static int64_t pixels_of(const drua_value *value)
{
    return value->shape.width * value->shape.height * value->shape.depth;
}

/* Returns the index of an image argument whose largest label exceeds its number of pixels; -1: none. */
static int find_sparse_labels(const drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_value *value = plan->bound[i].value;
        if (value && value->has_largest_label && value->largest_label > pixels_of(value))
            return (int)i;
    }
    return -1;
}

/* Without a limit, one stray label could take so much memory that the operating system ends the process. */
bool plan_may_take(const drua_plan *plan, size_t bytes)
{
    enum { MOST_EMPTY = 1 << 30 };
    return bytes <= MOST_EMPTY || find_sparse_labels(plan) < 0;
}

void plan_explain_memory(drua_plan *plan)
{
    const int i = plan->status == DRUA_E_MEMORY ? find_sparse_labels(plan) : -1;
    if (i >= 0)
        drua_fail(DRUA_E_MEMORY,
                  "%s has only %lld pixels, but the label %lld; a table with a row for each number up to this label "
                  "does not fit into memory. Renumber the labels first (close_index_gaps_in_label_map)",
                  plan->op->params[i].name, (long long)pixels_of(plan->bound[i].value),
                  (long long)plan->bound[i].value->largest_label);
}
