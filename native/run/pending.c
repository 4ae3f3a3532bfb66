/* SPDX-License-Identifier: BSD-3-Clause */
#include "pending.h"

#include "engine_calls.h"

void drua_limit_pending(drua_plan *plan)
{
    while (plan->status == DRUA_OK && plan->engine->pending_count > DRUA_PENDING_VALUES) {
        drua_value *oldest = plan->engine->pending;
        while (oldest->next)
            oldest = oldest->next;
        plan_try(plan, drua_value_materialize(plan->engine, oldest));
    }
}

drua_status drua_engine_flush(drua_engine *engine)
{
    drua_status status = DRUA_OK;
    while (status == DRUA_OK && engine->pending) {
        /* the newest value first, because values that only it reads are computed inside its chain */
        drua_value *value = engine->pending;
        drua_value_retain(value);
        status = drua_value_materialize_with(engine, value, true);
        drua_value_release(engine, value);
    }
    return status;
}
