/* SPDX-License-Identifier: BSD-3-Clause */
/* Views that the passes of a filter read and write, and restrictions of a filter to some axes. */
#include "separable.h"

drua_view separable_exchange(drua_view view)
{
    drua_layout l = view.layout;
    view.layout.height = l.depth;
    view.layout.depth = l.height;
    view.layout.row = l.plane;
    view.layout.plane = l.row;
    return view;
}

drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type)
{
    return plan_scratch_like(plan, from.layout, type);
}

drua_view separable_wide_middle(drua_plan *plan, drua_view from)
{
    const drua_shape shape = {from.layout.width, from.layout.height, from.layout.depth, 3};
    drua_view view = plan_scratch_bytes(plan, (uint64_t)drua_layout_count(&from.layout) * sizeof(int64_t));
    view.layout = drua_layout_dense(shape, (drua_type)SEPARABLE_WIDE);
    return view;
}

separable separable_axes(const separable *f, int axis, int end)
{
    separable some = *f;
    for (int i = 0; i < 3; i++)
        some.radius[i] = i >= axis && i <= end ? f->radius[i] : -1;
    return some;
}
