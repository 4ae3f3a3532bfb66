/* SPDX-License-Identifier: BSD-3-Clause */
#include "separable.h"

enum { RUN = 8 };       /* as in kernels/filter/separable.cl */

/* Whether every row begins at a multiple of the device's vector. */
static bool is_aligned(const drua_layout *l, int64_t lanes)
{
    return l->column == 1 && l->offset % lanes == 0 && l->row % lanes == 0 && l->plane % lanes == 0 && l->width % lanes == 0;
}

static drua_view exchange_yz(drua_view view)
{
    drua_layout l = view.layout;
    view.layout.height = l.depth;
    view.layout.depth = l.height;
    view.layout.row = l.plane;
    view.layout.plane = l.row;
    return view;
}

separable_pass separable_plan(drua_plan *plan, separable_kernels kernels, int axis, drua_view from, drua_view to)
{
    int lanes = plan_lanes(plan);
    bool wide = kernels[2] && is_aligned(&from.layout, lanes) && is_aligned(&to.layout, lanes);
    separable_pass pass = {from, to, kernels[(axis > 0) + 2 * wide], {.items = {0}}};
    if (axis == 2) {
        pass.from = exchange_yz(from);
        pass.to = exchange_yz(to);
    }
    drua_layout l = pass.to.layout;
    if (axis > 0)
        pass.grid = GRID(wide ? l.width / lanes : l.width, (l.height + RUN - 1) / RUN, l.depth, 32, 4, 1);
    else
        pass.grid = GRID(wide ? (l.width + RUN - 1) / RUN : l.width, l.height, l.depth, 32, 4, 1);
    return pass;
}

int separable_axes(drua_plan *plan, const double size[3], drua_view from, drua_view to, int axes[3])
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        if (size[axis] > 0)
            axes[count++] = axis;
    if (count == 0)
        LAUNCH(plan, "copy_region", plan_grid(from.layout), ARG(from), ARG(to), LONG(0), LONG(0), LONG(0));
    return count;
}

drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type)
{
    return plan_scratch(plan, (drua_shape){from.layout.width, from.layout.height, from.layout.depth, 3}, type);
}
