/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the tiles of a call on several devices. The call's own device determines the thickness of tiles as if it
 * computed them alone, so that results do not depend on the number of devices. Each device reads its pixels from the
 * host, where images stay meanwhile, and writes to whole results on the host.
 */
#include "spread_tiles.h"
#include "plan_devices.h"

#include "alloc.h"
#include "error.h"

#include <stdatomic.h>
#include <string.h>

enum { PARAMS = DRUA_PLAN_PARAMS };

typedef struct sharing {
    drua_work *work;
    const drua_tile_list *list;
    drua_value *images[PARAMS]; /* images that are read, on the host */
    atomic_llong done; /* pixels */
} sharing;

/* ---- the list of tiles */

static int64_t extent_of(const drua_box *box, int axis)
{
    return box->end[axis] - box->first[axis];
}

static bool is_alike(const drua_tile *a, const drua_tile *b)
{
    bool alike = true;
    for (int axis = 0; axis < 3; axis++)
        alike = alike && extent_of(&a->read, axis) == extent_of(&b->read, axis) &&
                extent_of(&a->made, axis) == extent_of(&b->made, axis);
    return alike;
}

static drua_status run_trial_tile(drua_work *w, const drua_tile *tile)
{
    drua_value *results[PARAMS] = {NULL};
    drua_substitutes all = {.in_tile = true};
    w->is_trial = true;
    const drua_status status = drua_call_on_tile(w, tile, &all, results);
    w->is_trial = false;
    drua_substitutes_release(w->engine, &all);
    for (int i = 0; i < PARAMS; i++)
        drua_value_release(w->engine, results[i]);
    return status;
}

drua_status drua_try_tile(drua_work *w, drua_tile_list *list, const drua_tile *tile)
{
    int64_t like = 0;
    while (like < list->count && !is_alike(&list->tiles[like], tile))
        like++;
    if (like == list->count)
        DRUA_TRY(run_trial_tile(w, tile));
    if (list->count == list->capacity) {
        const int64_t capacity = 2 * list->capacity + 16;
        drua_tile *grown = drua_realloc(list->tiles, (size_t)capacity * sizeof *grown);
        if (!grown)
            return drua_fail_memory((size_t)capacity * sizeof *grown);
        list->tiles = grown;
        list->capacity = capacity;
    }
    list->tiles[list->count++] = *tile;
    return DRUA_OK;
}

/* ---- images that are read */

/* The image itself if its pixels are contiguous within rows, otherwise a copy. */
static drua_status bring_to_host(drua_work *w, drua_value *image, drua_value **out)
{
    DRUA_TRY(drua_value_materialize(w->engine, image));
    if (image->layout.column == 1) {
        drua_value_retain(image);
        *out = image;
        return drua_buffer_move_to_host(image->buffer);
    }
    drua_value *copy = drua_value_new(image->shape, image->type);
    if (!copy)
        return DRUA_E_MEMORY;
    *out = copy;
    DRUA_TRY(drua_buffer_make_on_host(w->engine->device, drua_value_bytes(copy), &copy->buffer));
    DRUA_TRY(drua_copy_region(w->engine, drua_value_view(image), drua_value_view(copy), 0, 0, 0));
    return drua_buffer_move_to_host(copy->buffer);
}

static drua_status bring_all_to_host(sharing *s)
{
    const drua_plan *plan = s->work->plan;
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            DRUA_TRY(bring_to_host(s->work, plan->bound[i].value, &s->images[i]));
    return DRUA_OK;
}

/* ---- a tile, in any thread */

static drua_status send_inputs(drua_engine *engine, const sharing *s, const drua_tile *tile, drua_bound *bound)
{
    const drua_work *w = s->work;
    for (size_t i = 0; i < w->plan->op->param_count; i++) {
        const drua_value *image = s->images[i];
        if (!image)
            continue;
        drua_box own = drua_box_of(image->shape.extent);
        bool is_all;
        if (!drua_stays_whole(w, i))
            DRUA_TRY(drua_own_box(image, &tile->read, w->tiling.inputs, &own, &is_all));
        drua_shape shape = image->shape;
        for (int axis = 0; axis < 3; axis++)
            shape.extent[axis] = extent_of(&own, axis);
        DRUA_TRY(drua_send_from_host(engine, drua_seen_box(image, &own), shape, &bound[i].value));
    }
    return DRUA_OK;
}

static drua_status call_on_tile(drua_plan *p, const sharing *s, const drua_tile *tile, drua_bound *bound)
{
    drua_engine *engine = p->engine;
    const drua_plan *plan = s->work->plan;
    const drua_call_tile place = {.whole = plan, .tiling = &s->work->tiling, .tile = tile};
    DRUA_TRY(send_inputs(engine, s, tile, bound));
    const drua_request request = {
        .op = plan->op, .bound = bound, .tile = &place, .state = plan->state, .scope = drua_scope_of_tile(p)};
    return engine->executor->call(engine, &request);
}

static void do_tile(drua_plan *p)
{
    const drua_piece *piece = plan_state(p);
    sharing *s = piece->spread->payload;
    const drua_work *w = s->work;
    const drua_tile *tile = &s->list->tiles[piece->number];
    const size_t count = w->plan->op->param_count;
    drua_bound bound[PARAMS];
    memcpy(bound, w->plan->bound, count * sizeof *bound);
    for (size_t i = 0; i < count; i++) {
        bound[i].value = bound[i].result = NULL;
        bound[i].text_result = NULL;
        bound[i].type = w->plan->outputs[i].type;
    }
    drua_status status = call_on_tile(p, s, tile, bound);
    for (size_t i = 0; i < count; i++) {
        if (w->host_results[i] && status == DRUA_OK)
            status = drua_copy_to_host_result(p->engine, &w->tiling, tile, bound[i].result, w->host_results[i]);
        drua_value_release(p->engine, bound[i].result);
        drua_value_release(p->engine, bound[i].value);
        drua_free(bound[i].text_result);
    }
    plan_try(p, status);
    drua_device_statistics(p->engine->device)->tiles += status == DRUA_OK;
    atomic_fetch_add(&s->done, status == DRUA_OK ? (long long)drua_box_pixels(&tile->wanted) : 0);
}

/* ---- all tiles of a call */

static double fraction_done(const drua_spread *spread)
{
    const sharing *s = spread->payload;
    return (double)atomic_load(&s->done) / drua_box_pixels(&s->work->all);
}

drua_status drua_spread_tiles(drua_work *w, const drua_tile_list *list)
{
    drua_op tile = {.name = w->plan->op->name, .numeric = w->plan->op->numeric, .build = do_tile};
    sharing s = {.work = w, .list = list};
    drua_spread spread = {.devices = w->plan->devices,
                          .op = &tile,
                          .payload = &s,
                          .progress = fraction_done,
                          .all = {.end = {list->count, 1, 1}},
                          .step = {1, 1, 1},
                          .room = list->count + 1}; /* results need not be collected */
    drua_status status = bring_all_to_host(&s);
    if (status == DRUA_OK)
        status = w->engine->executor->spread(w->plan, &spread, 0);
    for (int i = 0; i < PARAMS; i++)
        drua_value_release(w->engine, s.images[i]);
    return status;
}
