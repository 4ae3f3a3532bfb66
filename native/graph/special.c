/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels compiled for constants, such as the radius of a window, that take registers where general kernels take loops. They
 * are compiled in the background once enough pixels went through the general ones; DRUA_CHAINS says when, as for chains.
 */
#include "internal.h"

#include "alloc.h"
#include "chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, KEY = 800 };

/* Work of a millisecond or more: below, the general kernels do. */
static const int64_t ENOUGH_ITEMS = 1 << 20;

typedef struct special {
    uint64_t used;
    char key[KEY];              /* kernel, constants, width of an index */
    int64_t items;              /* of all launches so far */
    drua_made *made;
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

bool plan_launch_special(drua_plan *plan, const char *kernel, const char *constants, drua_grid grid, const drua_arg *arguments)
{
    drua_engine *engine = plan->engine;
    char key[KEY];
    const drua_when when = drua_when_to_compile();
    if (plan->status != DRUA_OK || when == DRUA_NEVER || !drua_device_facts(engine->device)->is_gpu ||
        snprintf(key, sizeof key, "%s %s %d", kernel, constants, drua_device_index_width(arguments)) >= KEY)
        return false;
    if (!engine->specials)
        engine->specials = drua_alloc(sizeof *engine->specials);
    special *s = engine->specials ? find(engine->specials, key) : NULL;
    if (!s)
        return false;
    s->used = ++engine->specials->clock;
    s->items += grid.items[0] * grid.items[1] * grid.items[2];
    if (!s->made && (when == DRUA_WHEN_SEEN || s->items >= ENOUGH_ITEMS))
        s->made = drua_made_start_special(engine->device, kernel, constants, grid, arguments, when == DRUA_WHEN_SEEN);
    if (!s->made || drua_made_ask(s->made) != DRUA_MADE_READY)
        return false;
    plan_try(plan, drua_made_launch(s->made, grid, arguments));
    return true;
}
