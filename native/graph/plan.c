/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

#include "alloc.h"
#include "around.h"
#include "error.h"
#include "registry.h"
#include "tiff.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool plan_try(drua_plan *plan, drua_status status)
{
    if (plan->status == DRUA_OK)
        plan->status = status;
    return plan->status == DRUA_OK;
}

static void fail(drua_plan *plan, drua_status status, const char *format, va_list arguments)
{
    char text[1024];
    if (plan->status != DRUA_OK)
        return;
    vsnprintf(text, sizeof text, format, arguments);
    plan->status = drua_fail(status, "%s", text);
}

void plan_fail(drua_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(plan, DRUA_E_ARGUMENT, format, arguments);
    va_end(arguments);
}

void plan_fail_memory(drua_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(plan, DRUA_E_MEMORY, format, arguments);
    va_end(arguments);
}

bool plan_failed(const drua_plan *plan)
{
    return plan->status != DRUA_OK;
}

int plan_find(drua_plan *plan, const char *name)
{
    int i = drua_find_param(plan->op, name);
    if (i < 0 && plan->status == DRUA_OK)
        plan->status = drua_fail(DRUA_E_INTERNAL, "there is no parameter %s", name);
    return i < 0 ? 0 : i;
}

double plan_number(drua_plan *plan, const char *name)
{
    return plan->bound[plan_find(plan, name)].number;
}

int64_t plan_integer(drua_plan *plan, const char *name)
{
    double number = plan_number(plan, name);
    return number >= 9e18 ? INT64_MAX : number <= -9e18 ? INT64_MIN : (int64_t)number;
}

bool plan_flag(drua_plan *plan, const char *name)
{
    return plan_number(plan, name) != 0;
}

const char *plan_text(drua_plan *plan, const char *name)
{
    const char *text = plan->bound[plan_find(plan, name)].text;
    return text ? text : "";
}

int plan_choice(drua_plan *plan, const char *name)
{
    return (int)plan_number(plan, name);
}

const double *plan_array(drua_plan *plan, const char *name, size_t *length)
{
    const drua_bound *bound = &plan->bound[plan_find(plan, name)];
    *length = bound->array ? bound->length : 0;
    return bound->array;
}

drua_shape plan_shape(drua_plan *plan, const char *image)
{
    int i = plan_find(plan, image);
    const drua_bound *bound = &plan->bound[i];
    return bound->result ? bound->result->shape : bound->value ? bound->value->shape : plan->outputs[i].shape;
}

int64_t *drua_extent_along(drua_shape *shape, int axis)
{
    return axis == 2 ? &shape->depth : axis == 1 ? &shape->height : &shape->width;
}

drua_shape plan_written(const drua_plan *plan, size_t i)
{
    return plan->op->traits & DRUA_SOURCE_EXTENT ? plan->outputs[i].natural : plan->outputs[i].shape;
}

drua_shape plan_whole_shape(drua_plan *plan, const char *image, int64_t origin[3])
{
    const drua_part *part = plan->part;
    const int i = plan_find(plan, image);
    drua_shape own = plan_shape(plan, image), whole = own;
    origin[0] = origin[1] = origin[2] = 0;
    if (!part)
        return own;
    const bool made = plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT;
    const int axis = made ? part->out_axis : part->axis;
    whole = made ? plan_written(part->call, (size_t)i) : part->call->bound[i].value->shape;
    for (int k = 0; k < 3 && part->made; k++)
        if (*drua_extent_along(&whole, k) != *drua_extent_along(&own, k))
            origin[k] = made ? part->made->first[k] : part->read->first[k];
    if (!part->made && *drua_extent_along(&whole, axis) != *drua_extent_along(&own, axis))
        origin[axis] = made && part->cut ? part->first : part->from;
    return whole;
}

drua_type plan_type(drua_plan *plan, const char *image)
{
    int i = plan_find(plan, image);
    const drua_bound *bound = &plan->bound[i];
    return bound->result ? bound->result->type : bound->value ? bound->value->type : plan->outputs[i].type;
}

bool plan_exists(drua_plan *plan, const char *image)
{
    return plan->bound[plan_find(plan, image)].value != NULL;
}

drua_named *plan_named_images(drua_plan *plan, const char *name, size_t *count)
{
    const drua_bound *bound = &plan->bound[plan_find(plan, name)];
    drua_named *list = plan_host(plan, bound->length * sizeof *list);
    *count = list ? bound->length : 0;
    for (size_t i = 0; i < *count; i++) {
        const drua_bound *image = &plan->bound[bound->names[i].param];
        const drua_value *value = image->result ? image->result : image->value;
        list[i] = (drua_named){bound->names[i].text, value->shape, drua_value_view(value), 0};
        while (bound->names[list[i].first].param != bound->names[i].param)
            list[i].first++;
    }
    return list;
}

const drua_device_info *plan_device(drua_plan *plan)
{
    return drua_device_facts(plan->engine->device);
}

int plan_lanes(drua_plan *plan)
{
    return drua_device_lanes(plan->engine->device);
}

const drua_statistics *plan_statistics(drua_plan *plan)
{
    return drua_device_statistics(plan->engine->device);
}

drua_view plan_without_memory(const drua_value *value)
{
    return (drua_view){NULL, value ? value->layout : drua_layout_dense((drua_shape){1, 1, 1, 3}, DRUA_FLOAT32)};
}

drua_view plan_image(drua_plan *plan, const char *name)
{
    const drua_bound *bound = &plan->bound[plan_find(plan, name)];
    drua_value *value = bound->result ? bound->result : bound->value;
    bool ready = plan->status == DRUA_OK && value && plan_try(plan, drua_value_force(plan->engine, value));
    return ready ? drua_value_view(value) : plan_without_memory(value);
}

/* ---- what lives as long as the call */

held *plan_hold(drua_plan *plan)
{
    held *entry = plan->status == DRUA_OK ? drua_alloc(sizeof *entry) : NULL;
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
    for (held *entry = plan->held, *next; entry; entry = next) {
        next = entry->next;
        drua_buffer_release(entry->buffer);
        drua_value_release(plan->engine, entry->value);
        drua_free(entry->host);
        drua_free(entry);
    }
    plan->held = NULL;
    plan_close_pages(plan, DRUA_OK);
    drua_tiff_close(plan->file);
    plan->file = NULL;
}

static drua_view scratch(drua_plan *plan, drua_layout layout)
{
    held *entry = plan_hold(plan);
    if (!entry || !plan_try(plan, drua_buffer_make(plan->engine->device, drua_layout_bytes(&layout), &entry->buffer)))
        return (drua_view){NULL, layout};
    return (drua_view){entry->buffer, layout};
}

drua_view plan_scratch(drua_plan *plan, drua_shape shape, drua_type type)
{
    return scratch(plan, drua_layout_dense(shape, type));
}

drua_view plan_scratch_like(drua_plan *plan, drua_layout like, drua_type type)
{
    const drua_shape shape = {like.width, like.height, like.depth, 3};
    return scratch(plan, drua_layout_is_in_vectors(&like, plan_lanes(plan)) ? drua_layout_in_rows(shape, type) : drua_layout_dense(shape, type));
}

drua_view plan_memory(drua_plan *plan, uint64_t bytes)
{
    int64_t words = (int64_t)((bytes + 3) / 4);
    if (words <= INT32_MAX)
        return plan_scratch(plan, (drua_shape){words, 1, 1, 3}, DRUA_UINT32);
    int64_t rows = words / INT32_MAX + 1;
    return plan_scratch(plan, (drua_shape){(words + rows - 1) / rows, rows, 1, 3}, DRUA_UINT32);
}

void *plan_host(drua_plan *plan, size_t bytes)
{
    held *entry = plan_hold(plan);
    if (!entry)
        return NULL;
    entry->host = drua_alloc(bytes);
    if (!entry->host)
        plan_try(plan, drua_fail_memory(bytes));
    return entry->host;
}

/* A kernel where the memory begins at a quad: some drivers fill at a tenth of the memory's speed. */
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
        LAUNCH(plan, "clear_line", GRID(quads + 1, 1, 1, GROUP, 1, 1), POINTER(view), LONG((int64_t)(start / QUAD)), LONG(quads), INT(bytes % QUAD));
    } else {
        plan_try(plan, drua_device_clear(plan->engine->device, view, bytes));
    }
}

bool plan_need(drua_plan *plan, drua_view view)
{
    const drua_arg read[] = {ARG(view), {.kind = DRUA_LAUNCH_END}};
    return plan->status == DRUA_OK && plan_try(plan, drua_around_fill(plan->engine, plan->around, read));
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

void plan_write(drua_plan *plan, drua_view view, const void *host)
{
    const char *pixels = host;
    size_t plane = (size_t)view.layout.width * (size_t)view.layout.height * drua_type_size((drua_type)view.layout.type);
    const void **planes = plan_host(plan, (size_t)view.layout.depth * sizeof *planes);
    for (int32_t z = 0; planes && z < view.layout.depth; z++)
        planes[z] = pixels + (size_t)z * plane;
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_upload(plan->engine->device, view, planes));
}

drua_view plan_slices(drua_view view, int32_t first, int32_t count)
{
    view.layout.offset += first * view.layout.plane;
    view.layout.depth = count;
    return view;
}

bool plan_wants_special(const drua_plan *plan)
{
    const drua_around *around = plan->around;
    if (drua_when_to_compile() == DRUA_WHEN_SEEN)
        return true;
    return around && ((around->before && !around->is_filled) || (around->after && !around->after_is_done));
}

void plan_launch(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments)
{
    if (plan->status == DRUA_OK && plan_try(plan, drua_around_fill(plan->engine, plan->around, arguments)))
        plan_try(plan, drua_device_launch(plan->engine->device, kernel, grid, arguments));
}

int plan_choose(drua_plan *plan, const char *kind, int64_t pixels, int count, int preset)
{
    if (plan->status != DRUA_OK || plan->trial.measured)
        return preset;
    const int chosen = drua_tune_begin(plan->engine, kind, pixels, count, preset, &plan->trial);
    drua_copy_start(plan->choice.kind, kind, sizeof plan->choice.kind);
    plan->choice.variant = chosen + 1;
    plan->choice.count = count;
    plan->choice.why = plan->trial.why;
    return chosen;
}

drua_grid plan_grid(drua_layout l)
{
    return GRID(l.width, l.height, l.depth, 32, 8, 1);
}

drua_grid plan_grid_of_fours(drua_layout layout)
{
    return GRID(((int64_t)layout.width + 3) / 4, layout.height, layout.depth, 32, 8, 1);
}

drua_grid plan_grid_of_vectors(drua_plan *plan, drua_layout l, int32_t rows)
{
    const int32_t lanes = plan_lanes(plan);
    return GRID((l.width + lanes - 1) / lanes, l.height, l.depth, 32, rows, 1);
}

void plan_parts_pixels(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    (void)parts;
}

void plan_parts_neighbours(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = 1;
    parts->columns = true;
}

void plan_parts_slices(drua_plan *plan, drua_parts *parts)
{
    (void)plan;
    parts->axis[0] = parts->axis[1] = -1;
}

drua_view plan_given(drua_plan *plan)
{
    return (drua_view){.buffer = plan->engine->given};
}

void plan_parts_radii(drua_plan *plan, drua_parts *parts)
{
    static const char *const radius[] = {"radius_x", "radius_y", "radius_z"};
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = plan_integer(plan, radius[axis]);
    parts->columns = true;
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

static void raise_largest(drua_plan *plan, drua_view view, drua_view largest)
{
    enum { GROUPS = 1024, GROUP = 256 };
    LAUNCH(plan, "largest_label", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(view), POINTER(largest), LONG(drua_layout_count(&view.layout)),
           INT(drua_layout_is_dense(&view.layout) && view.layout.offset % 4 == 0), INT(drua_layout_is_in_fours(&view.layout)));
}

int64_t plan_largest_label(drua_plan *plan, const char *image)
{
    enum { LONGEST_RUN = 1 << 30 };
    drua_value *value = plan->bound[plan_find(plan, image)].value;
    if (plan->status != DRUA_OK || value->has_largest_label)
        return plan->status == DRUA_OK ? value->largest_label : 0;
    if (!plan_try(plan, drua_value_force(plan->engine, value)))
        return 0;
    drua_view largest = plan_memory(plan, sizeof(uint32_t)), view = drua_value_view(value);
    uint32_t label = 0;
    plan_clear(plan, largest);
    if (plan_holds(plan, view, view) || !drua_layout_is_dense(&view.layout)) {
        raise_largest(plan, view, largest);
    } else {
        const int64_t pixels = drua_layout_count(&view.layout), part = pixels / plan_parts_of(plan, (int64_t)drua_value_bytes(value));
        const int64_t length = part < LONGEST_RUN ? part + 1 : LONGEST_RUN;
        for (int64_t first = 0; first < pixels && plan->status == DRUA_OK; first += length) {
            const int64_t end = first + length < pixels ? first + length : pixels;
            const drua_view run = plan_runs(plan, view, first, end - first, end - first, end);
            raise_largest(plan, run, largest);
            plan_drop(plan, run);
        }
    }
    plan_read(plan, largest, &label, sizeof label);
    value->has_largest_label = plan->status == DRUA_OK;
    value->largest_label = label;
    return label;
}

/* ---- long calls */

void plan_progress(drua_plan *plan, double part)
{
    if (plan->status == DRUA_OK)
        drua_device_report(plan->engine->device, part);
}

void plan_keep_partial(drua_plan *plan)
{
    if (plan->status == DRUA_OK)
        drua_device_commit();
}

bool plan_is_stopped(drua_plan *plan)
{
    return drua_device_wants_stop(plan->engine->device);
}
