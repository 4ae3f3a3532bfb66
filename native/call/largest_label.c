/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest label of an image, which is stored with the value. */
#include "call_parts.h"

#include <math.h>
#include <string.h>

static const uint32_t max_float = 4294967040; /* the label that kernels use for all larger float32 numbers */

static void raise_largest(drua_plan *plan, drua_view view, drua_view largest)
{
    enum { GROUPS = 1024, GROUP = 256 };
    LAUNCH(plan, "largest_label", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(view), POINTER(largest),
           LONG(drua_layout_count(&view.layout)),
           INT(drua_layout_is_dense(&view.layout) && view.layout.offset % 4 == 0),
           INT(drua_layout_is_vec4(&view.layout)));
}

int64_t plan_largest_value(drua_plan *plan, const char *image)
{
    drua_value *value = plan->bound[plan_find(plan, image)].value;
    if (plan->status != DRUA_OK || value->has_largest_label)
        return plan->status == DRUA_OK ? value->largest_label : 0;
    if (!plan_try(plan, drua_value_materialize(plan->engine, value)))
        return 0;
    drua_view largest = plan_scratch_bytes(plan, sizeof(uint32_t)), view = drua_value_view(value);
    uint32_t label = 0;
    plan_clear(plan, largest);
    for (drua_tiles t = {.inputs = {view}, .rows = true, .separate = true}; plan_next_tile(plan, &t);)
        raise_largest(plan, t.from[0], largest);
    plan_read(plan, largest, &label, sizeof label);
    if (label == UINT32_MAX) /* tables have one entry more than the largest label */
        plan_fail(plan, "%s has the label %u, but labels may be at most %u; renumber its objects", image, label,
                  label - 1);
    if (value->type == DRUA_FLOAT32 && label >= max_float)
        plan_fail(plan,
                  "%s has a pixel of %.0f or more, such as infinity, but labels must be smaller; check the image's "
                  "maximum",
                  image, (double)max_float);
    value->has_largest_label = plan->status == DRUA_OK;
    value->largest_label = label;
    return plan->status == DRUA_OK ? label : 0;
}

/* Fails the call if a pixel of a map without labels is not 0. Without labels, all unsigned integers are 0. */
static void refuse_other_numbers(drua_plan *plan, const char *image)
{
    const drua_type type = plan_type(plan, image);
    if (type == DRUA_UINT8 || type == DRUA_UINT16 || type == DRUA_UINT32)
        return;
    uint32_t found[2] = {0};
    const drua_view view = drua_value_view(plan->bound[plan_find(plan, image)].value),
                    words = plan_scratch_bytes(plan, sizeof found);
    plan_clear(plan, words);
    for (drua_tiles t = {.inputs = {view}, .rows = true, .separate = true}; plan_next_tile(plan, &t);)
        LAUNCH(plan, "find_no_label", plan_grid(t.from[0].layout), ARG(t.from[0]), POINTER(words));
    plan_read(plan, words, found, sizeof found);
    float number;
    memcpy(&number, &found[1], sizeof number);
    if (found[0])
        plan_fail(plan,
                  "%s has no label: all its pixels are 0, negative, NaN or below 1, such as %g; labels are whole "
                  "numbers from 1, so make a label map first",
                  image, isnan(number) ? (double)NAN : (double)number);
}

int64_t plan_largest_label(drua_plan *plan, const char *image)
{
    const int64_t largest = plan_largest_value(plan, image);
    if (largest == 0 && plan->status == DRUA_OK)
        refuse_other_numbers(plan, image);
    return largest;
}
