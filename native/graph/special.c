/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels compiled for constants, such as the radius of a window, that take registers where general kernels take loops. They
 * are compiled in the background once enough pixels went through the general ones; DRUA_CHAINS says when, as for chains.
 */
#include "internal.h"

#include "alloc.h"
#include "around.h"
#include "hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, KEY = 2600 };

/* Work of a millisecond or more: below, the general kernels do. */
static const int64_t ENOUGH_ITEMS = 1 << 20;

typedef struct special {
    uint64_t used;
    char key[KEY];              /* kernel, constants, width of an index, chains around it */
    int64_t items;              /* of all launches so far */
    drua_made *made;
    bool never;                 /* there is no such kernel */
} special;

typedef struct drua_specials {
    uint64_t clock;
    special entries[ENTRIES];
} drua_specials;

void drua_specials_free(drua_engine *engine)
{
    for (int i = 0; i < ENTRIES && engine->specials; i++)
        drua_made_free(engine->specials->entries[i].made);
    drua_free(engine->specials);
    engine->specials = NULL;
}

static bool is_building(const special *s)
{
    return s->made && drua_made_ask(s->made) == DRUA_MADE_BUILDING;
}

/* The entry of that key, or the place of the one that was not used for longest; NULL if all are being compiled. */
static special *find(drua_specials *specials, const char *key)
{
    special *oldest = NULL;
    for (special *s = specials->entries; s < specials->entries + ENTRIES; s++) {
        if (!strcmp(s->key, key))
            return s;
        if (!is_building(s) && (!oldest || s->used < oldest->used))
            oldest = s;
    }
    if (oldest) {
        drua_made_free(oldest->made);
        *oldest = (special){0};
        snprintf(oldest->key, sizeof oldest->key, "%s", key);
    }
    return oldest;
}

typedef enum answer { SENT, NOT_NOW, NEVER } answer;

/* The kernel where it is ready, else what the answer is; counts the launch that was wished and may start compiling. */
static drua_made *ready(drua_plan *plan, const char *kernel, const char *constants, const drua_around_call *around, drua_grid grid,
                        const drua_arg *arguments, answer *answered)
{
    drua_engine *engine = plan->engine;
    char key[KEY];
    const bool at_once = drua_when_to_compile() == DRUA_WHEN_SEEN;
    *answered = NEVER;
    if (snprintf(key, sizeof key, "%s %s %d %llx", kernel, constants, drua_device_index_width(arguments),
                 around ? (unsigned long long)around->hash : 0) >= KEY)
        return NULL;
    *answered = NOT_NOW;
    if (!engine->specials)
        engine->specials = drua_alloc(sizeof *engine->specials);
    special *s = engine->specials ? find(engine->specials, key) : NULL;
    if (!s)
        return NULL;
    s->used = ++engine->specials->clock;
    s->items += grid.items[0] * grid.items[1] * grid.items[2];
    if (!s->made && !s->never && (at_once || s->items >= ENOUGH_ITEMS)) {
        char *text = around ? drua_around_text(plan->around, around) : NULL;
        s->made = around && !text ? NULL
                                  : drua_made_start_special(engine->device, kernel, constants, text, grid, arguments,
                                                            at_once ? DRUA_MADE_NOW : DRUA_MADE_BESIDE);
        s->never = !s->made;
        drua_free(text);
    }
    const drua_made_state state = s->made ? drua_made_ask(s->made) : DRUA_MADE_BUILDING;
    if (s->never || state == DRUA_MADE_REFUSED)
        *answered = NEVER;
    return !s->never && state == DRUA_MADE_READY ? s->made : NULL;
}

/* Memory that is too small for the images of chains too may do without them. */
static answer launch(drua_plan *plan, const char *kernel, const char *constants, const drua_around_call *around, drua_grid grid,
                     const drua_arg *arguments)
{
    answer answered;
    drua_made *made = ready(plan, kernel, constants, around, grid, arguments, &answered);
    if (!made)
        return answered;
    const drua_status status = drua_made_launch(made, grid, arguments);
    if (around && status == DRUA_E_MEMORY)
        return NEVER;
    plan->compiled = plan_try(plan, status);
    return SENT;
}

/*
 * Whether a chain that reads other images goes along with the kernel: a pass of its own may take less time. What measured as faster once
 * both kernels are there; till then, or where nothing is measured, what the kernel's constants say.
 */
static bool goes_along(drua_plan *plan, const char *kernel, const char *constants, const drua_around_call *call, drua_grid grid, const drua_arg *arguments)
{
    enum { APART, ALONG, VARIANTS };
    drua_around *around = plan->around;
    drua_tuner *tuner = plan->engine->tuner;
    const int preset = strstr(constants, "READS_ALONE=1") ? APART : ALONG;
    char kind[32];
    answer ignored;
    if (around->after->input_count == 1)
        return true;
    if (!tuner || drua_when_to_compile() != DRUA_WHEN_WORTH)
        return preset == ALONG;
    const uint64_t hash = drua_hash(drua_hash(call->hash, kernel, strlen(kernel)), constants, strlen(constants));
    const int64_t pixels = drua_layout_count(&around->middle->layout);
    snprintf(kind, sizeof kind, "along:%016llx", (unsigned long long)hash);
    const int known = drua_tune_recall(tuner, kind, pixels);
    if (known >= 0)
        return known == ALONG;
    if (plan->trial.measured || !ready(plan, kernel, constants, call, grid, call->arguments, &ignored) ||
        !ready(plan, kernel, constants, NULL, grid, arguments, &ignored))
        return preset == ALONG;
    return drua_tune_begin(plan->engine, kind, pixels, VARIANTS, preset, &around->trial) == ALONG;
}

/* With the chains that belong to it; where their kernels cannot be had, with the one that follows alone. */
static bool launch_around(drua_plan *plan, const char *kernel, const char *constants, drua_grid grid, const drua_arg *arguments)
{
    enum { UNDECIDED = -1, APART };
    drua_around *around = plan->around;
    drua_around_call call;
    answer answered = NEVER;
    int along = UNDECIDED;
    for (int before = 1; before >= 0 && answered == NEVER; before--) {
        if (!before)
            plan_try(plan, drua_around_fill(plan->engine, around, arguments));
        bool fits = plan->status == DRUA_OK && drua_around_fits(around, before, along != APART, plan_made(plan), arguments, &call);
        if (fits && call.after && along == UNDECIDED) {
            along = goes_along(plan, kernel, constants, &call, grid, arguments);
            fits = along || drua_around_fits(around, before, false, plan_made(plan), arguments, &call);
        }
        if (fits)
            answered = launch(plan, kernel, constants, &call, grid, call.arguments);
    }
    if (answered == SENT) {
        around->before_is_done |= call.before;
        around->after_is_done |= call.after;
    }
    return answered == SENT;
}

int plan_chain_bytes(const drua_plan *plan, drua_view view)
{
    const drua_around *around = plan->around;
    const bool makes = around && around->before && !around->is_filled && around->source->buffer == view.buffer;
    return makes ? (int)drua_chain_bytes_read(around->before) : 0;
}

void plan_launch_after_chain(drua_plan *plan, const char *kernel, drua_grid grid, const drua_arg *arguments)
{
    drua_around *around = plan->around;
    drua_around_call call;
    const bool waits = plan->status == DRUA_OK && around && around->before && !around->is_filled;
    if (waits && drua_around_fits(around, true, false, NULL, arguments, &call) && launch(plan, kernel, "", &call, grid, call.arguments) == SENT)
        around->before_is_done = true;
    else
        plan_launch(plan, kernel, grid, arguments);
}

bool plan_launch_special(drua_plan *plan, const char *kernel, const char *constants, drua_grid grid, const drua_arg *arguments)
{
    if (plan->status != DRUA_OK || drua_when_to_compile() == DRUA_NEVER || !drua_device_facts(plan->engine->device)->is_gpu)
        return false;
    if (plan->around && launch_around(plan, kernel, constants, grid, arguments))
        return true;
    return plan_try(plan, drua_around_fill(plan->engine, plan->around, arguments)) &&
           launch(plan, kernel, constants, NULL, grid, arguments) == SENT;
}
