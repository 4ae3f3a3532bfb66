/* SPDX-License-Identifier: BSD-3-Clause */
#include "part.h"

#include "deferred.h"
#include "strategy.h"
#include "tiled.h"
#include "work.h"

#include <string.h>

static bool is_all_of(const drua_box *box, const int64_t extent[3])
{
    const drua_box all = drua_box_of(extent);
    return !memcmp(box, &all, sizeof all);
}

/*
 * Chooses to cut along each axis along which the box has only a part, if the operation declares the pixels that this
 * part needs. Returns false if no axis can be cut.
 */
static bool choose_cuts(drua_work *w, const drua_box *box)
{
    const drua_parts *parts = &w->tiling.parts;
    bool any = false;
    for (int out = 0; out < 3; out++) {
        const int axis = parts->axis[out];
        const bool is_known = axis >= 0 && (parts->range[out].set || w->tiling.outputs[out] == w->tiling.inputs[axis]);
        const bool is_part = box->end[out] - box->first[out] < w->tiling.outputs[out];
        w->tiling.cuts[out] = w->by_region || (is_part && is_known && (out > 0 || parts->columns));
        any = any || w->tiling.cuts[out];
    }
    return any;
}

/* The requested box in positions of a tile's result. */
static drua_box box_in_tile(const drua_work *w, const drua_tile *tile, const drua_box *box)
{
    drua_box own = *box;
    for (int axis = 0; axis < 3; axis++)
        if (w->tiling.cuts[axis]) {
            own.first[axis] -= tile->made.first[axis];
            own.end[axis] -= tile->made.first[axis];
        }
    return own;
}

static drua_status call_and_cut(drua_work *w, const drua_box *box, drua_value **part, bool *all)
{
    const size_t first = plan_first_output(w->plan->op);
    drua_value *results[DRUA_PLAN_PARAMS] = {NULL};
    drua_substitutes substitutes = {.in_tile = true};
    drua_box wanted = drua_box_of(w->tiling.outputs);
    for (int axis = 0; axis < 3; axis++)
        if (w->tiling.cuts[axis]) {
            wanted.first[axis] = box->first[axis];
            wanted.end[axis] = box->end[axis];
        }
    const drua_tile tile = drua_tile_of(w, &wanted);
    drua_status status = drua_call_on_tile(w, &tile, &substitutes, results);
    drua_substitutes_release(w->engine, &substitutes);
    const drua_box own = box_in_tile(w, &tile, box);
    for (int axis = 0; axis < 3 && status == DRUA_OK; axis++)
        if (results[first]->shape.extent[axis] < own.end[axis])
            status = DRUA_E_UNSUPPORTED;
    if (status == DRUA_OK)
        status = drua_view_of_box(w->engine, results[first], &own, part);
    for (int i = 0; i < DRUA_PLAN_PARAMS; i++)
        drua_value_release(w->engine, results[i]);
    *all = is_all_of(&tile.read, w->tiling.inputs);
    return status;
}

/* Computes the box from parts of the inputs. Returns DRUA_E_UNSUPPORTED if the operation needs all pixels. */
static drua_status run_cut(drua_plan *plan, const drua_box *box, drua_value **part, bool *all)
{
    const drua_op *op = plan->op;
    drua_engine *engine = plan->engine;
    drua_work w = {.engine = engine, .plan = plan, .by_region = op->region, .tiling.parts = drua_parts_none()};
    if (op->expression || op->build || !op->launch || !drua_can_tile(plan))
        return DRUA_E_UNSUPPORTED;
    drua_extents_of(drua_cut_inputs_shape(plan), w.tiling.inputs);
    drua_extents_of(drua_outputs_shape(plan), w.tiling.outputs);
    if (op->parts)
        op->parts(plan, &w.tiling.parts);
    if (plan->status != DRUA_OK)
        return plan->status;
    if (!choose_cuts(&w, box))
        return DRUA_E_UNSUPPORTED;
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN)
            DRUA_TRY(drua_deferred_send_below(engine, plan->bound[i].value));
    return call_and_cut(&w, box, part, all);
}

/* Cuts the box out of the whole result. If the result is pending pointwise work, only the box is computed. */
static drua_status cut_whole(drua_plan *plan, const drua_box *box, drua_value **part, bool *all)
{
    drua_value *whole = plan->bound[plan_first_output(plan->op)].result, *cut;
    drua_substitutes substitutes = {.count = 0};
    *all = whole->buffer || drua_value_is_deferred(whole);
    if (*all)
        return drua_view_of_box(plan->engine, whole, box, part);
    drua_status status = drua_deferred_send_below(plan->engine, whole);
    if (status == DRUA_OK)
        status = drua_substitute(plan->engine, whole, box, whole->shape.extent, &substitutes, &cut);
    if (status == DRUA_OK) {
        const drua_box own = drua_box_of(cut->shape.extent);
        status = drua_view_of_box(plan->engine, cut, &own, part);
    }
    drua_substitutes_release(plan->engine, &substitutes);
    return status;
}

drua_status drua_run_part(drua_plan *plan, const drua_box *box, drua_value **part, bool *all)
{
    drua_status status = run_cut(plan, box, part, all);
    if (status != DRUA_E_UNSUPPORTED && status != DRUA_E_MEMORY)
        return status;
    plan->status = DRUA_OK;
    drua_run_strategies(plan, "view");
    return plan->status == DRUA_OK ? cut_whole(plan, box, part, all) : plan->status;
}
