/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that consist of calls of other operations. */
#include "recorded_calls.h"
#include "plan_devices.h"

#include "call_parts.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"
#include "table.h"

#include <string.h>

drua_operand plan_operand(drua_plan *plan, const char *image)
{
    return (drua_operand){.image = plan->bound[plan_find(plan, image)].value};
}

/* Binds the operands to the inputs of `op`, in order. */
static void bind_operands(const drua_op *op, drua_bound *bound, const drua_operand *operands, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        if (drua_kind_is_output(op->params[i].kind) || next == count)
            continue;
        bound[i].is_set = true;
        bound[i].value = operands[next].image;
        bound[i].number = operands[next].number;
        bound[i].text = operands[next].text;
        next++;
    }
}

/* The image that another call returned, held until the composite ends. */
static drua_operand hold_value(drua_plan *plan, drua_value *value)
{
    drua_held *entry = value ? plan_hold(plan) : NULL;
    if (entry)
        entry->value = value;
    else
        drua_value_release(plan->engine, value);
    return (drua_operand){.image = entry ? value : NULL};
}

/* The numbers that the caller wants from a call. */
typedef struct wanted_numbers {
    double *numbers;
    size_t count;
} wanted_numbers;

/*
 * Adds the arguments to `request` and runs the call. Returns its first output of this kind; `output` has the existing
 * image and the type for it. Stores as many number outputs as `more` wants, from that output on.
 */
static drua_bound call_op(drua_plan *plan, drua_request request, drua_kind kind, drua_bound output,
                          const drua_operand *operands, size_t count, wanted_numbers more)
{
    const drua_op *op = request.op;
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    if (plan->status != DRUA_OK)
        return (drua_bound){0};
    bind_operands(op, bound, operands, count);
    size_t out = 0;
    while (out < op->param_count && op->params[out].kind != kind)
        out++;
    if (out == op->param_count) {
        plan->status = drua_fail(DRUA_E_INTERNAL, "%s has no such result", op->name);
        return (drua_bound){0};
    }
    bound[out].value = output.value;
    bound[out].type = output.type;
    drua_table *table = NULL;
    request.bound = bound;
    request.table = &table;
    request.scope = plan->scope;
    plan_try(plan, plan->engine->executor->call(plan->engine, &request));
    for (size_t i = 0; i < op->param_count; i++) {
        drua_free(bound[i].text_result);
        if (i != out)
            drua_value_release(plan->engine, bound[i].result);
        if (more.count > 0 && i >= out && op->params[i].kind == DRUA_KIND_NUMBER_OUT) {
            *more.numbers++ = bound[i].number_result;
            more.count--;
        }
    }
    drua_table_discard(table);
    return bound[out];
}

static drua_bound call_operation(drua_plan *plan, const char *name, drua_kind kind, drua_bound output,
                                 const drua_operand *operands, size_t count, wanted_numbers more)
{
    const drua_op *op = drua_find_op(name);
    if (op && op->param_count <= DRUA_PLAN_PARAMS)
        return call_op(plan, (drua_request){.op = op}, kind, output, operands, count, more);
    if (plan->status == DRUA_OK)
        plan->status = drua_fail(DRUA_E_INTERNAL, "there is no operation %s", name);
    return (drua_bound){0};
}

void plan_call_numbers(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count,
                       double *numbers, size_t wanted)
{
    memset(numbers, 0, wanted * sizeof *numbers);
    call_operation(plan, operation, DRUA_KIND_NUMBER_OUT, (drua_bound){0}, operands, count,
                   (wanted_numbers){numbers, wanted});
}

double plan_call_number(drua_plan *plan, const char *operation, const drua_operand *operands, size_t count)
{
    double number;
    plan_call_numbers(plan, operation, operands, count, &number, 1);
    return number;
}

drua_operand plan_call(drua_plan *plan, const char *operation, drua_type type, const drua_operand *operands,
                       size_t count)
{
    return hold_value(plan, call_operation(plan, operation, DRUA_KIND_IMAGE_OUT, (drua_bound){.type = type}, operands,
                                           count, (wanted_numbers){0})
                                .result);
}

drua_operand plan_call_on_devices(drua_plan *plan, const drua_op *op, const char *devices, void *state, drua_type type,
                                  const drua_operand *operands, size_t count)
{
    drua_op named = *op;
    named.name = plan->op->name;
    const drua_request request = {.op = &named, .state = state, .devices = devices};
    return hold_value(plan, call_op(plan, request, DRUA_KIND_IMAGE_OUT, (drua_bound){.type = type}, operands, count,
                                    (wanted_numbers){0})
                                .result);
}

drua_operand plan_call_private(drua_plan *plan, const drua_op *op, void *state, drua_type type,
                               const drua_operand *operands, size_t count)
{
    return plan_call_on_devices(plan, op, NULL, state, type, operands, count);
}

drua_operand plan_call_recorded(drua_plan *plan, const drua_op *op, drua_type type, const drua_operand *operands,
                                size_t count)
{
    return hold_value(plan, call_op(plan, (drua_request){.op = op, .lasting = true}, DRUA_KIND_IMAGE_OUT,
                                    (drua_bound){.type = type}, operands, count, (wanted_numbers){0})
                                .result);
}

bool plan_is_trial(const drua_plan *plan)
{
    return plan->tile && plan->tile->is_trial;
}

void plan_check_devices(drua_plan *plan, const char *devices)
{
    drua_device_choice choice;
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_device_choose(devices, drua_device_get_info(plan->engine->device), &choice));
}

bool plan_serves_alone(drua_plan *plan, const char *devices)
{
    drua_device_choice choice;
    if (!*devices || plan->status != DRUA_OK)
        return true;
    return plan_try(plan, drua_device_choose(devices, drua_device_get_info(plan->engine->device), &choice)) &&
           choice.has_own && !choice.count;
}

void plan_spread(drua_plan *plan, drua_spread *work, double from)
{
    if (plan->status == DRUA_OK)
        plan_try(plan, plan->engine->executor->spread(plan, work, from));
}

void *plan_state(drua_plan *plan)
{
    return plan->state;
}

drua_shape plan_operand_shape(drua_plan *plan, drua_operand operand)
{
    return plan->status == DRUA_OK && operand.image ? operand.image->shape : (drua_shape){.dimension = 2};
}

drua_view plan_operand_image(drua_plan *plan, drua_operand operand)
{
    const bool ready =
        plan->status == DRUA_OK && operand.image && plan_try(plan, drua_value_materialize(plan->engine, operand.image));
    return ready ? drua_value_view(operand.image) : plan_without_memory(operand.image);
}

void plan_release_image(drua_plan *plan, drua_operand operand)
{
    for (drua_held *entry = plan->held; entry; entry = entry->next)
        if (operand.image && entry->value == operand.image) {
            drua_value_release(plan->engine, entry->value);
            entry->value = NULL;
        }
}

void plan_return(drua_plan *plan, const char *output_name, drua_operand result)
{
    int i = plan_find(plan, output_name);
    drua_bound *out = &plan->bound[i];
    if (plan->status != DRUA_OK)
        return;
    drua_shape has = result.image->shape, wanted = plan->outputs[i].shape;
    bool fits = has.width == wanted.width && has.height == wanted.height && has.depth == wanted.depth;
    if (fits && has.dimension == wanted.dimension && result.image->type == plan->outputs[i].type) {
        drua_value_retain(result.image);
        out->result = result.image;
    } else {
        out->result = call_operation(plan, "copy", DRUA_KIND_IMAGE_OUT,
                                     (drua_bound){.value = out->value, .type = plan->outputs[i].type}, &result, 1,
                                     (wanted_numbers){0})
                          .result;
    }
}

int64_t plan_frame(drua_plan *plan, int64_t *frames)
{
    plan->asks_frame = true;
    *frames = plan->frames;
    return plan->frame;
}
