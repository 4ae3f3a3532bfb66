/* SPDX-License-Identifier: BSD-3-Clause */
#include "declared.h"

#include "alloc.h"
#include "call.h"
#include "error.h"
#include "tile_images.h"
#include "work.h"

#include <string.h>

struct drua_declared {
    drua_plan plan; /* the call on the whole images */
    drua_tiling tiling;
    bool by_region, near;
};

/* ---- properties of the operation */

/* Asks the operation for its parts. In a part, expressions know their position in the whole image along y and z only.
 * */
static drua_status ask_parts(drua_declared *d)
{
    drua_plan *plan = &d->plan;
    const drua_op *op = plan->op;
    drua_parts *parts = &d->tiling.parts;
    *parts = drua_parts_none();
    d->near = op->describe_blocks;
    d->by_region = !op->parts && !op->describe_blocks && op->region;
    if (op->expression)
        parts->columns = !drua_op_is_positional(op);
    else if (op->describe_blocks)
        op->describe_blocks(plan, parts);
    else if (op->parts)
        op->parts(plan, parts);
    else if (!op->region)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "needs all pixels of its image at once, so it cannot run block by block; run it on an image "
                         "that fits the device");
    if (plan->status == DRUA_OK && parts->scratch)
        return drua_fail(DRUA_E_UNSUPPORTED,
                         "measures all pixels of its image before it computes any, so it cannot run block by block; "
                         "run it on an image that fits the device");
    return plan->status;
}

/* Finds the axes along which boxes of the outputs may be smaller than the outputs. */
static void choose_cuts(drua_declared *d)
{
    drua_tiling *t = &d->tiling;
    drua_extents_of(drua_cut_inputs_shape(&d->plan), t->inputs);
    drua_extents_of(drua_outputs_shape(&d->plan), t->outputs);
    for (int out = 0; out < 3; out++) {
        const int axis = t->parts.axis[out];
        const bool known = axis >= 0 && (t->parts.range[out].set || t->outputs[out] == t->inputs[axis]);
        t->cuts[out] = d->by_region || (known && (out > 0 || t->parts.columns));
    }
}

static drua_status check_kinds(const drua_op *op)
{
    bool makes = false;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_param *param = &op->params[i];
        makes |= param->kind == DRUA_KIND_IMAGE_OUT;
        if (param->kind == DRUA_KIND_IMAGE_INOUT || param->kind == DRUA_KIND_IMAGES || param->replaces ||
            param->written)
            return drua_fail(
                DRUA_E_UNSUPPORTED,
                "changes an image or a file in place, so it cannot run block by block; use an operation that "
                "makes a new image");
    }
    return makes && !(op->traits & DRUA_HOST) ? DRUA_OK : drua_fail(DRUA_E_UNSUPPORTED, "makes no image");
}

/*
 * Infers the outputs, which are cut together. An existing image only determines the type, because a new image replaces
 * it.
 */
static drua_status infer_outputs(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            plan_infer(plan, i);
            if (plan->status == DRUA_OK && !drua_shape_is_same_size(plan->outputs[i].shape, plan->outputs[i].natural))
                return drua_fail(
                    DRUA_E_UNSUPPORTED,
                    "writes into an image of another size, so it cannot run block by block; give its result a "
                    "new name");
            if (plan->status == DRUA_OK && !drua_shape_is_same_size(plan->outputs[i].shape, drua_outputs_shape(plan)))
                return drua_fail(
                    DRUA_E_UNSUPPORTED,
                    "makes images of different sizes, so it cannot run block by block; run it on an image that "
                    "fits the device");
        }
    return plan->status;
}

static drua_status declare_work(drua_declared *d)
{
    drua_plan *plan = &d->plan;
    DRUA_TRY(check_kinds(plan->op));
    plan_check(plan);
    DRUA_TRY(plan->status);
    if (plan->first_image < 0)
        return drua_fail(DRUA_E_UNSUPPORTED, "reads no image");
    DRUA_TRY(infer_outputs(plan));
    DRUA_TRY(ask_parts(d));
    choose_cuts(d);
    return DRUA_OK;
}

drua_status drua_engine_declare(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_declared **declared)
{
    drua_declared *d = drua_alloc(sizeof *d);
    *declared = NULL;
    if (!d)
        return drua_fail_memory(sizeof *d);
    d->plan = (drua_plan){.engine = engine, .op = op, .bound = bound, .first_image = -1};
    const drua_status status = declare_work(d);
    plan_free(&d->plan);
    if (status == DRUA_OK)
        *declared = d;
    else
        drua_free(d);
    return status;
}

void drua_declared_free(drua_declared *declared)
{
    drua_free(declared);
}

/* ---- geometry */

drua_shape drua_declared_shape(const drua_declared *d, size_t i)
{
    return d->plan.outputs[i].shape;
}

drua_type drua_declared_type(const drua_declared *d, size_t i)
{
    return d->plan.outputs[i].type;
}

drua_status drua_declared_tile(const drua_declared *d, const drua_box *wanted, drua_tile *tile)
{
    if (!d->by_region) {
        *tile = drua_tile_for(&d->tiling, wanted);
        return DRUA_OK;
    }
    drua_plan plan = d->plan;
    *tile = (drua_tile){.wanted = *wanted, .made = *wanted};
    plan.op->region(&plan, wanted, &tile->read);
    drua_box_clip(&tile->read, d->tiling.inputs);
    plan_free(&plan);
    return plan.status;
}

/* Besides images that drua_stays_whole keeps whole, `describe_blocks` keeps all images except the first one whole. */
drua_status drua_declared_input(const drua_declared *d, size_t i, const drua_tile *tile, drua_box *box)
{
    const drua_value *value = d->plan.bound[i].value;
    bool is_all;
    if (d->plan.op->params[i].whole || (d->by_region && (int)i != d->plan.first_image) ||
        (d->near && (int)i != d->plan.first_image)) {
        *box = drua_box_of(value->shape.extent);
        return DRUA_OK;
    }
    return drua_own_box(value, &tile->read, d->tiling.inputs, box, &is_all);
}

/* ---- calls */

static drua_shape shape_of(const drua_box *box, int32_t dimension)
{
    return (drua_shape){box->end[0] - box->first[0], box->end[1] - box->first[1], box->end[2] - box->first[2],
                        dimension};
}

uint64_t drua_declared_scratch(drua_engine *engine, const drua_declared *d, const drua_tile *tile)
{
    drua_plan plan = d->plan;
    drua_bound bound[DRUA_PLAN_PARAMS];
    drua_value part = {.references = 1};
    if (!plan.op->scratch)
        return 0;
    memcpy(bound, plan.bound, plan.op->param_count * sizeof *bound);
    part.type = bound[plan.first_image].value->type;
    part.shape = shape_of(&tile->read, bound[plan.first_image].value->shape.dimension);
    bound[plan.first_image].value = &part;
    plan.bound = bound;
    plan.engine = engine;
    const uint64_t bytes = plan.op->scratch(&plan);
    plan_free(&plan);
    return bytes;
}

double drua_declared_effort(drua_engine *engine, const drua_declared *d)
{
    drua_plan plan = d->plan;
    const int64_t *halo = d->tiling.parts.halo;
    if (plan.op->expression)
        return 1;
    if (!plan.op->effort) /* a separable filter takes most neighbours from the cache */
        return 2 + (double)(halo[0] + halo[1] + halo[2]) / 2;
    plan.engine = engine;
    const double effort = plan.op->effort(&plan);
    plan_free(&plan);
    return effort;
}

drua_status drua_engine_call_declared(drua_engine *engine, const drua_declared *d, const drua_tile *tile,
                                      drua_value *const *images, drua_value **results)
{
    const drua_op *op = d->plan.op;
    const drua_call_tile place = {.whole = &d->plan, .tiling = &d->tiling, .tile = tile};
    drua_bound bound[DRUA_PLAN_PARAMS];
    memcpy(bound, d->plan.bound, op->param_count * sizeof *bound);
    for (size_t i = 0; i < op->param_count; i++) {
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN)
            bound[i].value = images[i];
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT) {
            bound[i].value = NULL;
            bound[i].type = d->plan.outputs[i].type;
            bound[i].type_of_source = false;
        }
    }
    const drua_request request = {
        .op = op, .bound = bound, .tile = d->near ? NULL : &place, .scope = drua_scope_of_tile(&d->plan)};
    const drua_status status = engine->executor->call(engine, &request);
    for (size_t i = 0; i < op->param_count; i++) {
        drua_free(bound[i].text_result);
        results[i] = status == DRUA_OK ? bound[i].result : NULL;
        if (results[i])
            results[i]->in_tile = false; /* a separate image from now on */
    }
    return status;
}

drua_status drua_engine_see(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part)
{
    const drua_box all = drua_box_of(value->shape.extent);
    if (memcmp(box, &all, sizeof all))
        return drua_share_box(engine, value, box, value->shape.dimension, part);
    drua_value_retain(value);
    *part = value;
    return DRUA_OK;
}
