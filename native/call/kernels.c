/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels that the build embeds, makes their grids, and chooses among variants. */
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

/*
 * Whether all variants can run without a wait for the compiler. A single call needs only the default, so the other
 * variants are built from the second call on.
 */
static bool are_built(drua_plan *plan, const char *const *kernels)
{
    drua_device *device = plan->engine->device;
    if (!drua_device_get_info(device)->is_gpu)
        return true;
    if (plan->awaits_specialized || !drua_device_has_launched(device, kernels[0]))
        return false;
    bool all = true;
    for (const char *const *kernel = kernels; *kernel; kernel++)
        all = drua_device_is_built(device, *kernel) && all;
    return all;
}

/* Whether the variants would be timed now if their kernels were built. */
static bool awaits_kernels(drua_plan *plan, const char *kind, int64_t pixels, const char *const *kernels)
{
    drua_tuner *tuner = plan->engine->tuner;
    return tuner && pixels >= DRUA_WORTHWHILE_PIXELS && drua_tune_recall(tuner, kind, pixels) < 0 &&
           !are_built(plan, kernels);
}

int plan_choose_variant(drua_plan *plan, const char *kind, int64_t pixels, int count, int preset,
                        const char *const *kernels)
{
    if (plan->status != DRUA_OK || plan->trial.measured)
        return preset;
    const bool awaits = awaits_kernels(plan, kind, pixels, kernels);
    const int chosen = awaits ? preset : drua_tune_begin(plan->engine, kind, pixels, count, preset, &plan->trial);
    drua_copy_start(plan->choice.kind, kind, sizeof plan->choice.kind);
    plan->choice.variant = chosen + 1;
    plan->choice.count = count;
    plan->choice.why = awaits ? "preset until all variants are compiled" : plan->trial.why;
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
