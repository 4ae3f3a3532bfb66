/* SPDX-License-Identifier: BSD-3-Clause */
/* One call: checked, inferred, then run by the first strategy that serves. */
#include "engine_calls.h"

#include "alloc.h"
#include "error.h"
#include "outputs.h"
#include "strategy.h"
#include "table.h"

drua_status drua_engine_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table)
{
    drua_plan plan = {.engine = engine, .op = op, .bound = bound, .table = table, .tile = engine->tile, .state = engine->state, .first_image = -1};
    engine->tile = NULL;
    engine->state = NULL;
    if (table)
        *table = NULL;
    if (op->traits & DRUA_HOST)
        return drua_fail(DRUA_E_UNSUPPORTED, "only a program with windows and tables, such as ImageJ, can do this");
    if (op->param_count > DRUA_PLAN_PARAMS)
        return drua_fail(DRUA_E_INTERNAL, "more than %d parameters", DRUA_PLAN_PARAMS);
    drua_device_statistics(engine->device)->calls++;
    plan_check(&plan);
    for (size_t i = 0; i < op->param_count && plan.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            plan_infer(&plan, i);
    if (plan.status == DRUA_OK)
        drua_run_strategies(&plan, "view");
    if (plan.status == DRUA_OK)
        drua_finish_outputs(&plan);
    if (plan.status == DRUA_OK && engine->eager)
        plan_try(&plan, drua_device_finish(engine->device));
    plan_free(&plan);
    drua_device_report(engine->device, -1);
    if (plan.status != DRUA_OK)
        plan_drop_results(&plan);
    if (plan.status != DRUA_OK && table) {
        drua_table_discard(*table);
        *table = NULL;
    }
    for (size_t i = 0; i < op->param_count && plan.status != DRUA_OK; i++) {
        drua_free(bound[i].text_result);
        bound[i].text_result = NULL;
    }
    return plan.status;
}
