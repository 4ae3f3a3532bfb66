/* SPDX-License-Identifier: BSD-3-Clause */
#include "work.h"

#include "alloc.h"
#include "error.h"
#include "outputs.h"
#include "tile_images.h"

#include <string.h>

void drua_extents_of(drua_shape shape, int64_t extent[3])
{
    extent[0] = shape.width;
    extent[1] = shape.height;
    extent[2] = shape.depth;
}

bool drua_is_image_output(const drua_param *param)
{
    return param->kind == DRUA_KIND_IMAGE_OUT || param->kind == DRUA_KIND_IMAGE_INOUT;
}

bool drua_stays_whole(const drua_work *w, size_t i)
{
    const drua_param *param = &w->plan->op->params[i];
    return param->kind != DRUA_KIND_IMAGE_IN || param->whole || (w->by_region && (int)i != w->plan->first_image);
}

bool drua_is_changed_image(const drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    return param->kind == DRUA_KIND_IMAGE_INOUT ||
           (param->kind == DRUA_KIND_IMAGE_OUT && param->partial && plan->bound[i].value);
}

bool drua_changes_an_image(const drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (drua_is_changed_image(plan, i))
            return true;
    return false;
}

drua_shape drua_cut_inputs_shape(const drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_param *param = &plan->op->params[i];
        if ((param->kind == DRUA_KIND_IMAGE_IN && !param->whole) || param->kind == DRUA_KIND_IMAGE_INOUT)
            return plan->bound[i].value->shape;
    }
    return plan->bound[plan->first_image].value->shape;
}

drua_shape drua_outputs_shape(const drua_plan *plan)
{
    size_t i = 0;
    while (!drua_is_image_output(&plan->op->params[i]))
        i++;
    return plan_written(plan, i);
}

/* ---- whole results */

drua_status drua_make_host_result(drua_work *w, size_t i, drua_shape shape, drua_type type)
{
    w->host_results[i] = drua_value_new(shape, type);
    return w->host_results[i] ? drua_buffer_make_on_host(w->engine->device, drua_value_bytes(w->host_results[i]),
                                                         &w->host_results[i]->buffer)
                              : DRUA_E_MEMORY;
}

/* Saves or restores the pixels of an image that the work may change, along the one axis that is cut. */
static void copy_before(const drua_work *w, size_t i, int axis, bool back)
{
    const drua_layout *l = &w->host_results[i]->layout;
    const size_t size = drua_type_size((drua_type)l->type), step = (size_t)l->stride[axis] * size;
    const size_t bytes = (size_t)(w->all.end[axis] - w->all.first[axis]) * step,
                 count = axis == 2 ? 1 : (size_t)l->depth;
    char *at = (char *)drua_buffer_host(w->host_results[i]->buffer) + (size_t)w->all.first[axis] * step,
         *kept = w->before[i];
    for (size_t z = 0; z < count; z++, at += (size_t)l->plane * size, kept += bytes)
        memcpy(back ? at : kept, back ? kept : at, bytes);
}

drua_status drua_make_changed_host_result(drua_work *w, size_t i, int axis, drua_value *old)
{
    drua_device_forbid_cancel();
    DRUA_TRY(drua_value_materialize(w->engine, old));
    if (drua_may_change(w->plan, old) && drua_layout_is_dense(&old->layout)) {
        const uint64_t bytes = drua_value_bytes(old) / (uint64_t)w->tiling.outputs[axis] *
                               (uint64_t)(w->all.end[axis] - w->all.first[axis]);
        DRUA_TRY(drua_buffer_move_to_host(old->buffer));
        if (!(w->before[i] = drua_alloc(bytes)))
            return drua_fail_memory(bytes);
        drua_value_retain(old);
        w->host_results[i] = old;
        copy_before(w, i, axis, false);
        old->has_largest_label = false;
        return DRUA_OK;
    }
    DRUA_TRY(drua_make_host_result(w, i, old->shape, old->type));
    DRUA_TRY(drua_copy_region(w->engine, drua_value_view(old), drua_value_view(w->host_results[i]), 0, 0, 0));
    return drua_buffer_move_to_host(w->host_results[i]->buffer);
}

void drua_drop_host_results(drua_work *w, int axis)
{
    for (size_t i = 0; i < DRUA_PLAN_PARAMS; i++) {
        if (w->before[i] && w->host_results[i])
            copy_before(w, i, axis, true);
        drua_free(w->before[i]);
        w->before[i] = NULL;
        drua_value_release(w->engine, w->host_results[i]);
        w->host_results[i] = NULL;
    }
}

void drua_hand_over_host_results(drua_work *w)
{
    for (size_t i = 0; i < w->plan->op->param_count; i++)
        if (w->host_results[i]) {
            w->plan->bound[i].result = w->host_results[i];
            w->host_results[i] = NULL;
        }
}

/* ---- one tile */

drua_scope drua_scope_of_tile(const drua_plan *whole)
{
    drua_scope scope = whole->scope;
    scope.in_tile = true;
    return scope;
}

drua_tile drua_tile_of(const drua_work *w, const drua_box *wanted)
{
    if (!w->by_region)
        return drua_tile_for(&w->tiling, wanted);
    drua_tile tile = {.wanted = *wanted, .made = *wanted};
    w->plan->op->region(w->plan, wanted, &tile.read);
    drua_box_clip(&tile.read, w->tiling.inputs);
    return tile;
}

drua_status drua_call_on_tile(drua_work *w, const drua_tile *tile, drua_substitutes *all, drua_value **results)
{
    const drua_plan *plan = w->plan;
    const drua_call_tile place = {plan, &w->tiling, tile, w->is_trial, w->tiling.parts.scratch};
    drua_bound bound[DRUA_PLAN_PARAMS];
    memcpy(bound, plan->bound, plan->op->param_count * sizeof *bound);
    for (size_t i = 0; i < plan->op->param_count; i++) {
        bound[i].result = NULL;
        bound[i].text_result = NULL;
        if (!drua_stays_whole(w, i)) {
            DRUA_TRY(
                drua_substitute(w->engine, plan->bound[i].value, &tile->read, w->tiling.inputs, all, &bound[i].value));
        } else if (drua_is_changed_image(plan, i)) {
            DRUA_TRY(drua_tile_of_host_result(w->engine, w->host_results[i], &tile->made, w->tiling.outputs, all,
                                              &bound[i].value));
        } else if (drua_is_image_output(&plan->op->params[i])) {
            bound[i].value = NULL;
            bound[i].type = plan->outputs[i].type;
        }
    }
    const drua_request request = {
        .op = plan->op, .bound = bound, .tile = &place, .state = plan->state, .scope = drua_scope_of_tile(plan)};
    DRUA_TRY(w->engine->executor->call(w->engine, &request));
    for (size_t i = 0; i < plan->op->param_count; i++)
        results[i] = bound[i].result;
    return DRUA_OK;
}
