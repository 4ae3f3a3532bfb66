/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be larger than the device, and files that may be larger than the host: a part at a time. */
#include "internal.h"

#include "error.h"
#include "pages.h"

#include <string.h>

/* Opened once a call. */
static drua_tiff *file_of(drua_plan *plan, const char *path)
{
    enum { FIRST_CHANNEL = 1, ALL_FRAMES = 0 };
    const char *name = plan_text(plan, path);
    if (!plan->file && plan->status == DRUA_OK)
        plan_try(plan, drua_tiff_open(name, FIRST_CHANNEL, ALL_FRAMES, &plan->file));
    if (plan->file && drua_tiff_samples(plan->file) != 1)
        plan_fail(plan, "%s must be a file of grey values, got '%s', which has colours; convert it to 8, 16 or 32 bits", path, name);
    if (plan->file && drua_tiff_missing(plan->file) > 0)
        plan_fail(plan, "%s must be a whole file, got '%s', which lacks %lld of its images; copy or save it again", path, name,
                  (long long)drua_tiff_missing(plan->file));
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
        status = drua_pages_close(plan->pages, status);
    plan->pages = NULL;
    return status;
}

/* Pages come from `first` on. */
typedef struct part {
    drua_pages *pages;
    size_t first;
} part;

static int prepare(void *payload, size_t first, size_t last)
{
    const part *p = payload;
    return drua_pages_prepare(p->pages, p->first + first, p->first + last);
}

static void copy(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    const part *p = payload;
    drua_pages_copy(p->pages, p->first + z, inside, memory, bytes);
}

/* Frames in order are read ahead while the device works; going back begins anew. */
static drua_status upload(drua_plan *plan, drua_tiff *file, int64_t first, drua_view frames)
{
    if (plan->pages && first < plan->next_page)
        DRUA_TRY(plan_close_pages(plan, DRUA_OK));
    if (!plan->pages)
        DRUA_TRY(drua_pages_open(file, &plan->pages));
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

bool plan_is_on_host(drua_plan *plan, const drua_param *param, const drua_value *value)
{
    return param->by_slices && drua_value_bytes(value) > drua_device_memory_left(plan->engine->device) / 2;
}

static drua_value *output_of(drua_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (!strcmp(plan->op->params[i].name, name))
            return plan->bound[i].result;
    return NULL;
}

bool plan_next_slices(drua_plan *plan, const char *name, drua_stretch *s)
{
    const drua_value *value = output_of(plan, name);
    drua_view slices = s->view;
    slices.layout.offset += s->first * slices.layout.plane;
    slices.layout.depth = s->count;
    if (s->count)
        plan_end_slices(plan, name, s->first, slices);
    s->first += s->count;
    if (plan->status != DRUA_OK || !value || s->first >= value->layout.depth)
        return false;
    const int32_t left = value->layout.depth - s->first;
    const int64_t parts = drua_buffer_host(value->buffer) ? plan_parts_of(plan, (int64_t)drua_value_bytes(value)) : 1;
    s->axis = 2;
    s->thick = value->layout.depth > 2 * parts ? (int32_t)(value->layout.depth / parts / 2 * 2) : 1;
    if (parts == 1)
        s->thick = left;
    s->count = s->thick < left ? s->thick : left;
    s->view = plan_write_slices(plan, name, s->first, s->count);
    s->view.layout.offset -= s->first * s->view.layout.plane;
    s->view.layout.depth = s->first + s->count;
    return plan->status == DRUA_OK;
}

drua_view plan_write_slices(drua_plan *plan, const char *name, int32_t first, int32_t count)
{
    const drua_value *value = output_of(plan, name);
    if (plan->status != DRUA_OK || !value)
        return (drua_view){0};
    if (!drua_buffer_host(value->buffer) || drua_value_bytes(value) <= drua_device_memory_left(plan->engine->device) / 2)
        return plan_slices(drua_value_view(value), first, count);
    return plan_scratch(plan, (drua_shape){value->shape.width, value->shape.height, count, 3}, value->type);
}

void plan_end_slices(drua_plan *plan, const char *name, int32_t first, drua_view slices)
{
    const drua_value *value = output_of(plan, name);
    if (plan->status != DRUA_OK || !value || slices.buffer == value->buffer)
        return;
    const drua_layout *l = &value->layout;
    void **planes = plan_host(plan, (size_t)slices.layout.depth * sizeof *planes);
    for (int32_t z = 0; planes && z < slices.layout.depth; z++)
        planes[z] = (char *)drua_buffer_host(value->buffer) + (size_t)(l->offset + (first + z) * l->plane) * drua_type_size(value->type);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_download(plan->engine->device, slices, planes));
    drua_device_statistics(plan->engine->device)->slabs += plan->status == DRUA_OK;
    plan_drop(plan, slices);
}
