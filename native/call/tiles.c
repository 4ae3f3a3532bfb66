/* SPDX-License-Identifier: BSD-3-Clause */
/* Images that an operation reads in parts of its own choice, because the device cannot take them as a whole. */
#include "call.h"

static uint64_t bytes_of(const drua_view *view)
{
    return view->buffer ? drua_buffer_bytes(view->buffer) : 0;
}

bool plan_holds(drua_plan *plan, drua_view a, drua_view b)
{
    const drua_device *device = plan->engine->device;
    const uint64_t bytes = bytes_of(&a) + (a.buffer == b.buffer ? 0 : bytes_of(&b));
    return plan->status != DRUA_OK || (bytes <= drua_device_statistics(plan->engine->device)->budget_bytes / 4 * 3 &&
                                       drua_device_holds(device, bytes_of(&a)) && drua_device_holds(device, bytes_of(&b)));
}

bool plan_holds_beside(drua_plan *plan, drua_view view, uint64_t bytes)
{
    return plan->status != DRUA_OK || bytes_of(&view) + bytes <= drua_device_memory_left(plan->engine->device) / 10 * 9;
}

int64_t plan_parts_of(drua_plan *plan, int64_t bytes)
{
    enum { SPARE = 6 };
    return 1 + bytes / (int64_t)drua_device_share(plan->engine->device, SPARE);
}

drua_view plan_runs(drua_plan *plan, drua_view view, int64_t first, int64_t length, int64_t stride, int64_t end)
{
    const size_t size = drua_type_size((drua_type)view.layout.type);
    const int64_t rows = (end - first + stride - 1) / stride, short_length = end - first - (rows - 1) * stride;
    drua_view line = plan_scratch(plan, (drua_shape){length, 1, rows, 3}, (drua_type)view.layout.type);
    const void **planes = plan_host(plan, (size_t)rows * sizeof *planes);
    if (!plan_need(plan, view) || !plan_try(plan, drua_buffer_spill(view.buffer)))
        return line;
    for (int64_t k = 0; k < rows; k++)
        planes[k] = (const char *)drua_buffer_host(view.buffer) + (size_t)(view.layout.offset + first + k * stride) * size;
    drua_view last = plan_slices(line, (int32_t)rows - 1, 1);
    last.layout.width = (int32_t)(short_length < length ? short_length : length);
    if (rows > 1)
        plan_try(plan, drua_device_upload(plan->engine->device, plan_slices(line, 0, (int32_t)rows - 1), planes));
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_upload(plan->engine->device, last, planes + rows - 1));
    drua_device_statistics(plan->engine->device)->slabs += plan->status == DRUA_OK;
    return line;
}

int32_t plan_layers_at_once(drua_plan *plan, drua_view view)
{
    const drua_layout *l = &view.layout;
    if (!drua_layout_is_dense(l) || plan_holds(plan, view, view))
        return l->depth;
    const int64_t parts = plan_parts_of(plan, drua_layout_count(l) * (int64_t)drua_type_size((drua_type)l->type));
    return parts < l->depth ? (int32_t)(l->depth / parts) : 1;
}

drua_view plan_layers(drua_plan *plan, drua_view view, int32_t first, int32_t count)
{
    const drua_layout *l = &view.layout;
    if (count == l->depth)
        return view;
    if (count > l->depth - first)
        count = l->depth - first;
    const size_t size = drua_type_size((drua_type)l->type);
    drua_view part = plan_scratch(plan, (drua_shape){l->width, l->height, count, 3}, (drua_type)l->type);
    const void **planes = plan_host(plan, (size_t)count * sizeof *planes);
    if (!plan_need(plan, view) || !plan_try(plan, drua_buffer_spill(view.buffer)))
        return part;
    for (int32_t k = 0; k < count; k++)
        planes[k] = (const char *)drua_buffer_host(view.buffer) + (size_t)(l->offset + (first + k) * l->plane) * size;
    plan_try(plan, drua_device_upload(plan->engine->device, part, planes));
    drua_device_statistics(plan->engine->device)->slabs += plan->status == DRUA_OK;
    return part;
}

drua_view plan_slab(drua_plan *plan, drua_view view, int axis, int32_t first, int32_t count)
{
    const drua_layout *l = &view.layout;
    if (axis == 2)
        return plan_layers(plan, view, first, count);
    const int64_t pixels = (int64_t)count * l->width;
    drua_view slab = plan_runs(plan, view, (int64_t)first * l->width, pixels, pixels, ((int64_t)first + count) * l->width);
    slab.layout = drua_layout_dense((drua_shape){l->width, count, 1, 2}, (drua_type)l->type);
    return slab;
}

drua_view plan_stretch(drua_plan *plan, drua_view view, int axis, int32_t first, int32_t count)
{
    const drua_layout *l = &view.layout;
    if (count == (axis == 2 ? l->depth : l->height))
        return view;
    const int64_t layer = axis == 2 ? (int64_t)l->width * l->height : l->width, pixels = count * layer;
    drua_view part = axis == 2 ? plan_layers(plan, view, first, count) : plan_runs(plan, view, first * layer, pixels, pixels, (first + count) * layer);
    part.layout = *l;
    part.layout.offset = -first * layer;
    part.layout.row = l->width;
    part.layout.plane = (int64_t)l->width * l->height;
    *(axis == 2 ? &part.layout.depth : &part.layout.height) = first + count;
    return part;
}

bool plan_next_stretch(drua_plan *plan, drua_view view, drua_stretch *s)
{
    return plan_next_stretch_with(plan, view, 0, s);
}

bool plan_next_stretch_with(drua_plan *plan, drua_view view, int32_t margin, drua_stretch *s)
{
    const drua_layout *l = &view.layout;
    const bool whole = plan_holds(plan, view, view) || !drua_layout_is_dense(l);
    if (s->count && s->view.buffer != view.buffer)
        plan_drop(plan, s->view);
    s->axis = l->depth > 1 ? 2 : 1;
    const int32_t extent = s->axis == 2 ? l->depth : l->height;
    s->first += s->count;
    if (s->first >= extent || plan->status != DRUA_OK)
        return false;
    if (!s->thick)
        s->thick = whole ? extent : (int32_t)(extent / plan_parts_of(plan, drua_layout_count(l) * (int64_t)drua_type_size((drua_type)l->type)));
    s->thick = s->thick > 0 ? s->thick : 1;
    s->count = s->thick < extent - s->first ? s->thick : extent - s->first;
    const int32_t from = margin < s->first ? s->first - margin : 0, left = extent - s->first - s->count;
    s->view = plan_stretch(plan, view, s->axis, from, s->first + s->count + (margin < left ? margin : left) - from);
    return plan->status == DRUA_OK;
}

drua_view plan_stretch_layers(const drua_stretch *s)
{
    drua_view layers = s->view;
    drua_layout *l = &layers.layout;
    l->offset += s->first * (s->axis == 2 ? l->plane : l->row);
    *(s->axis == 2 ? &l->depth : &l->height) = s->count;
    return layers;
}

drua_grid plan_grid_along(drua_grid grid, const drua_stretch *s)
{
    grid.items[s->axis] = s->count;
    grid.from[s->axis] = s->first;
    return grid;
}

void plan_drop(drua_plan *plan, drua_view view)
{
    for (drua_held **at = &plan->held; *at && view.buffer; at = &(*at)->next)
        if ((*at)->buffer == view.buffer) {
            drua_buffer_release(view.buffer);
            (*at)->buffer = NULL;
            return;
        }
}
