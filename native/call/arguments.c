/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to the arguments of a call, and its failures. */
#include "call_parts.h"

#include "clock.h"
#include "error.h"
#include "registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool plan_try(drua_plan *plan, drua_status status)
{
    if (plan->status == DRUA_OK)
        plan->status = status;
    return plan->status == DRUA_OK;
}

static void fail_plan(drua_plan *plan, drua_status status, const char *format, va_list arguments)
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
    fail_plan(plan, DRUA_E_ARGUMENT, format, arguments);
    va_end(arguments);
}

void plan_fail_unsupported(drua_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_plan(plan, DRUA_E_UNSUPPORTED, format, arguments);
    va_end(arguments);
}

void plan_add_message(drua_plan *plan, const char *format, ...)
{
    enum { LENGTH = 512 };
    char text[LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    drua_text_add(&plan->engine->lines, "%s: %s\n", plan->op->name, text);
}

void plan_fail_memory(drua_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_plan(plan, DRUA_E_MEMORY, format, arguments);
    va_end(arguments);
}

bool plan_failed(const drua_plan *plan)
{
    return plan->status != DRUA_OK;
}

void plan_locate_failure(drua_plan *plan, const char *where)
{
    if (plan->status == DRUA_E_ARGUMENT)
        drua_error_prefix(where, 0);
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

void plan_check_same_extent(drua_plan *plan, const char *image, const char *other)
{
    const drua_shape a = plan_shape(plan, image), b = plan_shape(plan, other);
    if (!drua_shape_is_same_size(a, b))
        plan_fail(
            plan,
            "%s has %lld x %lld x %lld pixels and %s %lld x %lld x %lld; both must have the same size, so crop or "
            "scale one of them",
            image, (long long)a.width, (long long)a.height, (long long)a.depth, other, (long long)b.width,
            (long long)b.height, (long long)b.depth);
}

drua_shape plan_written(const drua_plan *plan, size_t i)
{
    return plan->op->traits & DRUA_SOURCE_EXTENT ? plan->outputs[i].natural : plan->outputs[i].shape;
}

drua_shape plan_whole_shape(drua_plan *plan, const char *image, int64_t origin[3])
{
    const drua_call_tile *tile = plan->tile;
    const int i = plan_find(plan, image);
    const drua_shape own = plan_shape(plan, image);
    origin[0] = origin[1] = origin[2] = 0;
    if (!tile)
        return own;
    const bool is_output = plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT;
    const drua_shape whole = is_output ? plan_written(tile->whole, (size_t)i) : tile->whole->bound[i].value->shape;
    for (int axis = 0; axis < 3; axis++)
        if (whole.extent[axis] != own.extent[axis])
            origin[axis] = is_output ? tile->tile->made.first[axis] : tile->tile->read.first[axis];
    return whole;
}

bool plan_is_beyond_source(drua_plan *plan, const int64_t step[3])
{
    int64_t source[3], part[3];
    plan_whole_shape(plan, "source", source);
    plan_whole_shape(plan, "destination", part);
    return part[0] * step[0] > source[0] || part[1] * step[1] > source[1] || part[2] * step[2] > source[2];
}

drua_type plan_type(drua_plan *plan, const char *image)
{
    int i = plan_find(plan, image);
    const drua_bound *bound = &plan->bound[i];
    return bound->result ? bound->result->type : bound->value ? bound->value->type : plan->outputs[i].type;
}

int64_t plan_max_countable_pixels(const drua_plan *plan)
{
    return plan->engine->settings.max_counted;
}

const drua_device_info *plan_device(drua_plan *plan)
{
    return drua_device_get_info(plan->engine->device);
}

int plan_lanes(drua_plan *plan)
{
    return drua_device_lanes(plan->engine->device);
}

const drua_statistics *plan_statistics(drua_plan *plan)
{
    return drua_device_statistics(plan->engine->device);
}

size_t plan_first_output(const drua_op *op)
{
    size_t i = 0;
    while (op->params[i].kind != DRUA_KIND_IMAGE_OUT && op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
        i++;
    return i;
}

/* ---- long calls */

double plan_seconds(void)
{
    return drua_seconds();
}

void plan_progress(drua_plan *plan, double fraction)
{
    if (plan->status == DRUA_OK)
        drua_device_report(plan->engine->device, fraction);
}

void plan_keep_partial(drua_plan *plan)
{
    if (plan->status == DRUA_OK)
        drua_device_forbid_cancel();
}

bool plan_is_stopped(drua_plan *plan)
{
    return drua_device_wants_stop(plan->engine->device);
}
