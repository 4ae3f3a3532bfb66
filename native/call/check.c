/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the arguments of a call and infers the shapes and types of its results. */
#include "call_parts.h"
#include "host_work.h"

static void check_number(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    if (!bound->is_set)
        bound->number = param->default_value;
    if (isnan(bound->number))
        plan_fail(plan, "%s must be a number, got text or NaN; pass a number%s%s", param->name,
                  param->unit ? " in " : "", param->unit ? param->unit : "");
    else
        plan_fit_number(plan, param, bound);
    if (param->has_range && (bound->number < param->minimum || bound->number > param->maximum))
        plan_fail(plan, "%s must be %.10g to %.10g%s%s, got %.10g", param->name, param->minimum, param->maximum,
                  param->unit ? " " : "", param->unit ? param->unit : "", bound->number);
    if (param->only)
        plan_fit_only(plan, param, bound);
}

static bool is_path(const drua_plan *plan, size_t i, bool written)
{
    const drua_param *param = &plan->op->params[i];
    return param->kind == DRUA_KIND_PATH && param->written == written && *plan->bound[i].text;
}

/* Fails if a file that the call writes is one that it reads. */
static void keep_inputs(drua_plan *plan)
{
    for (size_t out = 0; out < plan->op->param_count && plan->status == DRUA_OK; out++)
        for (size_t in = 0; is_path(plan, out, true) && in < plan->op->param_count; in++)
            if (is_path(plan, in, false))
                plan_keep_input(plan, plan->bound[out].text, plan->bound[in].text);
}

void plan_check(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++) {
        const drua_param *param = &plan->op->params[i];
        drua_bound *bound = &plan->bound[i];
        if (param->kind == DRUA_KIND_NUMBER || param->kind == DRUA_KIND_INTEGER || param->kind == DRUA_KIND_BOOLEAN) {
            check_number(plan, param, bound);
        } else if (drua_kind_is_text(param->kind)) {
            if (!bound->is_set || !bound->text)
                bound->text = param->default_text;
            if (!bound->text)
                plan_fail(plan, "%s is missing; pass %s", param->name, param->doc);
            else if (param->kind == DRUA_KIND_CHOICE)
                plan_fit_choice(plan, param, bound);
            else if (param->settings)
                plan_check_settings(plan, param, bound->text);
        } else if (param->kind == DRUA_KIND_IMAGE_IN || param->kind == DRUA_KIND_IMAGE_INOUT) {
            if (!bound->value)
                plan_fail(plan, "%s is missing; pass %s", param->name, param->doc);
            else if (plan->first_image < 0)
                plan->first_image = (int)i;
        } else if ((param->kind == DRUA_KIND_ARRAY_IN && !bound->array && bound->length) ||
                   (param->kind == DRUA_KIND_IMAGES && !bound->names)) {
            plan_fail(plan, "%s is missing; pass %s", param->name, param->doc);
        }
    }
    if (plan->status == DRUA_OK)
        keep_inputs(plan);
}

/* ---- shapes and types */

static void check_shape(drua_plan *plan, const drua_param *param, drua_shape shape)
{
    for (int i = 0; i < 3; i++)
        if (shape.extent[i] < 1 || shape.extent[i] > INT32_MAX)
            plan_fail(plan, "%s would be %lld x %lld x %lld pixels; every extent must be 1 to 2147483647", param->name,
                      (long long)shape.width, (long long)shape.height, (long long)shape.depth);
    if (plan->status == DRUA_OK && !drua_shape_is_countable(shape))
        plan_fail(plan, "%s would be %lld x %lld x %lld pixels, more than any device can hold; use a smaller image",
                  param->name, (long long)shape.width, (long long)shape.height, (long long)shape.depth);
}

void plan_infer(drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    drua_bound *bound = &plan->bound[i];
    const drua_value *first = plan->first_image < 0 ? NULL : plan->bound[plan->first_image].value;
    drua_output *out = &plan->outputs[i];
    if (first)
        out->natural = first->shape;
    if (plan->tile && param->kind == DRUA_KIND_IMAGE_OUT) {
        const drua_box *made = &plan->tile->tile->made;
        out->natural = plan_written(plan->tile->whole, i);
        for (int axis = 0; axis < 3; axis++)
            if (plan->tile->tiling->cuts[axis])
                out->natural.extent[axis] = made->end[axis] - made->first[axis];
    } else if (param->shape) {
        param->shape(plan, &out->natural);
    }
    if (plan->status != DRUA_OK)
        return;
    bound->natural = out->natural;
    if (bound->value) {
        out->type = bound->value->type;
        out->shape = bound->value->shape;
        return;
    }
    check_shape(plan, param, out->natural);
    out->shape = out->natural;
    if (bound->type)
        out->type = bound->type;
    else if (bound->type_of_source && first)
        out->type = first->type;
    else if (param->type_rule)
        out->type = param->type_rule(plan);
    else if (param->type)
        out->type = param->type;
    else
        out->type = first ? first->type : DRUA_FLOAT32;
}
