/* SPDX-License-Identifier: BSD-3-Clause */
#include "whole.h"

#include "clock.h"
#include "deferred.h"
#include "outputs.h"
#include "record.h"

#include <stdio.h>

static void materialize_inputs(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            plan_try(plan, drua_value_materialize_with(plan->engine, plan->bound[i].value, plan->siblings));
}

static double image_bytes(const drua_plan *plan)
{
    double bytes = 0;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_value *value = plan->bound[i].result ? plan->bound[i].result : plan->bound[i].value;
        if (drua_kind_is_image(plan->op->params[i].kind) && value)
            bytes += (double)drua_value_bytes(value);
    }
    return bytes;
}

static void record_launches(const drua_plan *plan, uint64_t launches, double bytes, double seconds)
{
    const drua_fusion *fusion = plan->fusion;
    drua_record *record = drua_record_new(plan->engine);
    if (!record)
        return;
    drua_record_add(record, plan->op->name);
    /* a source that a later launch needed in memory has a separate record, and its chain no longer exists */
    if (fusion && fusion->prologue_is_done && !fusion->source_is_filled) {
        /* do not count the prologue's result, which is neither written nor read */
        drua_chain_describe(fusion->prologue, " after ", record);
        bytes += drua_chain_bytes(fusion->prologue) - 2 * (double)drua_value_bytes(fusion->source);
    }
    if (fusion && fusion->epilogue_is_done) { /* do not count the call's result either, unless it is kept */
        drua_chain_describe(fusion->epilogue, " with ", record);
        bytes += drua_chain_bytes(fusion->epilogue) -
                 (fusion->keeps_result ? 1 : 2) * (double)drua_value_bytes(fusion->result);
    }
    int used = snprintf(record->how, sizeof record->how, "%llu launch%s of its own kernels%s",
                        (unsigned long long)launches, launches == 1 ? "" : "es", plan->specialized ? ", compiled" : "");
    if (plan->choice.why && used > 0 && (size_t)used < sizeof record->how)
        used += snprintf(record->how + used, sizeof record->how - (size_t)used, " (%s %d of %d, %s)", plan->choice.kind,
                         plan->choice.variant, plan->choice.count, plan->choice.why);
    if (used > 0 && (size_t)used < sizeof record->how)
        snprintf(record->how + used, sizeof record->how - (size_t)used, ", %s", plan->tile ? "a tile" : plan->strategy);
    record->bytes = bytes;
    record->seconds = seconds;
}

void drua_send_whole(drua_plan *plan)
{
    drua_device *device = plan->engine->device;
    materialize_inputs(plan);
    if (plan->status == DRUA_OK && !plan->tile && !plan->fusion)
        plan_try(plan, drua_deferred_send(plan->engine));
    if (plan->status == DRUA_OK && drua_is_timed(plan->engine))
        plan_try(plan, drua_device_finish(device));
    const uint64_t launches = drua_device_statistics(device)->launches;
    const double start = drua_seconds();
    if (plan->status == DRUA_OK)
        drua_make_outputs(plan);
    plan->trial.measured = false;
    plan->choice.why = NULL;
    plan->specialized = false;
    if (plan->status == DRUA_OK)
        plan->op->launch(plan);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_tune_end(plan->engine, &plan->trial));
    if (plan->status == DRUA_OK && drua_is_timed(plan->engine))
        plan_try(plan, drua_device_finish(device));
    if (plan->status == DRUA_OK)
        record_launches(plan, drua_device_statistics(device)->launches - launches, image_bytes(plan),
                        drua_is_timed(plan->engine) ? drua_seconds() - start : 0);
}

/* ---- with chains */

/*
 * Returns whether a source can be computed as a prologue. Pixels that are read once need not go through memory, but
 * pixels that are read again would be computed twice. A prologue is therefore used only once, if memory bandwidth
 * limits it and it reads little more than it stores. CPUs and small images never use one.
 */
static bool may_be_prologue(const drua_plan *plan, const drua_value *source)
{
    const drua_engine *engine = plan->engine;
    const drua_compile_policy policy = engine->settings.compile;
    return (plan->op->traits & DRUA_PROLOGUE) && source->node && !source->node->was_read && engine->settings.fuse &&
           !engine->eager && !plan->scope.in_tile && policy != DRUA_COMPILE_NEVER &&
           drua_device_get_info(engine->device)->is_gpu &&
           drua_value_bytes(source) <= drua_device_memory_left(engine->device) / 2 &&
           (policy == DRUA_COMPILE_AT_ONCE || drua_layout_count(&source->layout) >= DRUA_WORTHWHILE_PIXELS);
}

static bool is_little_work(const drua_chain *c, const drua_value *source)
{
    return c->exact && drua_chain_bytes_read(c) <= 2 * drua_type_size(source->type);
}

static drua_value *source_of(const drua_plan *plan)
{
    return plan->first_image < 0 ? NULL : plan->bound[plan->first_image].value;
}

/* Reserves the chain that makes the source of a call that was not deferred; `chain` belongs to the caller. */
static void reserve_source(drua_plan *plan, drua_chain *chain, drua_fusion *fusion)
{
    drua_value *source = source_of(plan);
    bool reserved = false;
    plan_try(plan, drua_deferred_send(plan->engine));
    const drua_status status =
        plan->status == DRUA_OK ? drua_reserve_prologue(plan, source, false, chain, &reserved) : DRUA_OK;
    reserved = reserved && status == DRUA_OK;
    if (reserved && !is_little_work(chain, source)) {
        drua_chain_discard(source);
        reserved = false;
    }
    if (status != DRUA_E_MEMORY)    /* an image that does not fit as a whole may fit in tiles */
        plan_try(plan, status);
    if (reserved) {
        fusion->prologue = chain;
        fusion->source = source;
    }
}

/* Reserves the source of a deferred call: its first image is a chain that was kept pending with the call. */
static void reserve_deferred_source(drua_plan *plan, drua_chain *chain, drua_fusion *fusion)
{
    const unsigned traits = plan->op->traits;
    bool reserved = false;
    if (!(traits & (DRUA_PROLOGUE | DRUA_PROLOGUE_FLOATS)))
        return;
    plan_try(plan, drua_reserve_prologue(plan, source_of(plan), !(traits & DRUA_PROLOGUE), chain, &reserved));
    if (reserved && plan->status == DRUA_OK) {
        fusion->prologue = chain;
        fusion->source = source_of(plan);
    }
}

bool drua_can_fuse(const drua_plan *plan)
{
    const drua_value *source = source_of(plan);
    return plan->fusion || (source && plan->op->launch && may_be_prologue(plan, source));
}

bool drua_send_fused(drua_plan *plan)
{
    const bool was_deferred = plan->fusion;
    drua_fusion own = {.prologue = NULL}, *fusion = was_deferred ? plan->fusion : &own;
    drua_chain chain;
    if (was_deferred)
        reserve_deferred_source(plan, &chain, fusion);
    else
        reserve_source(plan, &chain, fusion);
    if (plan->status != DRUA_OK || (!fusion->prologue && !fusion->epilogue))
        return plan->status != DRUA_OK;
    plan->fusion = fusion;
    drua_send_whole(plan);
    plan->fusion = NULL;
    if (fusion->prologue && !fusion->source_is_filled)
        drua_chain_discard(fusion->source);
    if (plan->status == DRUA_E_MEMORY)
        fusion->epilogue_is_done = false;
    if (!was_deferred && fusion->prologue_is_done && fusion->source->node)
        fusion->source->node->was_read = true;
    return true;
}
