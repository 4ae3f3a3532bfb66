/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels compiled for constants such as the radius of a window. They use registers where general kernels use loops.
 * The first large call of an operation compiles its kernel. Kernels for other constants are compiled in the background
 * once the general kernels have processed enough pixels.
 */
#include "call_parts.h"

#include "alloc.h"
#include "hash.h"
#include "kernel_cache.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_KEY = 2600 };

/* The kernel to launch: compiled for constants, alone or with chains in it. */
typedef struct special {
    const drua_specialized *of;
    const drua_fused_launch *fused;     /* NULL: alone */
    drua_grid grid;
    const drua_arg *arguments;
} special;

typedef enum answer { SENT, NOT_NOW, NEVER } answer;

/*
 * In its first large call on a GPU, an operation has to wait for a compiler anyway. It waits for the kernel of its
 * constants instead of the general kernel, so that all further calls with these constants are fast. Kernels for other
 * constants, and kernels that take seconds to compile, are compiled in the background.
 */
static drua_jit_when choose_when(const drua_plan *plan, const special *s, const drua_cached_kernel *e)
{
    char begin[80];
    const int length = snprintf(begin, sizeof begin, "%s ", s->of->kernel);
    const bool is_first = drua_device_get_info(plan->engine->device)->is_gpu && e->calls == 1 &&
                          !s->of->compiles_slowly && length < (int)sizeof begin &&
                          !drua_kernel_cache_has_begun(plan->engine, (drua_kernel_key){'s', begin, (size_t)length});
    return is_first ? DRUA_JIT_NOW : drua_kernel_when(plan->engine);
}

static void start_compiling(drua_plan *plan, const special *s, drua_cached_kernel *e)
{
    char *text = s->fused ? drua_fusion_text(plan->fusion, s->fused) : NULL;
    if (!s->fused || text)
        e->kernel = drua_jit_start_specialized(plan->engine->device, s->of->kernel, s->of->constants, text, s->grid,
                                               s->arguments, choose_when(plan, s, e));
    e->refused = !e->kernel;
    drua_free(text);
}

/* Number of pixels of the largest image; work-items are not counted, because each may process many pixels. */
static int64_t pixels_of(const drua_arg *arguments)
{
    int64_t max = 0;
    for (const drua_arg *a = arguments; a->kind != DRUA_LAUNCH_END; a++)
        if (a->kind == DRUA_LAUNCH_VIEW && drua_layout_count(&a->as.view.layout) > max)
            max = drua_layout_count(&a->as.view.layout);
    return max;
}

/*
 * Returns the kernel if it is ready, otherwise NULL and the reason in `answered`. Counts the request and may start
 * compiling.
 */
static drua_jit_kernel *find_ready_kernel(drua_plan *plan, const special *s, answer *answered)
{
    char key[LONGEST_KEY];
    const int length =
        snprintf(key, sizeof key, "%s %s %d %llx", s->of->kernel, s->of->constants,
                 drua_device_index_width(s->arguments), s->fused ? (unsigned long long)s->fused->hash : 0);
    *answered = NEVER;
    if (length >= LONGEST_KEY)
        return NULL;
    *answered = NOT_NOW;
    drua_cached_kernel *e = drua_kernel_cache_find(plan->engine, (drua_kernel_key){'s', key, (size_t)length});
    if (!e)
        return NULL;
    if (drua_kernel_cache_count(plan->engine, e, pixels_of(s->arguments), 1))
        start_compiling(plan, s, e);
    if (e->refused || (e->kernel && !drua_kernel_is_ready(e) && !drua_kernel_is_building(e)))
        *answered = NEVER;
    plan->awaits_specialized = plan->awaits_specialized || drua_kernel_is_building(e);
    return !e->refused && drua_kernel_is_ready(e) ? e->kernel : NULL;
}

/*
 * Launches the kernel. If there is not enough memory for the images of chains, the answer is NEVER, because a launch
 * without chains may still succeed.
 */
static answer launch_specialized(drua_plan *plan, const special *s)
{
    answer answered;
    drua_jit_kernel *kernel = find_ready_kernel(plan, s, &answered);
    if (!kernel)
        return answered;
    const drua_status status = drua_jit_launch(kernel, s->grid, s->arguments);
    if (s->fused && status == DRUA_E_MEMORY)
        return NEVER;
    plan->specialized = plan_try(plan, status);
    return SENT;
}

/*
 * Returns whether the epilogue is fused into the launch. A separate pass may be faster if the epilogue reads further
 * images. When both kernels are ready, the faster way is measured. Before that, or if measuring is off, the operation
 * decides.
 */
static bool fuses_epilogue(drua_plan *plan, const special *alone, const special *fused)
{
    enum { APART, ALONG, VARIANTS };
    drua_fusion *fusion = plan->fusion;
    drua_tuner *tuner = plan->engine->tuner;
    const int preset = alone->of->prefers_unfused ? APART : ALONG;
    char kind[32];
    answer ignored;
    if (fusion->epilogue->input_count == 1)
        return true;
    if (!tuner || plan->engine->settings.compile != DRUA_COMPILE_WORTHWHILE)
        return preset == ALONG;
    const uint64_t hash = drua_hash(drua_hash(fused->fused->hash, alone->of->kernel, strlen(alone->of->kernel)),
                                    alone->of->constants, strlen(alone->of->constants));
    const int64_t pixels = drua_layout_count(&fusion->result->layout);
    snprintf(kind, sizeof kind, "along:%016llx", (unsigned long long)hash);
    const int known = drua_tune_recall(tuner, kind, pixels);
    if (known >= 0)
        return known == ALONG;
    if (plan->trial.measured || !find_ready_kernel(plan, fused, &ignored) || !find_ready_kernel(plan, alone, &ignored))
        return preset == ALONG;
    return drua_tune_begin(plan->engine, kind, pixels, VARIANTS, preset, &fusion->trial) == ALONG;
}

/* Launches with the chains that belong to the call; if that kernel is not available, with the epilogue only. */
static bool launch_fused(drua_plan *plan, const special *alone)
{
    enum { UNDECIDED = -1, APART };
    drua_fusion *fusion = plan->fusion;
    drua_fused_launch call;
    const special fused = {alone->of, &call, alone->grid, call.arguments};
    answer answered = NEVER;
    int along = UNDECIDED;
    for (int prologue = 1; prologue >= 0 && answered == NEVER; prologue--) {
        if (!prologue)
            plan_try(plan, drua_fusion_fill_source(plan->engine, fusion, alone->arguments));
        bool fits = plan->status == DRUA_OK && drua_fusion_fits(fusion, prologue, along != APART,
                                                                plan_result_memory(plan), alone->arguments, &call);
        if (fits && call.epilogue && along == UNDECIDED) {
            along = fuses_epilogue(plan, alone, &fused);
            fits =
                along || drua_fusion_fits(fusion, prologue, false, plan_result_memory(plan), alone->arguments, &call);
        }
        if (fits)
            answered = launch_specialized(plan, &fused);
    }
    if (answered == SENT) {
        fusion->prologue_is_done |= call.prologue;
        fusion->epilogue_is_done |= call.epilogue;
    }
    return answered == SENT;
}

int plan_prologue_bytes(const drua_plan *plan, drua_view view)
{
    const drua_fusion *fusion = plan->fusion;
    const bool makes = drua_fusion_waits_for_source(fusion) && fusion->source->buffer == view.buffer;
    return makes ? (int)drua_chain_bytes_read(fusion->prologue) : 0;
}

void plan_launch_with_prologue(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments)
{
    drua_fusion *fusion = plan->fusion;
    drua_fused_launch call;
    const drua_specialized of = {.kernel = kernel, .constants = ""};
    const special fused = {&of, &call, grid, call.arguments};
    const bool waits = plan->status == DRUA_OK && drua_fusion_waits_for_source(fusion);
    if (waits && drua_fusion_fits(fusion, true, false, NULL, arguments, &call) &&
        launch_specialized(plan, &fused) == SENT)
        fusion->prologue_is_done = true;
    else
        plan_launch(plan, kernel, grid, arguments);
}

bool plan_launch_specialized(drua_plan *plan, const drua_specialized *kernel, drua_grid grid, const drua_arg *arguments)
{
    const special alone = {kernel, NULL, grid, arguments};
    if (plan->status != DRUA_OK || plan->engine->settings.compile == DRUA_COMPILE_NEVER ||
        !drua_device_get_info(plan->engine->device)->is_gpu)
        return false;
    if (plan->fusion && launch_fused(plan, &alone))
        return true;
    return plan_try(plan, drua_fusion_fill_source(plan->engine, plan->fusion, arguments)) &&
           launch_specialized(plan, &alone) == SENT;
}
