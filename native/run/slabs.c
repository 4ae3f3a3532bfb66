/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that does not fit the device at once runs in slabs along z or bands along y: each part of the inputs, with as many
 * pixels more as the operation needs, goes to the device, is computed as if it were an image of its own, and what is right of
 * the result goes to the host, where the whole result lives until it is used.
 */
#include "tiled.h"

#include "alloc.h"
#include "deferred.h"
#include "error.h"
#include "materialize.h"
#include "run.h"

#include <string.h>

enum { MOST_VALUES = 4 * DRUA_PENDING_VALUES, PARAMS = 32 };

/* A range of an axis of all inputs. */
typedef struct range {
    int axis;                   /* 0: x, 1: y, 2: z */
    int64_t extent, first, end;
} range;

/* What stands for values in a slab; each has one reference. */
typedef struct stand_ins {
    const drua_value *of[MOST_VALUES];
    drua_value *slab[MOST_VALUES];
    int count;
} stand_ins;

static void release_all(drua_engine *engine, stand_ins *s)
{
    while (s->count > 0)
        drua_value_release(engine, s->slab[--s->count]);
}

/* ---- parts of inputs */

/* The range of a value that shares its memory. */
static drua_value *shared_part(const drua_value *value, range r)
{
    drua_shape shape = value->shape;
    *drua_extent_along(&shape, r.axis) = r.end - r.first;
    drua_value *part = drua_value_new(shape, value->type);
    if (!part)
        return NULL;
    part->layout = value->layout;
    part->layout.width = (int32_t)shape.width;
    part->layout.height = (int32_t)shape.height;
    part->layout.depth = (int32_t)shape.depth;
    part->layout.offset += r.first * (r.axis == 2 ? value->layout.plane : r.axis == 1 ? value->layout.row : value->layout.column);
    part->buffer = value->buffer;
    drua_buffer_retain(part->buffer);
    return part;
}

static bool has_dense_rows(const drua_layout *l)
{
    return l->column == 1 && (l->height == 1 || l->row == l->width);
}

/* Sends the range of a value whose pixels are on the host. */
static drua_status upload_part(drua_engine *engine, const drua_value *seen, drua_value *part)
{
    const drua_layout *l = &seen->layout;
    const size_t size = drua_type_size(seen->type), plane = (size_t)(part->shape.width * part->shape.height) * size;
    const bool direct = has_dense_rows(l);
    void **planes = drua_alloc((size_t)part->shape.depth * sizeof *planes);
    char *gathered = direct ? NULL : drua_alloc((size_t)part->shape.depth * plane);
    drua_status status = planes && (direct || gathered) ? DRUA_OK : drua_fail_memory(plane);
    for (int64_t z = 0; z < part->shape.depth && status == DRUA_OK; z++)
        planes[z] = direct ? (char *)drua_buffer_host(seen->buffer) + (size_t)(l->offset + z * l->plane) * size : gathered + (size_t)z * plane;
    if (status == DRUA_OK && !direct)
        drua_device_download(engine->device, drua_value_view(seen), planes);
    if (status == DRUA_OK)
        status = drua_value_allocate_dense(engine, part);
    if (status == DRUA_OK)
        status = drua_device_upload(engine->device, drua_value_view(part), (const void *const *)planes);
    drua_free(gathered);
    drua_free(planes);
    return status;
}

static drua_status resident_part(drua_engine *engine, const drua_value *value, range r, drua_value **out)
{
    enum { SMALL_PART = 16 };
    drua_value *seen = shared_part(value, r), *part = NULL;
    if (!seen)
        return DRUA_E_MEMORY;
    drua_status status = DRUA_OK;
    if (drua_buffer_bytes(value->buffer) > drua_device_statistics(engine->device)->budget_bytes / SMALL_PART)
        status = drua_buffer_spill(value->buffer);
    if (status != DRUA_OK || !drua_buffer_host(value->buffer)) {
        part = seen;
        drua_value_retain(seen);
    } else if ((part = drua_value_new(seen->shape, seen->type)) != NULL) {
        status = upload_part(engine, seen, part);
    } else {
        status = DRUA_E_MEMORY;
    }
    drua_value_release(engine, seen);
    if (status != DRUA_OK) {
        drua_value_release(engine, part);
        return status;
    }
    *out = part;
    return DRUA_OK;
}

static drua_status stand_in(drua_engine *engine, drua_value *value, range r, stand_ins *all, drua_value **out);

/* The same operation on the range of its inputs. */
static drua_status virtual_part(drua_engine *engine, const drua_value *value, range r, stand_ins *all, drua_value **out)
{
    const drua_node *node = value->node;
    drua_value *inputs[DRUA_NODE_INPUTS];
    drua_shape shape = value->shape;
    *drua_extent_along(&shape, r.axis) = r.end - r.first;
    for (int i = 0; i < node->input_count; i++)
        DRUA_TRY(stand_in(engine, node->inputs[i], r, all, &inputs[i]));
    DRUA_TRY(drua_value_record(engine, node->op, shape, value->type, inputs, node->input_count, node->scalars, out));
    (*out)->node->line = node->line;
    memcpy((*out)->origin, value->origin, sizeof value->origin);
    (*out)->origin[r.axis] += r.first;
    return DRUA_OK;
}

/* What stands for `value` in a slab, borrowed from `all`. DRUA_E_UNSUPPORTED if it has another extent than the others. */
static drua_status stand_in(drua_engine *engine, drua_value *value, range r, stand_ins *all, drua_value **out)
{
    for (int i = 0; i < all->count; i++)
        if (all->of[i] == value) {
            *out = all->slab[i];
            return DRUA_OK;
        }
    const int64_t extent = *drua_extent_along(&value->shape, r.axis);
    if (all->count == MOST_VALUES || (extent != r.extent && extent != 1))
        return DRUA_E_UNSUPPORTED;
    if (extent == 1 && r.extent > 1) {      /* every slab reads all of it */
        drua_value_retain(value);
        *out = value;
    } else if (value->buffer) {
        DRUA_TRY(resident_part(engine, value, r, out));
    } else {
        DRUA_TRY(virtual_part(engine, value, r, all, out));
    }
    if (all->count == MOST_VALUES) {
        drua_value_release(engine, *out);
        return DRUA_E_UNSUPPORTED;
    }
    all->of[all->count] = value;
    all->slab[all->count++] = *out;
    return DRUA_OK;
}

/* ---- the loop over slabs */

/* Work that can be run for a part of its outputs. */
typedef struct work {
    drua_engine *engine;
    int64_t halo, tile;
    bool alike, economical;         /* as drua_parts and drua_plan say */
    int64_t thick;              /* layers of the outputs that a slab makes */
    drua_reach reach;           /* where it is set, instead of the halo */
    int axis, out_axis;         /* 0: x, 1: y, 2: z; of outputs not x */
    int64_t inputs, extent;     /* of inputs along `axis`, of outputs along `out_axis` */
    int64_t first, end;         /* what there is to do of the outputs */
    uint64_t layer_bytes;       /* of all inputs and outputs that are one pixel thick there */
    drua_value *outputs[PARAMS];    /* whole, on the host; NULL: none */
    char *before[PARAMS];       /* what is overwritten of those that are changed in place */
    drua_status (*run)(struct work *w, range inputs, range outputs, drua_value **results);      /* one reference each */
    void *what;
} work;

static drua_status make_home(work *w, size_t i, drua_shape shape, drua_type type)
{
    w->outputs[i] = drua_value_new(shape, type);
    return w->outputs[i] ? drua_buffer_make_on_host(w->engine->device, drua_value_bytes(w->outputs[i]), &w->outputs[i]->buffer) : DRUA_E_MEMORY;
}

/* Copies from `from` on, along the axis, as many layers as `r` has to their place in the whole result. */
static drua_status bring_home(work *w, const drua_value *whole, const drua_value *result, int64_t from, range r)
{
    drua_value *core = shared_part(result, (range){w->out_axis, 0, from, from + r.end - r.first});
    if (!core)
        return DRUA_E_MEMORY;
    const size_t size = drua_type_size(whole->type);
    const drua_layout *l = &whole->layout;
    void **planes = drua_alloc((size_t)core->shape.depth * sizeof *planes);
    drua_status status = planes ? DRUA_OK : drua_fail_memory(sizeof *planes);
    for (int64_t z = 0; z < core->shape.depth && status == DRUA_OK; z++)
        planes[z] = (char *)drua_buffer_host(whole->buffer) +
                    (size_t)(w->out_axis == 2 ? (r.first + z) * l->plane : z * l->plane + r.first * l->row) * size;
    if (status == DRUA_OK)
        status = drua_engine_pull(w->engine, core, &(drua_planes){.payload = planes});
    drua_free(planes);
    drua_value_release(w->engine, core);
    return status;
}

static int64_t within(double layer, int64_t least, int64_t most)
{
    return layer <= (double)least ? least : layer >= (double)most ? most : (int64_t)layer;
}

/* What of the inputs some layers of the outputs need. */
static range needed(const work *w, range outputs)
{
    const drua_reach *r = &w->reach;
    double first = (double)(outputs.first - w->halo), last = (double)(outputs.end - 1 + w->halo);
    if (r->set) {
        const double a = r->step * (double)outputs.first, b = r->step * (double)(outputs.end - 1);
        first = floor(fmin(a, b) + r->least);
        last = floor(fmax(a, b) + r->most);
    }
    range inputs = {w->axis, w->inputs, within(first, 0, w->inputs - 1), 0};
    inputs.end = within(last, inputs.first, w->inputs - 1) + 1;
    const int64_t usual = w->thick + 2 * w->halo;
    if (w->alike && !r->set && inputs.end - inputs.first < usual) {
        inputs.end = inputs.first + usual < w->inputs ? inputs.first + usual : w->inputs;
        inputs.first = inputs.end > usual ? inputs.end - usual : 0;
    }
    inputs.first -= w->tile ? inputs.first % w->tile : 0;
    return inputs;
}

static drua_status run_slab(work *w, int64_t first, int64_t end)
{
    drua_value *results[PARAMS] = {NULL};
    const range outputs = {w->out_axis, w->extent, first, end}, inputs = needed(w, outputs);
    drua_status status = w->run(w, inputs, outputs, results);
    for (int i = 0; i < PARAMS; i++) {
        if (w->outputs[i] && status == DRUA_OK)
            status = bring_home(w, w->outputs[i], results[i], w->reach.set ? 0 : first - inputs.first, outputs);
        drua_value_release(w->engine, results[i]);
    }
    drua_device_statistics(w->engine->device)->slabs += status == DRUA_OK;
    return status;
}

/* Of slabs of a third of the budget, so that there is room for scratch; less than 1 where that has no room for what surrounds them. */
static int64_t thickness(const work *w)
{
    return (int64_t)(drua_device_share(w->engine->device, 3) / w->layer_bytes) - 2 * w->halo - w->tile;
}

/* Slabs are thinner where one does not fit. */
static drua_status run_slabs(work *w)
{
    const int64_t most = thickness(w), least = w->reach.set || w->halo < 1 ? 1 : w->halo;    /* else layers are computed again and again */
    w->thick = most < least ? least : most;
    w->thick = w->thick < w->extent ? w->thick : w->extent;
    drua_status status = DRUA_OK;
    w->engine->in_tiles = true;
    for (int64_t first = w->first; first < w->end && status == DRUA_OK;) {
        const int64_t end = first + w->thick < w->end ? first + w->thick : w->end;
        status = run_slab(w, first, end);
        if (status == DRUA_OK) {
            first = end;
            drua_device_report(w->engine->device, (double)(first - w->first) / (double)(w->end - w->first));
        } else if (status == DRUA_E_MEMORY && w->thick > 1) {
            w->thick = (end - first + 1) / 2 < w->thick ? (end - first + 1) / 2 : w->thick / 2;
            status = w->economical && w->thick + 2 * w->halo > LARGEST_OVERHEAD * w->thick ? DRUA_E_MEMORY : DRUA_OK;
        }
    }
    w->engine->in_tiles = false;
    drua_device_report(w->engine->device, -1);
    return status;
}

/* Layers from `first` to before `end` of an output, kept or brought back. */
static void copy_before(const work *w, size_t i, bool back)
{
    const drua_layout *l = &w->outputs[i]->layout;
    const size_t size = drua_type_size((drua_type)l->type), step = (size_t)(w->out_axis == 2 ? l->plane : l->row) * size;
    const size_t bytes = (size_t)(w->end - w->first) * step, runs = w->out_axis == 2 ? 1 : (size_t)l->depth;
    char *at = (char *)drua_buffer_host(w->outputs[i]->buffer) + (size_t)w->first * step, *kept = w->before[i];
    for (size_t z = 0; z < runs; z++, at += (size_t)l->plane * size, kept += bytes)
        memcpy(back ? at : kept, back ? kept : at, bytes);
}

/* What was not handed over goes, and images that were changed are as before. */
static void drop_homes(work *w)
{
    for (size_t i = 0; i < PARAMS; i++) {
        if (w->before[i] && w->outputs[i])
            copy_before(w, i, true);
        drua_free(w->before[i]);
        w->before[i] = NULL;
        drua_value_release(w->engine, w->outputs[i]);
        w->outputs[i] = NULL;
    }
}

/* ---- chains */

static drua_status run_chain(work *w, range inputs, range outputs, drua_value **results)
{
    (void)outputs;
    stand_ins all = {.count = 0};
    drua_value *root = NULL;
    drua_status status = stand_in(w->engine, w->what, inputs, &all, &root);
    if (status == DRUA_OK)
        status = drua_materialize_whole(w->engine, root);
    if (status == DRUA_OK) {
        drua_value_retain(root);
        results[0] = root;
    }
    release_all(w->engine, &all);
    return status;
}

drua_status drua_run_chain_tiled(drua_engine *engine, drua_value *value)
{
    enum { IMAGES_OF_CHAIN = 3 };
    if (engine->in_tiles || !value->node)
        return DRUA_E_MEMORY;
    DRUA_TRY(drua_deferred_send_below(engine, value));
    for (int axis = 2; axis > 0; axis--) {
        work w = {.engine = engine, .axis = axis, .out_axis = axis, .extent = *drua_extent_along(&value->shape, axis), .run = run_chain, .what = value};
        w.inputs = w.end = w.extent;
        w.layer_bytes = IMAGES_OF_CHAIN * drua_value_bytes(value) / (uint64_t)w.extent + 1;
        if (w.extent == 1)
            continue;
        drua_status status = make_home(&w, 0, value->shape, value->type);
        if (status == DRUA_OK)
            status = run_slabs(&w);
        if (status == DRUA_OK) {
            value->buffer = w.outputs[0]->buffer;
            w.outputs[0]->buffer = NULL;
            drua_value_drop_node(engine, value);
        }
        drop_homes(&w);
        if (status != DRUA_E_MEMORY && status != DRUA_E_UNSUPPORTED)
            return status;
    }
    return DRUA_E_MEMORY;
}

/* ---- operations that say what they need */

/* Whether an output is an image that is there and keeps some of its pixels. */
static bool is_changed(const drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    return param->kind == DRUA_KIND_IMAGE_INOUT || (param->kind == DRUA_KIND_IMAGE_OUT && param->partial && plan->bound[i].value);
}

/* Runs the operation on parts of its images. */
static drua_status run_part(work *w, range inputs, range outputs, drua_value **results)
{
    const drua_plan *plan = w->what;
    const drua_call_tile place = {.call = plan, .axis = w->axis, .out_axis = w->out_axis, .from = inputs.first, .cut = w->reach.set,
                             .first = outputs.first, .end = outputs.end};
    drua_bound bound[DRUA_PLAN_PARAMS];
    stand_ins all = {.count = 0};
    drua_status status = DRUA_OK;
    memcpy(bound, plan->bound, plan->op->param_count * sizeof *bound);
    for (size_t i = 0; i < plan->op->param_count && status == DRUA_OK; i++) {
        bound[i].result = NULL;
        bound[i].text_result = NULL;
        const drua_param *param = &plan->op->params[i];
        if (param->kind == DRUA_KIND_IMAGE_IN && !param->whole)
            status = stand_in(w->engine, plan->bound[i].value, inputs, &all, &bound[i].value);
        else if (is_changed(plan, i))
            status = stand_in(w->engine, w->outputs[i], w->reach.set ? outputs : inputs, &all, &bound[i].value);
        else if (w->outputs[i]) {
            bound[i].value = NULL;
            bound[i].type = plan->outputs[i].type;
        }
    }
    if (status == DRUA_OK) {
        w->engine->tile = &place;
        status = drua_engine_call(w->engine, plan->op, bound, NULL);
    }
    for (size_t i = 0; i < plan->op->param_count && status == DRUA_OK; i++)
        results[i] = bound[i].result;
    release_all(w->engine, &all);
    return status;
}

/* The image that is changed, or a copy where somebody else sees it, dense and on the host. */
static drua_status make_changed(work *w, size_t i, drua_value *old)
{
    drua_device_commit();
    DRUA_TRY(drua_value_materialize(w->engine, old));
    if (old->references == 1 && !drua_buffer_is_shared(old->buffer) && drua_layout_is_dense(&old->layout)) {
        const uint64_t bytes = drua_value_bytes(old) / (uint64_t)w->extent * (uint64_t)(w->end - w->first);
        DRUA_TRY(drua_buffer_bring_home(old->buffer));
        if (!(w->before[i] = drua_alloc(bytes)))
            return drua_fail_memory(bytes);
        drua_value_retain(old);
        w->outputs[i] = old;
        copy_before(w, i, false);
        old->has_largest_label = false;
        return DRUA_OK;
    }
    DRUA_TRY(make_home(w, i, old->shape, old->type));
    return drua_copy_region(w->engine, drua_value_view(old), drua_value_view(w->outputs[i]), 0, 0, 0);
}

/* Homes for all outputs; false if one of them is not what the operation makes by itself. */
static bool make_homes(work *w, const drua_plan *plan, drua_status *status)
{
    for (size_t i = 0; i < plan->op->param_count && *status == DRUA_OK; i++) {
        const drua_kind kind = plan->op->params[i].kind;
        if (kind == DRUA_KIND_IMAGE_IN)
            w->layer_bytes += drua_value_bytes(plan->bound[i].value) / (uint64_t)w->extent;
        if (kind != DRUA_KIND_IMAGE_OUT && kind != DRUA_KIND_IMAGE_INOUT)
            continue;
        drua_shape shape = plan_written(plan, i);
        if (*drua_extent_along(&shape, w->out_axis) != w->extent)
            return false;
        if (is_changed(plan, i))
            *status = make_changed(w, i, plan->bound[i].value);
        else if (!w->reach.set && !drua_shape_is_same_size(plan->outputs[i].natural, shape))
            return false;
        else
            *status = make_home(w, i, shape, plan->outputs[i].type);
        if (*status == DRUA_OK)
            w->layer_bytes += drua_value_bytes(w->outputs[i]) / (uint64_t)w->extent;
    }
    return true;
}

bool drua_slabs_serve(const drua_plan *plan)
{
    return plan->op->parts && !plan->engine->in_tiles && plan->first_image >= 0;
}

static int64_t extent_of_outputs(const drua_plan *plan, int axis)
{
    drua_shape shape = {0};
    for (size_t i = plan->op->param_count; i-- > 0;)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT || plan->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            shape = plan_written(plan, i);
    return *drua_extent_along(&shape, axis);
}

/* Boxes are smaller then. */
static bool is_mostly_halo(const work *w)
{
    return w->halo > 0 && !w->reach.set && thickness(w) < w->halo / 2;
}

static bool changes_an_image(const drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (is_changed(plan, i))
            return true;
    return false;
}

drua_shape drua_slabs_inputs(const drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_param *param = &plan->op->params[i];
        if ((param->kind == DRUA_KIND_IMAGE_IN && !param->whole) || param->kind == DRUA_KIND_IMAGE_INOUT)
            return plan->bound[i].value->shape;
    }
    return plan->bound[plan->first_image].value->shape;
}

drua_status drua_slabs_call(drua_plan *plan)
{
    drua_parts parts = {.axis = {0, 1, 2}};
    plan->op->parts(plan, &parts);
    if (plan->status != DRUA_OK)
        return plan->status;
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            DRUA_TRY(drua_deferred_send_below(plan->engine, plan->bound[i].value));
    const bool changes = changes_an_image(plan);
    drua_shape shape = drua_slabs_inputs(plan);
    for (int out_axis = 2; out_axis > 0; out_axis--) {
        const int axis = parts.axis[out_axis];
        if (axis < (parts.reach[out_axis].set ? 0 : 1))
            continue;
        work w = {.engine = plan->engine, .halo = parts.halo[axis], .tile = parts.tile[axis], .alike = parts.alike, .economical = plan->economical, .reach = parts.reach[out_axis], .axis = axis,
                  .out_axis = out_axis, .inputs = *drua_extent_along(&shape, axis), .layer_bytes = 1, .run = run_part, .what = plan};
        w.extent = w.reach.set ? extent_of_outputs(plan, out_axis) : w.inputs;
        w.first = parts.first[out_axis] < 0 ? 0 : parts.first[out_axis] < w.extent ? parts.first[out_axis] : w.extent;
        w.end = parts.end[out_axis] > 0 && parts.end[out_axis] < w.extent ? parts.end[out_axis] : w.extent;
        drua_status status = DRUA_OK;
        if (w.extent == 1 || !make_homes(&w, plan, &status) || (parts.columns && !changes && is_mostly_halo(&w))) {
            drop_homes(&w);
            continue;
        }
        plan->engine->tile_scratch = parts.given;
        if (status == DRUA_OK)
            status = run_slabs(&w);
        plan->engine->tile_scratch = NULL;
        for (size_t i = 0; i < plan->op->param_count && status == DRUA_OK; i++) {
            plan->bound[i].result = w.outputs[i];
            w.outputs[i] = NULL;
        }
        drop_homes(&w);
        if (status != DRUA_E_MEMORY && status != DRUA_E_UNSUPPORTED)
            return status;
    }
    return DRUA_E_MEMORY;
}
