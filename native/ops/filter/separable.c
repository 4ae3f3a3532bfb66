/* SPDX-License-Identifier: BSD-3-Clause */
#include "separable.h"

#include <stdio.h>

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

static bool uses_tiles(drua_plan *plan, const char *kernel, const int radius[3], drua_view from, drua_view to)
{
    enum { FOUR = 4, MOST_RADIUS = 8 };     /* as in kernels/filter/separable_tile.cl */
    char kind[40];
    if (!kernel || plan_lanes(plan) != FOUR || radius[0] < 0 || radius[1] < 0 || radius[0] > MOST_RADIUS || radius[1] > MOST_RADIUS ||
        !is_aligned(&from.layout, FOUR) || (radius[2] < 0 && !is_aligned(&to.layout, FOUR)))
        return false;
    snprintf(kind, sizeof kind, "%s:%d,%d,%d:%d", kernel, radius[0], radius[1], radius[2], from.layout.type);
    return plan_choose(plan, kind, drua_layout_count(&to.layout), 2, 1);
}

drua_grid separable_tile_grid(drua_layout l)
{
    return GRID((l.width + 3) / 4, (l.height + RUN - 1) / RUN, l.depth, 16, 8, 1);
}

drua_view separable_middle(drua_plan *plan, drua_view from, drua_type type)
{
    return plan_scratch(plan, (drua_shape){from.layout.width, from.layout.height, from.layout.depth, 3}, type);
}

int separable_steps(drua_plan *plan, const char *tile_kernel, const int radius[3], drua_type between, drua_view from, drua_view to,
                    separable_step steps[3])
{
    int count = 0;
    if (uses_tiles(plan, tile_kernel, radius, from, to))
        steps[count++] = (separable_step){.tile = true};
    for (int axis = count ? 2 : 0; axis < 3; axis++)
        if (radius[axis] >= 0)
            steps[count++] = (separable_step){.axis = axis};
    for (int i = 0; i < count; i++) {
        steps[i].from = i == 0 ? from : steps[i - 1].to;
        steps[i].to = i == count - 1 ? to : separable_middle(plan, from, between);
    }
    if (count == 0)
        LAUNCH(plan, "copy_region", plan_grid(from.layout), ARG(from), ARG(to), LONG(0), LONG(0), LONG(0));
    return count;
}
