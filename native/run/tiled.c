/* SPDX-License-Identifier: BSD-3-Clause */
#include "tiled.h"

#include "alloc.h"
#include "error.h"
#include "deferred.h"
#include "spread_tiles.h"
#include "tile_images.h"
#include "work.h"

enum { PARAMS = DRUA_PLAN_PARAMS };

/* Tiles that compute more than this multiple of the requested pixels are used only if no other strategy is left. */
enum { LARGEST_OVERHEAD = 4 };

/* ---- one tile */

static drua_status run_chain(drua_work *w, const drua_tile *tile, drua_substitutes *all, drua_value **result)
{
    DRUA_TRY(drua_cut_pending(w->engine, w->root, &tile->read, w->tiling.inputs, all, result));
    return drua_value_materialize(w->engine, *result);
}

static drua_status run_tile(drua_work *w, const drua_tile *tile)
{
    drua_value *results[PARAMS] = {NULL};
    drua_substitutes all = {.in_tile = true};
    drua_status status = w->plan ? drua_call_on_tile(w, tile, &all, results) : run_chain(w, tile, &all, results);
    drua_substitutes_release(w->engine, &all);
    for (int i = 0; i < PARAMS; i++) {
        if (w->host_results[i] && status == DRUA_OK)
            status = drua_copy_to_host_result(w->engine, &w->tiling, tile, results[i], w->host_results[i]);
        drua_value_release(w->engine, results[i]);
    }
    if (status != DRUA_OK)
        return status;
    drua_device_statistics(w->engine->device)->tiles++;
    w->done += drua_box_pixels(&tile->wanted);
    drua_device_report(w->engine->device, w->done / drua_box_pixels(&w->all));
    return DRUA_OK;
}

/* ---- layers along one axis */

/*
 * Number of layers so that a tile takes a third of the budget and there is room for scratch memory; less than 1 if not
 * even the halo fits.
 */
static int64_t tile_thickness(const drua_work *w, int64_t halo, int64_t align, uint64_t layer_bytes)
{
    return (int64_t)(drua_device_share(w->engine->device, 3) / layer_bytes) - 2 * halo - align;
}

/*
 * Runs tile after tile, with thinner tiles if one does not fit. With a list, only tries the tiles and adds them to the
 * list, for several devices.
 */
static drua_status run_layers(drua_work *w, int out, int64_t max, drua_tile_list *list)
{
    drua_tiling *t = &w->tiling;
    const int64_t halo = t->parts.halo[t->parts.axis[out]], extent = t->outputs[out];
    /* thinner tiles would compute layers repeatedly */
    const int64_t min = t->parts.range[out].set || halo < 1 ? 1 : halo;
    int64_t thick = max < min ? min : max;
    thick = thick < extent ? thick : extent;
    drua_status status = DRUA_OK;
    for (int64_t first = w->all.first[out]; first < w->all.end[out] && status == DRUA_OK;) {
        const int64_t end = first + thick < w->all.end[out] ? first + thick : w->all.end[out];
        drua_box wanted = drua_box_of(t->outputs);
        wanted.first[out] = first;
        wanted.end[out] = end;
        t->usual[out] = thick;
        const drua_tile tile = drua_tile_for(t, &wanted);
        status = list ? drua_try_tile(w, list, &tile) : run_tile(w, &tile);
        if (status == DRUA_OK) {
            first = end;
        } else if (status == DRUA_E_MEMORY && thick > 1) {
            thick = (end - first + 1) / 2 < thick ? (end - first + 1) / 2 : thick / 2;
            status =
                w->plan && w->plan->economical && thick + 2 * halo > LARGEST_OVERHEAD * thick ? DRUA_E_MEMORY : DRUA_OK;
        }
    }
    return status;
}

/*
 * Lets several devices compute the tiles. If the call's own device has too little memory after all, it computes all
 * tiles again alone, as thinner ones.
 */
static drua_status share_layers(drua_work *w, int out, int64_t max, const drua_tile_list *list)
{
    drua_engine *engine = w->engine;
    const drua_status status = drua_spread_tiles(w, list);
    if (status != DRUA_E_MEMORY)
        return status;
    w->plan->status = DRUA_OK;
    drua_text_add(&engine->lines, "the device %s computes all tiles alone, with thinner tiles: %s\n",
                  drua_device_get_info(engine->device)->name, drua_error_text());
    return run_layers(w, out, max, NULL);
}

/*
 * Trials make and keep tables, which reduce the memory for tiles that were tried earlier. All tiles are therefore tried
 * again until a round makes no new table.
 */
static drua_status run_layers_on_devices(drua_work *w, int out, int64_t max)
{
    enum { ROUNDS = 4 };
    drua_tile_list list = {.count = 0};
    drua_status status = DRUA_OK;
    uint64_t left = 0;
    for (int n = 0; n < ROUNDS && status == DRUA_OK && left != drua_device_memory_left(w->engine->device); n++) {
        left = drua_device_memory_left(w->engine->device);
        list.count = 0;
        status = run_layers(w, out, max, &list);
    }
    if (status == DRUA_OK)
        status = share_layers(w, out, max, &list);
    drua_free(list.tiles);
    return status;
}

drua_status drua_run_chain_tiled(drua_engine *engine, drua_value *value)
{
    enum { IMAGES_OF_CHAIN = 3 };
    if (value->in_tile || !value->node || value->buffer)
        return DRUA_E_MEMORY;
    DRUA_TRY(drua_deferred_send_below(engine, value));
    for (int axis = 2; axis > 0; axis--) {
        drua_work w = {.engine = engine, .root = value, .tiling.parts = drua_parts_none()};
        drua_extents_of(value->shape, w.tiling.inputs);
        drua_extents_of(value->shape, w.tiling.outputs);
        w.tiling.cuts[axis] = true;
        w.all = drua_box_of(w.tiling.outputs);
        if (w.tiling.outputs[axis] == 1)
            continue;
        const uint64_t layer_bytes = IMAGES_OF_CHAIN * drua_value_bytes(value) / (uint64_t)w.tiling.outputs[axis] + 1;
        drua_status status = drua_make_host_result(&w, 0, value->shape, value->type);
        if (status == DRUA_OK)
            status = run_layers(&w, axis, tile_thickness(&w, 0, 0, layer_bytes), NULL);
        drua_device_report(engine->device, -1);
        if (status == DRUA_OK) {
            value->buffer = w.host_results[0]->buffer;
            w.host_results[0]->buffer = NULL;
            drua_value_drop_node(engine, value);
        }
        drua_drop_host_results(&w, axis);
        if (status != DRUA_E_MEMORY && status != DRUA_E_UNSUPPORTED)
            return status;
    }
    return DRUA_E_MEMORY;
}

/*
 * Allocates results for all outputs. Returns false if one of them is not exactly the operation's result, or has another
 * extent along the axis.
 */
static bool make_layer_results(drua_work *w, int out, uint64_t *layer_bytes, drua_status *status)
{
    const drua_plan *plan = w->plan;
    const uint64_t extent = (uint64_t)w->tiling.outputs[out];
    const bool has_range = w->tiling.parts.range[out].set;
    for (size_t i = 0; i < plan->op->param_count && *status == DRUA_OK; i++) {
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            *layer_bytes += drua_value_bytes(plan->bound[i].value) / extent;
        if (!drua_is_image_output(&plan->op->params[i]))
            continue;
        drua_shape shape = plan_written(plan, i);
        if (shape.extent[out] != w->tiling.outputs[out])
            return false;
        if (drua_is_changed_image(plan, i))
            *status = drua_make_changed_host_result(w, i, out, plan->bound[i].value);
        else if (!has_range && !drua_shape_is_same_size(plan->outputs[i].natural, shape))
            return false;
        else
            *status = drua_make_host_result(w, i, shape, plan->outputs[i].type);
        if (*status == DRUA_OK)
            *layer_bytes += drua_value_bytes(w->host_results[i]) / extent;
    }
    return true;
}

/*
 * The range along the axis that must be computed: if the operation changes only some layers of an image, these layers.
 */
static void find_work(drua_work *w, int out)
{
    const int64_t extent = w->tiling.outputs[out], first = w->tiling.parts.first[out], end = w->tiling.parts.end[out];
    w->all = drua_box_of(w->tiling.outputs);
    w->all.first[out] = first < 0 ? 0 : first < extent ? first : extent;
    w->all.end[out] = end > 0 && end < extent ? end : extent;
}

/* Runs in layers along one axis of the outputs; DRUA_E_UNSUPPORTED if that is not possible. */
static drua_status call_layers(drua_plan *plan, const drua_parts *parts, int out)
{
    drua_engine *engine = plan->engine;
    const int axis = parts->axis[out];
    const bool has_range = parts->range[out].set;
    drua_work w = {.engine = engine, .plan = plan, .tiling.parts = *parts};
    uint64_t layer_bytes = 1;
    drua_status status = DRUA_OK;
    if (axis < (has_range ? 0 : 1))
        return DRUA_E_UNSUPPORTED;
    drua_extents_of(drua_cut_inputs_shape(plan), w.tiling.inputs);
    drua_extents_of(drua_outputs_shape(plan), w.tiling.outputs);
    w.tiling.outputs[out] = has_range ? w.tiling.outputs[out] : w.tiling.inputs[axis];
    w.tiling.cuts[out] = true;
    find_work(&w, out);
    if (w.tiling.outputs[out] == 1 || !make_layer_results(&w, out, &layer_bytes, &status)) {
        drua_drop_host_results(&w, out);
        return DRUA_E_UNSUPPORTED;
    }
    const int64_t halo = parts->halo[axis], thick = tile_thickness(&w, halo, parts->align[axis], layer_bytes);
    const bool mostly_halo = halo > 0 && !has_range && thick < halo / 2;
    if (mostly_halo && parts->columns && !drua_changes_an_image(plan)) { /* boxes would have smaller halos */
        drua_drop_host_results(&w, out);
        return DRUA_E_UNSUPPORTED;
    }
    if (status == DRUA_OK)
        status = plan->devices ? run_layers_on_devices(&w, out, thick) : run_layers(&w, out, thick, NULL);
    drua_device_report(engine->device, -1);
    if (status == DRUA_OK)
        drua_hand_over_host_results(&w);
    drua_drop_host_results(&w, out);
    return status;
}

/* ---- boxes, halved until they fit */

typedef struct halving {
    drua_work *work;
    uint64_t pixel_bytes; /* bytes per pixel of all outputs */
    double too_much;                    /* bytes of a box that did not fit */
} halving;

/*
 * Returns the axis along which halves read least, or -1 if no axis can be divided. *min receives the number of pixels
 * that the halves read. In a tie, slices stay whole.
 */
static int axis_to_cut(const drua_work *w, const drua_box *wanted, double *min)
{
    int best = -1;
    *min = INFINITY;
    for (int axis = 2; axis >= 0; axis--) {
        drua_box halves[2];
        if (wanted->end[axis] - wanted->first[axis] < 2 || !w->tiling.cuts[axis])
            continue;
        drua_box_halve(wanted, axis, halves);
        const drua_tile a = drua_tile_of(w, &halves[0]), b = drua_tile_of(w, &halves[1]);
        const double pixels = drua_box_pixels(&a.read) + drua_box_pixels(&b.read);
        if (pixels < *min) {
            *min = pixels;
            best = axis;
        }
    }
    return best;
}

static double bytes_of(const halving *h, const drua_tile *tile)
{
    const drua_plan *plan = h->work->plan;
    double bytes = drua_box_pixels(&tile->made) * (double)h->pixel_bytes;
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (!drua_stays_whole(h->work, i))
            bytes += drua_box_pixels(&tile->read) * (double)drua_type_size(plan->bound[i].value->type);
    return bytes;
}

/*
 * Runs a box, or halves it. A box takes a third of the budget, or less if a step needs more memory in addition. It may
 * take more if its halves together would read many pixels twice and the memory is available. An economical call has no
 * boxes that compute many more pixels than requested.
 */
static drua_status run_halves(halving *h, const drua_box *wanted)
{
    enum { SMALLEST = 64 };
    static const double AGAIN = 1.5;
    const drua_tile tile = drua_tile_of(h->work, wanted);
    const double read = drua_box_pixels(&tile.read), bytes = bytes_of(h, &tile);
    double halves_read = 0;
    const int axis = drua_box_pixels(wanted) > SMALLEST ? axis_to_cut(h->work, wanted, &halves_read) : -1;
    const bool is_small = bytes <= (double)drua_device_share(h->work->engine->device, 3) || halves_read > AGAIN * read;
    drua_status status = DRUA_E_MEMORY;
    if (h->work->plan->economical && drua_box_pixels(&tile.made) > LARGEST_OVERHEAD * drua_box_pixels(wanted))
        return status;
    if (axis < 0 || (bytes < h->too_much && is_small)) {
        status = run_tile(h->work, &tile);
        h->too_much = status == DRUA_E_MEMORY ? bytes : h->too_much;
    }
    if (status != DRUA_E_MEMORY || axis < 0)
        return status;
    drua_box halves[2];
    drua_box_halve(wanted, axis, halves);
    DRUA_TRY(run_halves(h, &halves[0]));
    return run_halves(h, &halves[1]);
}

/*
 * Allocates results for all outputs. They must be new images and, unless the operation has a region rule, exactly its
 * results.
 */
static drua_status make_box_results(halving *h)
{
    drua_work *w = h->work;
    const drua_plan *plan = w->plan;
    if (drua_changes_an_image(plan))
        return DRUA_E_MEMORY;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        if (plan->op->params[i].kind != DRUA_KIND_IMAGE_OUT)
            continue;
        const drua_shape shape = plan_written(plan, i);
        if (!w->by_region && !drua_shape_is_same_size(plan->outputs[i].natural, shape))
            return DRUA_E_MEMORY;
        DRUA_TRY(drua_make_host_result(w, i, shape, plan->outputs[i].type));
        h->pixel_bytes += drua_type_size(plan->outputs[i].type);
    }
    return DRUA_OK;
}

static drua_status call_boxes(drua_plan *plan, const drua_parts *parts)
{
    drua_engine *engine = plan->engine;
    drua_work w = {.engine = engine, .plan = plan, .by_region = plan->op->region, .tiling.parts = *parts};
    halving h = {.work = &w, .too_much = INFINITY};
    drua_extents_of(drua_cut_inputs_shape(plan), w.tiling.inputs);
    drua_extents_of(drua_outputs_shape(plan), w.tiling.outputs);
    for (int out = 0; out < 3; out++)
        w.tiling.cuts[out] = w.by_region || (parts->axis[out] >= 0 && (out > 0 || parts->columns));
    w.all = drua_box_of(w.tiling.outputs);
    drua_status status = make_box_results(&h);
    if (status == DRUA_OK)
        status = run_halves(&h, &w.all);
    drua_device_report(engine->device, -1);
    if (status == DRUA_OK)
        drua_hand_over_host_results(&w);
    drua_drop_host_results(&w, 0);
    return status;
}

/* ---- operations that say what they need */

bool drua_can_tile(const drua_plan *plan)
{
    return (plan->op->parts || plan->op->region) && !plan->scope.in_tile && plan->first_image >= 0;
}

/*
 * Returns whether a status ends the call. The next method is tried if one lacks memory or does not support the shapes
 * of this call.
 */
static bool is_final(drua_status status)
{
    return status != DRUA_E_MEMORY && status != DRUA_E_UNSUPPORTED;
}

drua_status drua_run_tiled(drua_plan *plan)
{
    const drua_op *op = plan->op;
    drua_parts parts = drua_parts_none();
    drua_status status = DRUA_E_UNSUPPORTED;
    if (op->parts)
        op->parts(plan, &parts);
    if (plan->status != DRUA_OK)
        return plan->status;
    for (size_t i = 0; i < op->param_count && op->parts; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN)
            DRUA_TRY(drua_deferred_send_below(plan->engine, plan->bound[i].value));
    for (int out = 2; out > 0 && op->parts && !is_final(status); out--)
        status = call_layers(plan, &parts, out);
    if (!is_final(status))
        status = call_boxes(plan, &parts);
    return status == DRUA_E_UNSUPPORTED ? DRUA_E_MEMORY : status;
}
