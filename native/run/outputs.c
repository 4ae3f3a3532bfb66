/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs.h"

/* Returns whether this call also reads the value that it overwrites. */
static bool is_read(const drua_plan *plan, const drua_value *value)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN && plan->bound[i].value == value)
            return true;
    return false;
}

bool drua_may_change(const drua_plan *plan, const drua_value *value)
{
    return value->references == 1 && !drua_buffer_is_shared(value->buffer) && !is_read(plan, value);
}

/* A value without pixels, or NULL after a failure. */
static drua_value *new_value(drua_plan *plan, drua_shape shape, drua_type type)
{
    drua_value *value = drua_value_new(shape, type);
    if (value)
        value->in_tile = plan->scope.in_tile;
    else
        plan->status = DRUA_E_MEMORY;
    return value;
}

/* Allocates an output, on the host if the device cannot hold it and the operation only copies. */
static drua_status allocate_output(drua_plan *plan, drua_value *value)
{
    drua_device *device = plan->engine->device;
    const uint64_t bytes = drua_value_bytes(value);
    if (!(plan->op->traits & DRUA_COPIES) || drua_device_holds(device, bytes))
        return drua_value_allocate(plan->engine, value);
    return drua_buffer_make_on_host(device, bytes, &value->buffer);
}

/*
 * Returns a resident value with the pixels of `old` that may be written: `old` itself if it may be changed and
 * `in_place` is set, otherwise a copy.
 */
static void make_writable(drua_plan *plan, drua_value *old, bool in_place, drua_value **writable)
{
    drua_engine *engine = plan->engine;
    if (!plan_try(plan, drua_value_materialize(engine, old)))
        return;
    if (in_place && drua_may_change(plan, old)) {
        drua_value_retain(old);
        drua_device_forbid_cancel();
        old->has_largest_label = false;
        *writable = old;
        return;
    }
    drua_value *copy = new_value(plan, old->shape, old->type);
    if (!copy)
        return;
    if (plan_try(plan, allocate_output(plan, copy)) &&
        plan_try(plan, drua_copy_region(engine, drua_value_view(old), drua_value_view(copy), 0, 0, 0)))
        *writable = copy;
    else
        drua_value_release(engine, copy);
}

/* Copies the operation's result over an existing image of another size. */
static void lay_over(drua_plan *plan, drua_value *old, bool in_place, drua_value **made)
{
    drua_value *base = NULL;
    make_writable(plan, old, in_place, &base);
    if (base && plan_try(plan, drua_value_materialize(plan->engine, *made)) &&
        plan_try(plan, drua_copy_region(plan->engine, drua_value_view(*made), drua_value_view(base), 0, 0, 0))) {
        drua_value_release(plan->engine, *made);
        *made = base;
    } else {
        drua_value_release(plan->engine, base);
    }
}

static bool lies_over(const drua_plan *plan, size_t i)
{
    const drua_value *made = plan->bound[i].result, *old = plan->bound[i].value;
    return plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT && made && old && made != old &&
           !drua_shape_is_same_size(made->shape, old->shape);
}

void drua_finish_outputs(drua_plan *plan)
{
    int count = 0;
    for (size_t i = 0; i < plan->op->param_count; i++)
        count += lies_over(plan, i);
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (lies_over(plan, i))
            lay_over(plan, plan->bound[i].value, count == 1, &plan->bound[i].result);
}

/* Whether the call leaves the image unchanged under each of its names. */
static bool is_only_read(drua_plan *plan, size_t i)
{
    const drua_op *op = plan->op;
    const drua_name *names = NULL;
    size_t count = 0;
    bool listed = false, read = true;
    for (size_t k = 0; k < op->param_count && op->only_reads; k++)
        if (op->params[k].kind == DRUA_KIND_IMAGES) {
            names = plan->bound[k].names;
            count = plan->bound[k].length;
        }
    for (size_t k = 0; k < count; k++)
        if (names[k].param == (int)i) {
            listed = true;
            read = read && op->only_reads(plan, names[k].text);
        }
    return op->only_reads && read && (listed || op->only_reads(plan, op->params[i].name));
}

static void make_output(drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    drua_bound *bound = &plan->bound[i];
    if (param->replaces)
        return;
    if (param->kind == DRUA_KIND_IMAGE_INOUT && is_only_read(plan, i)) {
        plan_try(plan, drua_value_materialize(plan->engine, bound->value));
        return;
    }
    bool keeps_old_pixels = param->kind == DRUA_KIND_IMAGE_INOUT || (param->partial && bound->value);
    if (keeps_old_pixels) {
        make_writable(plan, bound->value, true, &bound->result);
        return;
    }
    /* an existing image may be larger than the operation's result, and no pixel may keep undefined memory */
    const bool clears = param->partial || !drua_shape_is_same_size(plan_written(plan, i), plan->outputs[i].natural);
    bound->result = new_value(plan, plan_written(plan, i), plan->outputs[i].type);
    if (!bound->result)
        return;
    if (plan_is_on_host(plan, param, bound->result))
        plan_try(plan, drua_buffer_make_on_host(plan->engine->device, drua_value_bytes(bound->result),
                                                &bound->result->buffer));
    else if (plan_try(plan, allocate_output(plan, bound->result)) && clears)
        plan_clear(plan, drua_value_view(bound->result));
}

void drua_make_outputs(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT || plan->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            make_output(plan, i);
}
