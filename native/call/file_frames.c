/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be larger than the device, and files that may be larger than the host: a part at a time. */
#include "call.h"

#include "error.h"
#include "read_ahead.h"

#include <string.h>

/* Where the operation chose nothing of the file: its frames, which have to be grey and complete. */
static void open_frames(drua_plan *plan, const char *path)
{
    enum { FIRST_CHANNEL = 1, ALL_FRAMES = 0 };
    const char *name = plan_text(plan, path);
    plan_open_file(plan, path, FIRST_CHANNEL, ALL_FRAMES);
    if (plan->file && drua_tiff_samples(plan->file) != 1)
        plan_fail(plan, "%s must be a file of grey values, got '%s', which has colours; convert it to 8, 16 or 32 bits", path, name);
    if (plan->file && drua_tiff_missing(plan->file) > 0)
        plan_fail(plan, "%s must be a whole file, got '%s', which lacks %lld of its images; copy or save it again", path, name,
                  (long long)drua_tiff_missing(plan->file));
}

static drua_tiff *file_of(drua_plan *plan, const char *path)
{
    if (!plan->file)
        open_frames(plan, path);
    return plan->status == DRUA_OK ? plan->file : NULL;
}

drua_shape plan_file_shape(drua_plan *plan, const char *path)
{
    const drua_tiff *file = file_of(plan, path);
    return file ? drua_tiff_shape(file) : (drua_shape){1, 1, 1, 2};
}

drua_type plan_file_type(drua_plan *plan, const char *path)
{
    const drua_tiff *file = file_of(plan, path);
    return file ? drua_tiff_type(file) : DRUA_UINT8;
}

drua_status plan_close_pages(drua_plan *plan, drua_status status)
{
    if (plan->pages)
        status = drua_read_ahead_close(plan->pages, status);
    plan->pages = NULL;
    return status;
}

/* Pages come from `first` on. */
typedef struct part {
    drua_read_ahead *pages;
    size_t first;
} part;

static int prepare(void *payload, size_t first, size_t last)
{
    const part *p = payload;
    return drua_read_ahead_prepare(p->pages, p->first + first, p->first + last);
}

static void copy(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    const part *p = payload;
    drua_read_ahead_copy(p->pages, p->first + z, inside, memory, bytes);
}

/* Frames in order are read ahead while the device works; going back begins anew. */
static drua_status upload(drua_plan *plan, drua_tiff *file, int64_t first, drua_view frames)
{
    if (plan->pages && first < plan->next_page)
        DRUA_TRY(plan_close_pages(plan, DRUA_OK));
    if (!plan->pages)
        DRUA_TRY(drua_read_ahead_open(file, &plan->pages));
    part p = {plan->pages, (size_t)first};
    drua_planes planes = {.prepare = prepare, .copy = copy, .payload = &p};
    drua_status status = drua_device_upload_from(plan->engine->device, frames, &planes);
    plan->next_page = first + frames.layout.depth;
    return status == DRUA_OK ? status : plan_close_pages(plan, status);
}

drua_view plan_file_frames(drua_plan *plan, const char *path, int64_t first, int32_t count)
{
    drua_tiff *file = file_of(plan, path);
    drua_shape shape = plan_file_shape(plan, path);
    shape.depth = count;
    const drua_view frames = plan_scratch(plan, shape, plan_file_type(plan, path));
    if (plan->status == DRUA_OK)
        plan_try(plan, upload(plan, file, first, frames));
    return frames;
}

/* ---- outputs */

/* Whether the device takes all of it beside what makes it, or has it. */
static bool is_whole(drua_plan *plan, const drua_value *value)
{
    const uint64_t bytes = drua_value_bytes(value);
    const drua_device *device = plan->engine->device;
    return (value->buffer && !drua_buffer_host(value->buffer)) || (bytes <= drua_device_memory_left(device) / 2 && drua_device_holds(device, bytes));
}

bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value)
{
    return param->by_slices && !is_whole(plan, value);
}

static drua_value *output_of(drua_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (!strcmp(plan->op->params[i].name, name))
            return plan->bound[i].result;
    return NULL;
}

/* Layers along z, or of a plane along y. */
static drua_view begin_layers(drua_plan *plan, const drua_value *value, int axis, int32_t first, int32_t count)
{
    drua_view view = drua_value_view(value);
    drua_shape shape = value->shape;
    if (is_whole(plan, value)) {
        view.layout.offset += first * view.layout.stride[axis];
        view.layout.extent[axis] = count;
        return view;
    }
    shape.extent[axis] = count;
    return plan_scratch(plan, shape, value->type);
}

static void end_layers(drua_plan *plan, const drua_value *value, int axis, int32_t first, drua_view layers)
{
    if (plan->status != DRUA_OK || layers.buffer == value->buffer)
        return;
    const drua_layout *l = &value->layout;
    void **planes = plan_host(plan, (size_t)layers.layout.depth * sizeof *planes);
    for (int32_t z = 0; planes && z < layers.layout.depth; z++)
        planes[z] = (char *)drua_buffer_host(value->buffer) +
                    (size_t)(l->offset + first * l->stride[axis] + z * l->plane) * drua_type_size(value->type);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_download(plan->engine->device, layers, planes));
    drua_device_statistics(plan->engine->device)->slabs += plan->status == DRUA_OK;
    plan_drop(plan, layers);
}

bool plan_next_slices(drua_plan *plan, const char *name, drua_stretch *s)
{
    const drua_value *value = output_of(plan, name);
    if (plan->status != DRUA_OK || !value)
        return false;
    s->axis = value->layout.depth > 1 ? 2 : 1;
    drua_view layers = s->view;
    layers.layout.offset += s->first * layers.layout.stride[s->axis];
    layers.layout.extent[s->axis] = s->count;
    if (s->count)
        end_layers(plan, value, s->axis, s->first, layers);
    s->first += s->count;
    const int32_t extent = value->layout.extent[s->axis], left = extent - s->first;
    if (plan->status != DRUA_OK || left <= 0)
        return false;
    const int64_t parts = is_whole(plan, value) ? 1 : plan_parts_of(plan, (int64_t)drua_value_bytes(value));
    s->thick = parts == 1 ? left : extent > 2 * parts ? (int32_t)(extent / parts / 2 * 2) : 1;
    s->count = s->thick < left ? s->thick : left;
    s->view = begin_layers(plan, value, s->axis, s->first, s->count);
    s->view.layout.offset -= s->first * s->view.layout.stride[s->axis];
    s->view.layout.extent[s->axis] = s->first + s->count;
    return plan->status == DRUA_OK;
}

bool plan_next_pair(drua_plan *plan, drua_view from, const char *name, drua_pair *q)
{
    if (q->at.count && q->from.buffer != from.buffer)
        plan_drop(plan, q->from);
    q->at.first += q->at.count;
    if (q->at.first >= q->slices.first + q->slices.count && !plan_next_slices(plan, name, &q->slices))
        return false;
    const int axis = q->at.axis = q->slices.axis;
    const int32_t extent = from.layout.extent[axis], left = q->slices.first + q->slices.count - q->at.first;
    const bool whole = plan_holds(plan, from, q->slices.view) || !drua_layout_is_dense(&from.layout) || extent == 1;
    const int64_t bytes = drua_layout_count(&from.layout) * (int64_t)drua_type_size((drua_type)from.layout.type);
    const int64_t thick = whole ? left : 1 + extent / plan_parts_of(plan, bytes);
    q->at.count = thick < left ? (int32_t)thick : left;
    const int32_t end = q->at.first + q->at.count, first = q->at.first < extent ? q->at.first : extent - 1;
    q->from = whole ? from : plan_stretch(plan, from, axis, first, (end < extent ? end : extent) - first);
    q->to = q->slices.view;
    q->to.layout.extent[axis] = end;
    q->at.view = q->to;
    return plan->status == DRUA_OK;
}

drua_view plan_write_layers(drua_plan *plan, const char *name, int axis, int32_t first, int32_t count)
{
    const drua_value *value = output_of(plan, name);
    return plan->status == DRUA_OK && value ? begin_layers(plan, value, axis, first, count) : plan_without_memory(value);
}

void plan_end_layers(drua_plan *plan, const char *name, int axis, int32_t first, drua_view layers)
{
    const drua_value *value = output_of(plan, name);
    if (value)
        end_layers(plan, value, axis, first, layers);
}

drua_view plan_write_slices(drua_plan *plan, const char *name, int32_t first, int32_t count)
{
    return plan_write_layers(plan, name, 2, first, count);
}

void plan_end_slices(drua_plan *plan, const char *name, int32_t first, drua_view slices)
{
    plan_end_layers(plan, name, 2, first, slices);
}
