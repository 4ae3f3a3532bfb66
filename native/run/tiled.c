/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiled.h"

bool drua_can_tile(const drua_plan *plan)
{
    return drua_slabs_serve(plan) || drua_boxes_serve(plan);
}

drua_status drua_run_tiled(drua_plan *plan)
{
    drua_status status = drua_slabs_serve(plan) ? drua_slabs_call(plan) : DRUA_E_MEMORY;
    if (status == DRUA_E_MEMORY && drua_boxes_serve(plan)) {
        plan->status = DRUA_OK;
        status = drua_boxes_call(plan);
    }
    return status;
}
