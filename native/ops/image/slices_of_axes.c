/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies slices perpendicular to x or y. Each uses copySlice on a view of the stack with exchanged axes. */
#include "plan.h"

static drua_view horizontal_view(drua_view view)
{
    drua_layout l = view.layout;
    view.layout.height = l.depth, view.layout.row = l.plane;
    view.layout.depth = l.height, view.layout.plane = l.row;
    return view;
}

static drua_view vertical_view(drua_view view)
{
    drua_layout l = view.layout;
    view.layout.width = l.height, view.layout.column = l.row;
    view.layout.height = l.depth, view.layout.row = l.plane;
    view.layout.depth = l.width, view.layout.plane = l.column;
    return view;
}

/* Reading beyond the stack returns its last slice; writing beyond the stack has no effect. */
static void copy_slice_across(drua_plan *p, drua_view (*turned)(drua_view))
{
    bool writes = plan_shape(p, "source").dimension == 2 && plan_shape(p, "destination").dimension == 3;
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination"), stack = turned(writes ? to : from);
    int64_t index = plan_integer(p, "slice_index"), last = stack.layout.depth - 1;
    if (writes && index <= last)
        plan_copy(p, from, plan_slices(stack, (int32_t)index, 1), 0, 0, 0);
    else if (!writes)
        plan_copy(p, plan_slices(stack, (int32_t)(index < last ? index : last), 1), to, 0, 0, 0);
}

static void plan_horizontal(drua_plan *p)
{
    copy_slice_across(p, horizontal_view);
}
static void plan_vertical(drua_plan *p)
{
    copy_slice_across(p, vertical_view);
}

static void horizontal_shape(drua_plan *p, drua_shape *shape)
{
    bool plane = shape->dimension == 2;
    *shape = plane ? (drua_shape){shape->width, plan_integer(p, "slice_index") + 1, shape->height, 3}
                   : (drua_shape){shape->width, shape->depth, 1, 2};
}

static void vertical_shape(drua_plan *p, drua_shape *shape)
{
    bool plane = shape->dimension == 2;
    *shape = plane ? (drua_shape){plan_integer(p, "slice_index") + 1, shape->width, shape->height, 3}
                   : (drua_shape){shape->height, shape->depth, 1, 2};
}

#define SLICE(name_, function, shape_, axis, size)                                                                     \
    {                                                                                                                  \
        .name = #name_, .category = "image", .numeric = DRUA_EXACT, .launch = function, .source = "pixels are copied", \
        .summary = "Copies one slice of a stack, perpendicular to " axis ", to a plane of " size                       \
                   ", or such a plane into a stack.",                                                                  \
        .traits = DRUA_READS_PART | DRUA_COPIES,                                                                       \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack or plane"),                                                         \
                    DRUA_IMAGE_OUT("destination", "plane or stack; a new stack ends with the slice", .shape = shape_,  \
                                   .partial = true),                                                                   \
                    DRUA_INTEGER("slice_index", "position along " axis ", counted from 0", .unit = "pixel",            \
                                 DRUA_RANGE(0, 2147483646), .default_value = 0))                                       \
    }

DRUA_OP(copy_horizontal_slice) = SLICE(copy_horizontal_slice, plan_horizontal, horizontal_shape, "y", "width x depth");
DRUA_OP(copy_vertical_slice) = SLICE(copy_vertical_slice, plan_vertical, vertical_shape, "x", "height x depth");
