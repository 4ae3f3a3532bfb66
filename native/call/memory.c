/* SPDX-License-Identifier: BSD-3-Clause */
/* The pixels that a call reads and writes, and memory that lives as long as the call. */
#include "call_parts.h"

#include "alloc.h"
#include "error.h"
#include "image_file.h"

#include <string.h>

drua_view plan_without_memory(const drua_value *value)
{
    return (drua_view){NULL, value ? value->layout : drua_layout_dense((drua_shape){1, 1, 1, 3}, DRUA_FLOAT32)};
}

drua_view plan_image(drua_plan *plan, const char *name)
{
    const drua_bound *bound = &plan->bound[plan_find(plan, name)];
    drua_value *value = bound->result ? bound->result : bound->value;
    bool ready = plan->status == DRUA_OK && value && plan_try(plan, drua_value_materialize(plan->engine, value));
    return ready ? drua_value_view(value) : plan_without_memory(value);
}

void plan_share(drua_plan *plan, const char *output_name, const char *input, drua_layout layout)
{
    drua_bound *out = &plan->bound[plan_find(plan, output_name)];
    drua_value *from = plan->bound[plan_find(plan, input)].value;
    drua_shape shape = {layout.width, layout.height, layout.depth, plan_shape(plan, output_name).dimension};
    drua_value *value = drua_value_new(shape, from->type);
    if (!value) {
        plan->status = DRUA_E_MEMORY;
        return;
    }
    value->layout = layout;
    value->buffer = from->buffer;
    drua_buffer_retain(from->buffer);
    out->result = value;
}

drua_buffer *plan_result_memory(const drua_plan *plan)
{
    const drua_value *result = plan->bound[plan_first_output(plan->op)].result;
    return result ? result->buffer : NULL;
}

void plan_drop_results(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++) {
        drua_value_release(plan->engine, plan->bound[i].result);
        plan->bound[i].result = NULL;
    }
}

/* ---- objects that live as long as the call */

drua_held *plan_hold(drua_plan *plan)
{
    drua_held *entry = plan->status == DRUA_OK ? drua_alloc(sizeof *entry) : NULL;
    if (!entry) {
        plan_try(plan, plan->status == DRUA_OK ? drua_fail_memory(sizeof *entry) : plan->status);
        return NULL;
    }
    entry->next = plan->held;
    plan->held = entry;
    return entry;
}

void plan_free(drua_plan *plan)
{
    for (drua_held *entry = plan->held, *next; entry; entry = next) {
        next = entry->next;
        drua_buffer_release(entry->buffer);
        drua_value_release(plan->engine, entry->value);
        drua_free(entry->host);
        drua_free(entry);
    }
    plan->held = NULL;
    plan->kept = NULL;
    plan_close_pages(plan, DRUA_OK);
    drua_image_file_close(plan->file);
    plan->file = NULL;
}

static drua_view allocate_scratch(drua_plan *plan, drua_layout layout)
{
    drua_held *entry = plan_hold(plan);
    if (!entry || !plan_try(plan, drua_buffer_make(plan->engine->device, drua_layout_bytes(&layout), &entry->buffer)))
        return (drua_view){NULL, layout};
    return (drua_view){entry->buffer, layout};
}

/*
 * Returns whether an image of this shape is possible. A table of label pairs may be too large, because it has as many
 * entries as the square of the largest label.
 */
static bool is_countable(drua_shape s)
{
    const int64_t max = INT64_MAX / (int64_t)sizeof(int64_t);
    return s.width >= 1 && s.height >= 1 && s.depth >= 1 && s.width <= INT32_MAX && s.height <= INT32_MAX &&
           s.depth <= INT32_MAX && s.width * s.height <= max / s.depth;
}

drua_view plan_scratch(drua_plan *plan, drua_shape shape, drua_type type)
{
    if (!is_countable(shape)) {
        plan_fail_memory(plan,
                         "the call needs a table of %lld x %lld x %lld numbers, more than any memory holds; if labels "
                         "are that large, renumber them (close_index_gaps_in_label_map)",
                         (long long)shape.width, (long long)shape.height, (long long)shape.depth);
        return (drua_view){NULL, drua_layout_dense((drua_shape){1, 1, 1, 1}, type)};
    }
    return allocate_scratch(plan, drua_layout_dense(shape, type));
}

drua_view plan_scratch_like(drua_plan *plan, drua_layout like, drua_type type)
{
    const drua_shape shape = {like.width, like.height, like.depth, 3};
    return allocate_scratch(plan, drua_layout_is_in_vectors(&like, plan_lanes(plan)) ? drua_layout_in_rows(shape, type)
                                                                                     : drua_layout_dense(shape, type));
}

drua_view plan_scratch_bytes(drua_plan *plan, uint64_t bytes)
{
    int64_t words = (int64_t)((bytes + 3) / 4);
    if (words <= INT32_MAX)
        return plan_scratch(plan, (drua_shape){words, 1, 1, 3}, DRUA_UINT32);
    int64_t rows = words / INT32_MAX + 1;
    return plan_scratch(plan, (drua_shape){(words + rows - 1) / rows, rows, 1, 3}, DRUA_UINT32);
}

void *plan_host_memory(drua_plan *plan, size_t bytes)
{
    drua_held *entry = plan_hold(plan);
    if (!entry)
        return NULL;
    entry->host = plan_may_take(plan, bytes) ? drua_alloc(bytes) : NULL;
    if (!entry->host)
        plan_try(plan, drua_fail_memory(bytes));
    return entry->host;
}

void *plan_kept_memory(drua_plan *plan, size_t bytes)
{
    if (!plan->kept)
        plan->kept = plan_host_memory(plan, bytes);
    return plan->kept;
}

drua_named_image *plan_named_images(drua_plan *plan, const char *name, size_t *count)
{
    const drua_bound *bound = &plan->bound[plan_find(plan, name)];
    drua_named_image *list = plan_host_memory(plan, bound->length * sizeof *list);
    *count = list ? bound->length : 0;
    for (size_t i = 0; i < *count; i++) {
        const drua_bound *image = &plan->bound[bound->names[i].param];
        const drua_value *value = image->result ? image->result : image->value;
        list[i] = (drua_named_image){bound->names[i].text, value->shape, drua_value_view(value), 0};
        while (bound->names[list[i].first].param != bound->names[i].param)
            list[i].first++;
    }
    return list;
}

/* Uses a kernel for large aligned memory, because some drivers fill memory at a tenth of its bandwidth. */
void plan_clear(drua_plan *plan, drua_view view)
{
    enum { QUAD = 16, GROUP = 256, LARGE = 1 << 20 };
    const uint64_t size = drua_type_size((drua_type)view.layout.type), bytes = drua_layout_bytes(&view.layout);
    const uint64_t start = (uint64_t)view.layout.offset * size;
    if (plan->status != DRUA_OK)
        return;
    if (drua_buffer_host(view.buffer))
        memset((char *)drua_buffer_host(view.buffer) + start, 0, bytes);
    else if (bytes >= LARGE && start % QUAD == 0) {
        const int64_t quads = (int64_t)(bytes / QUAD);
        LAUNCH(plan, "clear_line", GRID(quads + 1, 1, 1, GROUP, 1, 1), POINTER(view), LONG((int64_t)(start / QUAD)),
               LONG(quads), INT(bytes % QUAD));
    } else {
        plan_try(plan, drua_device_clear(plan->engine->device, view, bytes));
    }
}

bool plan_need(drua_plan *plan, drua_view view)
{
    const drua_arg read[] = {ARG(view), {.kind = DRUA_LAUNCH_END}};
    return plan->status == DRUA_OK && plan_try(plan, drua_fusion_fill_source(plan->engine, plan->fusion, read));
}

void plan_copy(drua_plan *plan, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z)
{
    if (plan_need(plan, from))
        plan_try(plan, drua_copy_region(plan->engine, from, to, x, y, z));
}

void plan_read(drua_plan *plan, drua_view view, void *host, size_t bytes)
{
    if (plan_need(plan, view))
        plan_try(plan, drua_device_read(plan->engine->device, view, host, bytes));
}

void plan_read_floats(drua_plan *plan, drua_view image, float *pixels)
{
    const drua_layout *l = &image.layout;
    const drua_view dense = plan_scratch(plan, (drua_shape){l->width, l->height, l->depth, 3}, DRUA_FLOAT32);
    plan_copy(plan, image, dense, 0, 0, 0);
    plan_read(plan, dense, pixels, (size_t)drua_layout_count(l) * sizeof *pixels);
    plan_free_scratch(plan, dense);
}

void plan_read_slices(drua_plan *plan, drua_view view, void *host, size_t slice_stride)
{
    char *pixels = host;
    void **planes = plan_host_memory(plan, (size_t)view.layout.depth * sizeof *planes);
    for (int32_t z = 0; planes && z < view.layout.depth; z++)
        planes[z] = pixels + (size_t)z * slice_stride;
    if (planes && plan_need(plan, view))
        plan_try(plan, drua_device_download(plan->engine->device, view, planes));
}

void plan_write_slices(drua_plan *plan, drua_view view, const void *host, size_t slice_stride)
{
    const char *pixels = host;
    const void **planes = plan_host_memory(plan, (size_t)view.layout.depth * sizeof *planes);
    for (int32_t z = 0; planes && z < view.layout.depth; z++)
        planes[z] = pixels + (size_t)z * slice_stride;
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_upload(plan->engine->device, view, planes));
}

void plan_write(drua_plan *plan, drua_view view, const void *host)
{
    plan_write_slices(plan, view, host,
                      (size_t)view.layout.width * (size_t)view.layout.height *
                          drua_type_size((drua_type)view.layout.type));
}

drua_view plan_slices(drua_view view, int32_t first, int32_t count)
{
    view.layout.offset += first * view.layout.plane;
    view.layout.depth = count;
    return view;
}
