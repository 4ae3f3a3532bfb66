/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest label of an image, which is stored with the value. */
#include "call.h"

static void raise_largest(drua_plan *plan, drua_view view, drua_view largest)
{
    enum { GROUPS = 1024, GROUP = 256 };
    LAUNCH(plan, "largest_label", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(view), POINTER(largest),
           LONG(drua_layout_count(&view.layout)),
           INT(drua_layout_is_dense(&view.layout) && view.layout.offset % 4 == 0),
           INT(drua_layout_is_vec4(&view.layout)));
}

int64_t plan_largest_label(drua_plan *plan, const char *image)
{
    drua_value *value = plan->bound[plan_find(plan, image)].value;
    if (plan->status != DRUA_OK || value->has_largest_label)
        return plan->status == DRUA_OK ? value->largest_label : 0;
    if (!plan_try(plan, drua_value_materialize(plan->engine, value)))
        return 0;
    drua_view largest = plan_memory(plan, sizeof(uint32_t)), view = drua_value_view(value);
    uint32_t label = 0;
    plan_clear(plan, largest);
    for (drua_tiles t = {.inputs = {view}, .rows = true, .separate = true}; plan_next_tile(plan, &t);)
        raise_largest(plan, t.from[0], largest);
    plan_read(plan, largest, &label, sizeof label);
    if (label == UINT32_MAX) /* tables have one entry more than the largest label */
        plan_fail(plan, "%s has the label %u, but labels may be at most %u; renumber its objects", image, label,
                  label - 1);
    value->has_largest_label = plan->status == DRUA_OK;
    value->largest_label = label;
    return plan->status == DRUA_OK ? label : 0;
}
