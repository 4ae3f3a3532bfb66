/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of the kernels that the build embeds, grids, and the choice among variants. */
#include "call.h"

#include "text.h"

bool plan_prefers_specialized(const drua_plan *plan)
{
    const drua_fusion *fusion = plan->fusion;
    if (plan->engine->settings.compile == DRUA_COMPILE_AT_ONCE)
        return true;
    return drua_fusion_waits_for_source(fusion) || (fusion && fusion->epilogue && !fusion->epilogue_is_done);
}

void plan_launch(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments)
{
    if (plan->status == DRUA_OK && plan_try(plan, drua_fusion_fill_source(plan->engine, plan->fusion, arguments)))
        plan_try(plan, drua_device_launch(plan->engine->device, kernel, grid, arguments));
}

int plan_choose(drua_plan *plan, const char *kind, int64_t pixels, int count, int preset)
{
    if (plan->status != DRUA_OK || plan->trial.measured)
        return preset;
    const int chosen = drua_tune_begin(plan->engine, kind, pixels, count, preset, &plan->trial);
    drua_copy_start(plan->choice.kind, kind, sizeof plan->choice.kind);
    plan->choice.variant = chosen + 1;
    plan->choice.count = count;
    plan->choice.why = plan->trial.why;
    return chosen;
}

drua_grid plan_grid(drua_layout l)
{
    return GRID(l.width, l.height, l.depth, 32, 8, 1);
}

drua_grid plan_grid_vec4(drua_layout layout)
{
    return GRID(((int64_t)layout.width + 3) / 4, layout.height, layout.depth, 32, 8, 1);
}

drua_grid plan_grid_of_vectors(drua_plan *plan, drua_layout l, int32_t rows)
{
    const int32_t lanes = plan_lanes(plan);
    return GRID((l.width + lanes - 1) / lanes, l.height, l.depth, 32, rows, 1);
}
