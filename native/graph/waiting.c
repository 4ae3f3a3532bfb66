/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that wait for pointwise operations to follow them, so that those run in their launches. */
#include "slabs.h"

#include "alloc.h"
#include "around.h"
#include "error.h"

#include <string.h>

enum { ENOUGH_PIXELS = 1 << 20 };

/*
 * Only where a compiled kernel may take a chain, and where all that can be wrong with the arguments is found by now: windows of
 * larger radii have limits of their own. On few pixels a pass of its own costs less than work that begins later.
 */
bool plan_may_wait(const drua_plan *plan)
{
    enum { MOST_NUMBER = 100 };
    const drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const drua_when when = drua_when_to_compile();
    if (!(op->traits & DRUA_CHAIN_AFTER) || !engine->fuse || engine->eager || engine->in_slabs || plan->part || when == DRUA_NEVER ||
        !drua_device_facts(engine->device)->is_gpu)
        return false;
    for (size_t i = 0; i < op->param_count; i++)
        if (!drua_kind_is_image(op->params[i].kind) && plan->bound[i].number > MOST_NUMBER)
            return false;
    const output *out = &plan->outputs[plan_first_output(op)];
    const drua_layout l = drua_layout_dense(out->natural, out->type);
    return drua_shape_is_same_size(out->natural, out->shape) && (when == DRUA_WHEN_SEEN || drua_layout_count(&l) >= ENOUGH_PIXELS);
}

/* Whether the call that waits is this one, on the same images. */
static bool waits_already(const drua_plan *plan)
{
    const drua_op *op = plan->op;
    const drua_value *waiting = plan->engine->waiting;
    const output *out = &plan->outputs[plan_first_output(op)];
    int input = 0;
    bool same = waiting && waiting->node->op == op && waiting->type == out->type && drua_shape_is_same_size(waiting->shape, out->shape) &&
                waiting->shape.dimension == out->shape.dimension;
    for (size_t i = 0; i < op->param_count && same; i++) {
        const drua_bound *now = &plan->bound[i];
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN)
            same = drua_value_is_same(waiting->node->inputs[input++], now->value);
        else if (!drua_kind_is_image(op->params[i].kind))
            same = waiting->node->call[i].number == now->number && !now->text && !now->array;
    }
    return same;
}

/* Its first image may stay a recipe of pointwise work. */
void plan_wait(drua_plan *plan)
{
    drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const size_t out = plan_first_output(op);
    drua_value *inputs[DRUA_NODE_INPUTS], *value;
    int count = 0;
    if (waits_already(plan)) {
        drua_value_retain(engine->waiting);
        plan->bound[out].result = engine->waiting;
        return;
    }
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN) {
            inputs[count++] = plan->bound[i].value;
            if (!(op->traits & (DRUA_CHAIN_BEFORE | DRUA_CHAIN_BEFORE_FLOATS)) || count > 1)
                plan_try(plan, drua_value_force(engine, plan->bound[i].value));
            else if (engine->waiting && drua_chain_reads(plan->bound[i].value, engine->waiting))
                plan_try(plan, drua_value_force(engine, plan->bound[i].value));
        }
    if (plan->status != DRUA_OK || !plan_try(plan, drua_graph_send_waiting(engine)))
        return;
    drua_bound *call = drua_alloc(op->param_count * sizeof *call);
    if (!call) {
        plan->status = drua_fail_memory(op->param_count * sizeof *call);
        return;
    }
    if (!plan_try(plan, drua_value_virtual(engine, op, plan->outputs[out].shape, plan->outputs[out].type, inputs, count, NULL, &value))) {
        drua_free(call);
        return;
    }
    memcpy(call, plan->bound, op->param_count * sizeof *call);
    call[out].value = call[out].result = NULL;
    call[out].type = plan->outputs[out].type;
    value->node->call = call;
    value->node->depth = 0;
    engine->waiting = value;
    plan->bound[out].result = value;
    plan_limit_window(plan);
}

/* Takes over what a call made. */
static void take(drua_engine *engine, drua_value *value, const drua_value *made)
{
    value->buffer = made->buffer;
    value->layout = made->layout;
    drua_buffer_retain(value->buffer);
    drua_value_forget_node(engine, value);
}

static void run_waiting(drua_plan *plan, drua_around *around)
{
    plan->around = around;
    plan_infer(plan, plan_first_output(plan->op));
    if (plan->status == DRUA_OK)
        plan_send(plan);
    plan->around = NULL;
    if (plan->status != DRUA_E_MEMORY)
        return;
    around->after_is_done = false;
    if (around->before && !around->is_filled)
        drua_chain_take_back(around->source);
    around->before = NULL;
    if (plan->op->large || drua_slabs_serve(plan))
        plan_send_in_parts(plan);
}

/*
 * What is read once need not go to memory and back. What is read again after all is computed twice, so only a chain that does so at the
 * rate of memory, and reads little more than is stored, goes along, and once. On processors, and on few pixels, none does.
 */
static bool may_go_along(const drua_plan *plan, const drua_value *source)
{
    const drua_engine *engine = plan->engine;
    const drua_when when = drua_when_to_compile();
    return (plan->op->traits & DRUA_CHAIN_BEFORE) && source->node && !source->node->was_read && engine->fuse && !engine->eager && !engine->in_slabs &&
           !plan->part && when != DRUA_NEVER && drua_device_facts(engine->device)->is_gpu &&
           drua_value_bytes(source) <= drua_device_memory_left(engine->device) / 2 &&
           (when == DRUA_WHEN_SEEN || drua_layout_count(&source->layout) >= ENOUGH_PIXELS);
}

static bool is_little_work(const drua_chain *c, const drua_value *made)
{
    return c->exact && drua_chain_bytes_read(c) <= 2 * drua_type_size(made->type);
}

void plan_send_after_chain(drua_plan *plan)
{
    drua_value *source = plan->first_image < 0 ? NULL : plan->bound[plan->first_image].value;
    drua_around around = {.source = source};
    drua_chain before;
    bool promised = false;
    if (source && may_go_along(plan, source)) {
        plan_try(plan, drua_graph_send_waiting(plan->engine));
        const drua_status status = plan->status == DRUA_OK ? drua_chain_promise(plan->engine, source, false, &before, &promised) : DRUA_OK;
        promised = promised && status == DRUA_OK;
        if (promised && !is_little_work(&before, source)) {
            drua_chain_take_back(source);
            promised = false;
        }
        if (status != DRUA_E_MEMORY)    /* what has no room as a whole may have it in parts, below too */
            plan_try(plan, status);
    }
    if (promised) {
        around.before = &before;
        plan->around = &around;
    }
    plan_send(plan);
    plan->around = NULL;
    if (promised && !around.is_filled)
        drua_chain_take_back(source);
    if (promised && plan->status == DRUA_E_MEMORY) {
        plan_drop_results(plan);
        plan_free(plan);
        plan->status = DRUA_OK;
        plan_send(plan);
    }
    if (around.before_is_done && source->node)
        source->node->was_read = true;
}

drua_status drua_call_send(drua_engine *engine, drua_value *value, drua_around *given)
{
    const drua_node *node = value->node;
    const drua_op *op = node->op;
    const int line = node->line;
    drua_bound bound[PLAN_PARAMS];
    drua_plan plan = {.engine = engine, .op = op, .bound = bound};
    drua_around none = {.after = NULL}, *around = given ? given : &none;
    drua_chain before;
    bool promised = false;
    if (engine->waiting == value)
        engine->waiting = NULL;
    memcpy(bound, node->call, op->param_count * sizeof *bound);
    while (op->params[plan.first_image].kind != DRUA_KIND_IMAGE_IN)
        plan.first_image++;
    if (op->traits & (DRUA_CHAIN_BEFORE | DRUA_CHAIN_BEFORE_FLOATS))
        DRUA_TRY(drua_chain_promise(engine, node->inputs[0], !(op->traits & DRUA_CHAIN_BEFORE), &before, &promised));
    if (promised) {
        around->before = &before;
        around->source = node->inputs[0];
    }
    run_waiting(&plan, around);
    if (around->before && !around->is_filled)
        drua_chain_take_back(around->source);
    const bool makes = plan.status == DRUA_OK && (!around->after_is_done || around->keeps);
    drua_value *made = bound[plan_first_output(op)].result;
    if (makes && plan_try(&plan, drua_value_force(engine, made)))       /* what was made in parts may be a recipe */
        take(engine, value, made);
    if (plan.status != DRUA_OK)
        drua_error_prefix(op->name, line);
    plan_free(&plan);
    plan_drop_results(&plan);
    return plan.status;
}

/* The newest image that somebody holds and that is made of it by pointwise work, else itself. */
drua_status drua_graph_send_waiting(drua_engine *engine)
{
    drua_value *waiting = engine->waiting;
    for (drua_value *value = engine->unsent; waiting && value; value = value->next)
        if (value != waiting && value->references > value->readers && drua_chain_reads(value, waiting))
            return drua_value_force(engine, value);
    return waiting && waiting->references > waiting->readers ? drua_value_force(engine, waiting) : DRUA_OK;
}
