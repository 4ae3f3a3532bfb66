/* SPDX-License-Identifier: BSD-3-Clause */
#include "tally.h"

enum { GROUP = 256, MOST_GROUPS = 1024, PIXELS_AT_LEAST = 32, FLOATS = 10 };

static bool is_line(const drua_layout *l)
{
    return drua_layout_is_dense(l) && l->offset % 4 == 0;
}

static bool same_extent(const drua_layout *a, const drua_layout *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

drua_view tally_send(drua_plan *plan, const char *kernel, drua_view source, drua_view other, drua_view center)
{
    int64_t count = drua_layout_count(&source.layout), groups = count / (GROUP * PIXELS_AT_LEAST) + 1;
    if (groups > MOST_GROUPS)
        groups = MOST_GROUPS;
    bool dense = is_line(&source.layout) && is_line(&other.layout) && same_extent(&source.layout, &other.layout);
    drua_view partial = plan_memory(plan, (uint64_t)groups * FLOATS * sizeof(float));
    drua_view results = plan_memory(plan, FLOATS * sizeof(float));
    LAUNCH(plan, kernel, GRID(groups * GROUP, 1, 1, GROUP, 1, 1), ARG(source), ARG(other), POINTER(center.buffer ? center : partial),
           POINTER(partial), LONG(count), INT(dense));
    LAUNCH(plan, "tally_groups", GRID(GROUP, 1, 1, GROUP, 1, 1), POINTER(partial), POINTER(results), INT(groups));
    return results;
}

drua_view tally_sample(drua_plan *plan, drua_view source)
{
    drua_view results = plan_memory(plan, FLOATS * sizeof(float));
    LAUNCH(plan, "tally_sample", GRID(GROUP, 1, 1, GROUP, 1, 1), ARG(source), POINTER(results), LONG(drua_layout_count(&source.layout)));
    return results;
}

tally tally_read(drua_plan *plan, drua_view results)
{
    float values[FLOATS] = {0};
    plan_read(plan, results, values, sizeof values);
    tally t = {.low = values[TALLY_LOW], .high = values[TALLY_LOW + 1]};
    for (int n = 0; n < 4; n++)     /* what infinity lost in rounding is not a number */
        t.sum[n] = isfinite(values[2 * n + 1]) ? (double)values[2 * n] + values[2 * n + 1] : values[2 * n];
    return t;
}
