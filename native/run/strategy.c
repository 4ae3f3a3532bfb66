/* SPDX-License-Identifier: BSD-3-Clause */
#include "strategy.h"

#include "deferred.h"
#include "pending.h"
#include "tiled.h"
#include "whole.h"

#include <string.h>

static bool copies_wide_integers(const drua_plan *plan)
{
    const drua_type type = plan->outputs[plan_first_output(plan->op)].type;
    return drua_type_is_wide_integer(type) && plan->bound[plan->first_image].value->type == type;
}

/* Returns whether float32 rounds pixels of an input, or a number. */
static bool reads_wide_numbers(const drua_plan *plan)
{
    bool wide = false;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_kind kind = plan->op->params[i].kind;
        const double number = plan->bound[i].number;
        wide |= kind == DRUA_KIND_IMAGE_IN && drua_type_is_wide_integer(plan->bound[i].value->type);
        wide |= kind == DRUA_KIND_NUMBER && (double)(float)number != number;
    }
    return wide;
}

/*
 * Chains compute in float32, which rounds 32-bit integers. A call of an operation that can also run without rounding is
 * then not a step of a chain.
 */
static bool is_recorded(const drua_plan *plan)
{
    const drua_op *op = plan->op;
    return op->expression && !(op->launch && (op->view ? copies_wide_integers(plan) : reads_wide_numbers(plan)));
}

/* ---- views: the result shares the source's memory */

/* A view is used if the result is a new image, or replaces one of exactly its shape and type. */
static bool is_view(const drua_plan *plan)
{
    if (!plan->op->view || plan->tile)
        return false;
    const size_t i = plan_first_output(plan->op);
    const drua_value *old = plan->bound[i].value, *source = plan->bound[plan->first_image].value;
    if (plan->outputs[i].type != source->type ||
        (old && !drua_shape_is_same_size(old->shape, plan->outputs[i].natural)))
        return false;
    return !is_recorded(plan) || source->buffer;
}

static bool run_view(drua_plan *plan)
{
    return !plan_try(plan, drua_value_materialize(plan->engine, plan->bound[plan->first_image].value)) ||
           plan->op->view(plan);
}

/* ---- recorded: pointwise operations stay pending */

static bool run_recorded(drua_plan *plan)
{
    const drua_op *op = plan->op;
    drua_value *inputs[DRUA_NODE_INPUTS];
    float scalars[DRUA_NODE_SCALARS] = {0};
    int input_count = 0, scalar_count = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        drua_kind kind = op->params[i].kind;
        if (kind == DRUA_KIND_IMAGE_IN || kind == DRUA_KIND_IMAGE_INOUT)
            inputs[input_count++] = plan->bound[i].value;
        else if (kind == DRUA_KIND_NUMBER || kind == DRUA_KIND_INTEGER || kind == DRUA_KIND_BOOLEAN)
            scalars[scalar_count++] = (float)plan->bound[i].number;
    }
    while (input_count > 0 && !drua_op_mentions(op, (char)('a' + input_count - 1)))
        input_count--;
    size_t i = plan_first_output(op);
    const drua_pointwise work = {op, plan_written(plan, i), plan->outputs[i].type, inputs, input_count, scalars};
    drua_value *value = NULL;
    if (!plan->tile) /* in a tile, the same pending work would have other positions */
        value = drua_chain_find(plan->engine, &work);
    if (value)
        drua_value_retain(value);
    else if (!plan_try(plan, drua_value_record(plan->engine, &work, &value)))
        return true;
    plan->bound[i].result = value;
    value->in_tile = plan->scope.in_tile;
    if (plan->tile)
        memcpy(value->origin, plan->tile->tile->made.first, sizeof value->origin);
    if (!plan->engine->settings.fuse || plan->engine->eager || value->node->depth >= DRUA_CHAIN_STEPS)
        plan_try(plan, drua_value_materialize(plan->engine, value));
    drua_limit_pending(plan);
    return true;
}

/* ---- composite: other operations */

static bool is_composite(const drua_plan *plan)
{
    return plan->op->build;
}

static bool run_composite(drua_plan *plan)
{
    plan->op->build(plan);
    return true;
}

/* ---- deferred: operations with separate kernels */

static bool run_deferred(drua_plan *plan)
{
    drua_defer(plan);
    return true;
}

static bool has_kernels(const drua_plan *plan)
{
    return !is_recorded(plan) && !plan->op->build && plan->op->launch;
}

static bool run_whole(drua_plan *plan)
{
    drua_send_whole(plan);
    return true;
}

static bool is_tiled(const drua_plan *plan)
{
    return has_kernels(plan) && drua_can_tile(plan);
}

/* Refuses tiles that mostly compute halos, if the operation has another strategy for large images. */
static bool run_tiled(drua_plan *plan)
{
    plan->economical = plan->op->build_large;
    plan->status = drua_run_tiled(plan);
    return true;
}

static bool is_large(const drua_plan *plan)
{
    return has_kernels(plan) && plan->op->build_large && !plan->scope.in_tile;
}

static bool run_large(drua_plan *plan)
{
    plan->op->build_large(plan);
    return true;
}

static bool is_tiled_at_any_cost(const drua_plan *plan)
{
    return is_large(plan) && is_tiled(plan);
}

static bool run_tiled_at_any_cost(drua_plan *plan)
{
    plan->economical = false;
    plan->status = drua_run_tiled(plan);
    return true;
}

static const drua_strategy strategies[] = {
    {"view", is_view, run_view},
    {"recorded", is_recorded, run_recorded},
    {"composite", is_composite, run_composite},
    {"deferred", drua_can_defer, run_deferred},
    {"fused", drua_can_fuse, drua_send_fused},
    {"whole", has_kernels, run_whole},
    {"tiled", is_tiled, run_tiled},
    {"large", is_large, run_large},
    {"tiled at any cost", is_tiled_at_any_cost, run_tiled_at_any_cost},
    {NULL, NULL, NULL},
};

static const drua_strategy *find_strategy(const char *name)
{
    const drua_strategy *s = strategies;
    while (s->name && (!name || strcmp(s->name, name)))
        s++;
    return s;
}

/*
 * Frees the results of a strategy that ran out of memory, then runs this one. Returns false if the next strategy should
 * be tried.
 */
static bool try_strategy(drua_plan *plan, const drua_strategy *s)
{
    if (plan->status == DRUA_E_MEMORY) {
        plan_drop_results(plan);
        plan_free(plan);
        plan->status = DRUA_OK;
    }
    plan->strategy = s->name;
    return s->run(plan) && plan->status != DRUA_E_MEMORY;
}

void drua_run_strategies(drua_plan *plan, const char *first)
{
    const drua_strategy *requested = find_strategy(plan->engine->settings.strategy), *s = find_strategy(first);
    if (requested->name && requested >= s && requested->applies(plan) && try_strategy(plan, requested))
        return;
    for (; s->name; s++)
        if (s != requested && s->applies(plan) && try_strategy(plan, s))
            return;
}
