/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of an operation on the CPU's cores. */
#include "call.h"

#include "host_work.h"
#include "parallel.h"

typedef struct core_work {
    void (*work)(void *payload, int worker, int64_t item);
    void *payload;
} core_work;

static drua_status do_item(void *payload, int worker, int64_t item)
{
    const core_work *w = payload;
    w->work(w->payload, worker, item);
    return DRUA_OK;
}

int plan_workers(int64_t count)
{
    return drua_parallel_workers(count);
}

void plan_on_cores(drua_plan *plan, int64_t count, void (*work)(void *payload, int worker, int64_t item), void *payload)
{
    core_work w = {work, payload};
    if (plan->status == DRUA_OK && count > 0)
        plan_try(plan, drua_parallel(count, do_item, &w));
}
