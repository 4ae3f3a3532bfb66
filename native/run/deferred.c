/* SPDX-License-Identifier: BSD-3-Clause */
#include "deferred.h"

#include "alloc.h"
#include "error.h"
#include "pending.h"

#include <string.h>

/*
 * Returns whether a call can be deferred: a compiled kernel may take a chain, and all errors in the arguments have been
 * found. Larger numbers than MAX_NUMBER may be radii, whose limits only the launch checks. For few pixels, a separate
 * pass costs less than a delayed start.
 */
bool drua_can_defer(const drua_plan *plan)
{
    enum { MAX_NUMBER = 100 };
    const drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const drua_compile_policy policy = engine->settings.compile;
    if (op->expression || op->build || plan->state || !(op->traits & DRUA_EPILOGUE) || !engine->settings.fuse ||
        engine->eager || plan->scope.in_tile || policy == DRUA_COMPILE_NEVER ||
        !drua_device_get_info(engine->device)->is_gpu)
        return false;
    for (size_t i = 0; i < op->param_count; i++)
        if (!drua_kind_is_image(op->params[i].kind) && plan->bound[i].number > MAX_NUMBER)
            return false;
    const drua_output *out = &plan->outputs[plan_first_output(op)];
    const drua_layout l = drua_layout_dense(out->natural, out->type);
    return drua_shape_is_same_size(out->natural, out->shape) &&
           (policy == DRUA_COMPILE_AT_ONCE || drua_layout_count(&l) >= DRUA_WORTHWHILE_PIXELS);
}

/* Whether the deferred call is this one, on the same images. */
static bool is_deferred_already(const drua_plan *plan)
{
    const drua_op *op = plan->op;
    const drua_value *deferred = plan->engine->deferred;
    const drua_output *out = &plan->outputs[plan_first_output(op)];
    int input = 0;
    bool same = deferred && deferred->node->op == op && deferred->type == out->type &&
                drua_shape_is_same_size(deferred->shape, out->shape) &&
                deferred->shape.dimension == out->shape.dimension;
    for (size_t i = 0; i < op->param_count && same; i++) {
        const drua_bound *now = &plan->bound[i];
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN)
            same = drua_value_is_same(deferred->node->inputs[input++], now->value);
        else if (!drua_kind_is_image(op->params[i].kind))
            same = deferred->node->call[i].number == now->number && !now->text && !now->array;
    }
    return same;
}

/* Defers the call. Its first image may remain pending pointwise work. */
void drua_defer(drua_plan *plan)
{
    drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const size_t out = plan_first_output(op);
    drua_value *inputs[DRUA_NODE_INPUTS], *value;
    int count = 0;
    if (is_deferred_already(plan)) {
        drua_value_retain(engine->deferred);
        plan->bound[out].result = engine->deferred;
        return;
    }
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN) {
            inputs[count++] = plan->bound[i].value;
            if (!(op->traits & (DRUA_PROLOGUE | DRUA_PROLOGUE_FLOATS)) || count > 1)
                plan_try(plan, drua_value_materialize(engine, plan->bound[i].value));
            else if (engine->deferred && drua_chain_depends_on(plan->bound[i].value, engine->deferred))
                plan_try(plan, drua_value_materialize(engine, plan->bound[i].value));
        }
    if (plan->status != DRUA_OK || !plan_try(plan, drua_deferred_send(engine)))
        return;
    drua_bound *call = drua_alloc(op->param_count * sizeof *call);
    if (!call) {
        plan->status = drua_fail_memory(op->param_count * sizeof *call);
        return;
    }
    const drua_pointwise work = {op, plan->outputs[out].shape, plan->outputs[out].type, inputs, count, NULL};
    if (!plan_try(plan, drua_value_record(engine, &work, &value))) {
        drua_free(call);
        return;
    }
    memcpy(call, plan->bound, op->param_count * sizeof *call);
    call[out].value = call[out].result = NULL;
    call[out].type = plan->outputs[out].type;
    value->node->call = call;
    value->node->depth = 0;
    engine->deferred = value;
    plan->bound[out].result = value;
    drua_limit_pending(plan);
}

drua_status drua_reserve_prologue(drua_plan *plan, drua_value *root, bool floats, drua_chain *c, bool *reserved)
{
    drua_engine *engine = plan->engine;
    drua_step steps[DRUA_CHAIN_STEPS] = {{0}};
    *reserved = false;
    if (root->buffer || drua_value_is_deferred(root) || root->readers > 1 ||
        (plan->siblings && root->references > root->readers))
        return DRUA_OK;
    for (drua_value *input; root->node && (input = drua_chain_blocking(engine, root)) != NULL;)
        DRUA_TRY(drua_value_materialize_with(engine, input, plan->siblings));
    *reserved = root->node && drua_chain_form(engine, root, false, c, steps) && c->output_count == 1 &&
                !drua_chain_deferred_input(c) && drua_chain_can_fuse(engine, c);
    for (int k = 0; *reserved && floats && k < c->step_count; k++)
        *reserved = c->values[k]->type == DRUA_FLOAT32;
    return *reserved ? drua_chain_allocate(engine, c) : DRUA_OK;
}

/* ---- later */

/*
 * Sends the newest image that is still held and depends on the deferred result through pointwise work, or else the
 * result.
 */
drua_status drua_deferred_send(drua_engine *engine)
{
    drua_value *deferred = engine->deferred;
    for (drua_value *value = engine->pending; deferred && value; value = value->next)
        if (value != deferred && value->references > value->readers && drua_chain_depends_on(value, deferred))
            return drua_value_materialize(engine, value);
    return deferred && deferred->references > deferred->readers ? drua_value_materialize(engine, deferred) : DRUA_OK;
}

drua_status drua_deferred_send_below(drua_engine *engine, drua_value *value)
{
    for (drua_value *deferred; (deferred = drua_chain_find_deferred(value)) != NULL;)
        DRUA_TRY(drua_value_materialize(engine, deferred));
    return DRUA_OK;
}
