/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one call: checks it, infers its results, and uses the first strategy that applies. */
#include "request.h"

#include "alloc.h"
#include "error.h"
#include "outputs.h"
#include "part.h"
#include "strategy.h"
#include "table.h"

/* Checks the arguments of a call and infers its results. */
static drua_status begin_call(drua_plan *plan)
{
    const drua_op *op = plan->op;
    drua_engine *engine = plan->engine;
    if (plan->table)
        *plan->table = NULL;
    if (op->traits & DRUA_HOST)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "only a program with windows and tables, such as ImageJ, can do this; run it from a macro");
    if (op->param_count > DRUA_PLAN_PARAMS)
        return drua_fail(DRUA_E_INTERNAL, "more than %d parameters", DRUA_PLAN_PARAMS);
    drua_device_statistics(engine->device)->calls++;
    plan_check(plan);
    for (size_t i = 0; i < op->param_count && plan->status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            plan_infer(plan, i);
    return DRUA_OK;
}

/* Frees everything that lives as long as the call, and after a failure its results. */
static drua_status finish_call(drua_plan *plan)
{
    if (plan->status == DRUA_OK)
        drua_finish_outputs(plan);
    if (plan->status == DRUA_OK && !plan->tile)
        plan_pass_texts(plan);
    if (plan->status == DRUA_OK && plan->engine->eager)
        plan_try(plan, drua_device_finish(plan->engine->device));
    plan_explain_memory(plan);
    plan_free(plan);
    drua_device_report(plan->engine->device, -1);
    if (plan->status != DRUA_OK)
        plan_drop_results(plan);
    if (plan->status != DRUA_OK && plan->table) {
        drua_table_discard(*plan->table);
        *plan->table = NULL;
    }
    for (size_t i = 0; i < plan->op->param_count && plan->status != DRUA_OK; i++) {
        drua_free(plan->bound[i].text_result);
        plan->bound[i].text_result = NULL;
    }
    return plan->status;
}

static drua_plan plan_of(drua_engine *engine, const drua_request *request)
{
    return (drua_plan){.engine = engine,
                       .op = request->op,
                       .bound = request->bound,
                       .table = request->table,
                       .tile = request->tile,
                       .state = request->state,
                       .devices = request->devices,
                       .scope = request->scope,
                       .first_image = -1};
}

drua_status drua_engine_request(drua_engine *engine, const drua_request *request)
{
    drua_plan plan = plan_of(engine, request);
    DRUA_TRY(begin_call(&plan));
    if (plan.status == DRUA_OK)
        drua_run_strategies(&plan, "view");
    return finish_call(&plan);
}

drua_status drua_engine_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table)
{
    return drua_engine_request(engine, &(drua_request){.op = op, .bound = bound, .table = table});
}

/* The part of the box inside the image, or the nearest pixels; an axis of extent 0 means all of it. */
static drua_box fit_box_to_image(drua_box box, const int64_t extent[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (box.end[axis] <= box.first[axis]) {
            box.first[axis] = 0;
            box.end[axis] = extent[axis];
        }
    drua_box_clip(&box, extent);
    return box;
}

/* Fails unless the call makes at least one new image and changes none. */
static drua_status check_part(const drua_plan *plan)
{
    int images = 0;
    bool changes = false;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_kind kind = plan->op->params[i].kind;
        images += kind == DRUA_KIND_IMAGE_OUT;
        changes = changes || kind == DRUA_KIND_IMAGE_INOUT || kind == DRUA_KIND_IMAGES || plan->op->params[i].written ||
                  (kind == DRUA_KIND_IMAGE_OUT && plan->bound[i].value);
    }
    return images > 0 && !changes
               ? DRUA_OK
               : drua_fail(DRUA_E_UNSUPPORTED, "makes no new image, so no part of one can be computed");
}

drua_status drua_engine_call_part(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_region *region)
{
    drua_table *table = NULL;
    drua_plan plan = plan_of(engine, &(drua_request){.op = op, .bound = bound, .table = &table});
    DRUA_TRY(check_part(&plan));
    DRUA_TRY(begin_call(&plan));
    if (plan.status == DRUA_OK) {
        const size_t first = plan_first_output(op);
        drua_value *part = NULL;
        region->whole = plan_written(&plan, first);
        const drua_box box = fit_box_to_image(region->box, region->whole.extent);
        plan.status = drua_run_part(&plan, &box, &part, &region->reads_all);
        plan_drop_results(&plan);
        bound[first].result = part;
    }
    const drua_status status = finish_call(&plan);
    drua_table_discard(table);
    return status;
}
