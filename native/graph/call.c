/* SPDX-License-Identifier: BSD-3-Clause */
/* One call: check, infer, then record (pointwise), share (views), send (kernels, some of them later) or spread out (composites). */
#include "slabs.h"

#include "alloc.h"
#include "around.h"
#include "error.h"
#include "fft.h"
#include "registry.h"
#include "text.h"
#include "tune.h"

#include <stdlib.h>
#include <string.h>

/* Narrow images would grow by much; processors load vectors from anywhere. */
static int64_t narrowest_of(const drua_device_info *info)
{
    enum { NARROWEST = 65 };
    const char *wish = getenv("DRUA_ROWS");
    const int64_t narrowest = wish ? atoll(wish) : info->is_gpu ? NARROWEST : 0;
    return narrowest > 0 ? narrowest : INT64_MAX;
}

drua_status drua_graph_open(drua_engine *engine, drua_device *device)
{
    const char *fuse = getenv("DRUA_FUSE"), *sync = getenv("DRUA_SYNC");
    *engine = (drua_engine){.device = device, .fuse = !fuse || strcmp(fuse, "0"), .always_eager = sync && !strcmp(sync, "1")};
    engine->eager = engine->always_eager;
    engine->narrowest = narrowest_of(drua_device_facts(device));
    engine->chain_source = drua_chain_source();
    engine->compiler = drua_compiler_new();
    engine->tuner = drua_tuner_open(drua_device_facts(device));
    if (!engine->chain_source || !engine->compiler)
        return drua_fail_memory(1);
    return drua_device_add_source(device, "chain", engine->chain_source);
}

void drua_graph_close(drua_engine *engine)
{
    drua_fft_close(engine->fft);
    drua_compiler_free(engine);
    drua_specials_free(engine);
    drua_written_free(engine);
    drua_tuner_close(engine->tuner);
    drua_free(engine->records);
    drua_free(engine->chain_source);
}

/* ---- writing into images that exist */

/* Whether this call also reads the value that it overwrites. */
static bool is_read(const drua_plan *plan, const drua_value *value)
{
    for (size_t i = 0; i < plan->op->param_count; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN && plan->bound[i].value == value)
            return true;
    return false;
}

/* Memory for an output: on the host where the device cannot take it and the operation only copies. */
static drua_status allocate(drua_plan *plan, drua_value *value)
{
    drua_device *device = plan->engine->device;
    const uint64_t bytes = drua_value_bytes(value);
    if (!(plan->op->traits & DRUA_COPIES) || drua_device_holds(device, bytes))
        return drua_value_allocate(plan->engine, value);
    return drua_buffer_make_on_host(device, bytes, &value->buffer);
}

/* A resident value with the pixels of `old` that may be written: `old` itself if nobody else sees it and `in_place`, else a copy. */
static void make_writable(drua_plan *plan, drua_value *old, bool in_place, drua_value **writable)
{
    drua_engine *engine = plan->engine;
    if (!plan_try(plan, drua_value_force(engine, old)))
        return;
    if (in_place && old->references == 1 && !drua_buffer_is_shared(old->buffer) && !is_read(plan, old)) {
        drua_value_retain(old);
        drua_device_commit();
        old->has_largest_label = false;
        *writable = old;
        return;
    }
    drua_value *copy = drua_value_new(old->shape, old->type);
    if (!copy) {
        plan->status = DRUA_E_MEMORY;
        return;
    }
    if (plan_try(plan, allocate(plan, copy)) &&
        plan_try(plan, drua_copy_region(engine, drua_value_view(old), drua_value_view(copy), 0, 0, 0)))
        *writable = copy;
    else
        drua_value_release(engine, copy);
}

/* What the operation made, laid over the image that exists and is of another size. */
static void lay_over(drua_plan *plan, drua_value *old, bool in_place, drua_value **made)
{
    drua_value *base = NULL;
    make_writable(plan, old, in_place, &base);
    if (base && plan_try(plan, drua_value_force(plan->engine, *made)) &&
        plan_try(plan, drua_copy_region(plan->engine, drua_value_view(*made), drua_value_view(base), 0, 0, 0))) {
        drua_value_release(plan->engine, *made);
        *made = base;
    } else {
        drua_value_release(plan->engine, base);
    }
}

static bool lies_over(const drua_plan *plan, size_t i)
{
    const drua_value *made = plan->bound[i].result, *old = plan->bound[i].value;
    return plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT && made && old && made != old && !drua_shape_is_same_size(made->shape, old->shape);
}

/* Of several images none changes before the last one has succeeded. */
static void finish_outputs(drua_plan *plan)
{
    int count = 0;
    for (size_t i = 0; i < plan->op->param_count; i++)
        count += lies_over(plan, i);
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (lies_over(plan, i))
            lay_over(plan, plan->bound[i].value, count == 1, &plan->bound[i].result);
}

/* ---- the mechanisms */

size_t plan_first_output(const drua_op *op)
{
    size_t i = 0;
    while (op->params[i].kind != DRUA_KIND_IMAGE_OUT && op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
        i++;
    return i;
}

void plan_limit_window(drua_plan *plan)
{
    while (plan->status == DRUA_OK && plan->engine->unsent_count > DRUA_WINDOW) {
        drua_value *oldest = plan->engine->unsent;
        while (oldest->next)
            oldest = oldest->next;
        plan_try(plan, drua_value_force(plan->engine, oldest));
    }
}

static void record(drua_plan *plan)
{
    const drua_op *op = plan->op;
    drua_value *inputs[DRUA_NODE_INPUTS];
    float scalars[DRUA_NODE_SCALARS] = {0};
    int input_count = 0, scalar_count = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        drua_kind kind = op->params[i].kind;
        if (kind == DRUA_KIND_IMAGE_IN || kind == DRUA_KIND_IMAGE_INOUT)
            inputs[input_count++] = plan->bound[i].value;
        else if (kind == DRUA_KIND_NUMBER || kind == DRUA_KIND_INTEGER || kind == DRUA_KIND_BOOLEAN)
            scalars[scalar_count++] = (float)plan->bound[i].number;
    }
    while (input_count > 0 && !drua_op_mentions(op, (char)('a' + input_count - 1)))
        input_count--;
    size_t i = plan_first_output(op);
    drua_value *value = drua_chain_find(plan->engine, op, plan_written(plan, i), plan->outputs[i].type, inputs, input_count, scalars);
    if (value)
        drua_value_retain(value);
    else if (!plan_try(plan, drua_value_virtual(plan->engine, op, plan_written(plan, i), plan->outputs[i].type, inputs, input_count,
                                                scalars, &value)))
        return;
    plan->bound[i].result = value;
    if (!plan->engine->fuse || plan->engine->eager || value->node->depth >= DRUA_CHAIN_STEPS)
        plan_try(plan, drua_value_force(plan->engine, value));
    plan_limit_window(plan);
}

static void force_inputs(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            plan_try(plan, drua_value_force(plan->engine, plan->bound[i].value));
}

/* Under none of its names, if it has such, does the call change the image. */
static bool is_only_read(drua_plan *plan, size_t i)
{
    const drua_op *op = plan->op;
    const drua_name *names = NULL;
    size_t count = 0;
    bool listed = false, read = true;
    for (size_t k = 0; k < op->param_count && op->only_reads; k++)
        if (op->params[k].kind == DRUA_KIND_IMAGES) {
            names = plan->bound[k].names;
            count = plan->bound[k].length;
        }
    for (size_t k = 0; k < count; k++)
        if (names[k].param == (int)i) {
            listed = true;
            read = read && op->only_reads(plan, names[k].text);
        }
    return op->only_reads && read && (listed || op->only_reads(plan, op->params[i].name));
}

static void make_output(drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    drua_bound *bound = &plan->bound[i];
    if (param->kind == DRUA_KIND_IMAGE_INOUT && is_only_read(plan, i)) {
        plan_try(plan, drua_value_force(plan->engine, bound->value));
        return;
    }
    bool keeps = param->kind == DRUA_KIND_IMAGE_INOUT || (param->partial && bound->value);
    if (keeps) {
        make_writable(plan, bound->value, true, &bound->result);
        return;
    }
    /* an image that exists may be larger than what the operation makes; no pixel may show what was in memory before */
    const bool clears = param->partial || !drua_shape_is_same_size(plan_written(plan, i), plan->outputs[i].natural);
    bound->result = drua_value_new(plan_written(plan, i), plan->outputs[i].type);
    if (!bound->result)
        plan->status = DRUA_E_MEMORY;
    else if (plan_is_on_host(plan, param, bound->result))
        plan_try(plan, drua_buffer_make_on_host(plan->engine->device, drua_value_bytes(bound->result), &bound->result->buffer));
    else if (plan_try(plan, allocate(plan, bound->result)) && clears)
        plan_clear(plan, drua_value_view(bound->result));
}

drua_buffer *plan_made(const drua_plan *plan)
{
    const drua_value *result = plan->bound[plan_first_output(plan->op)].result;
    return result ? result->buffer : NULL;
}

static double image_bytes(const drua_plan *plan)
{
    double bytes = 0;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_value *value = plan->bound[i].result ? plan->bound[i].result : plan->bound[i].value;
        if (drua_kind_is_image(plan->op->params[i].kind) && value)
            bytes += (double)drua_value_bytes(value);
    }
    return bytes;
}

void plan_send(drua_plan *plan)
{
    drua_device *device = plan->engine->device;
    force_inputs(plan);
    if (plan->status == DRUA_OK && !plan->part && !plan->around)
        plan_try(plan, drua_graph_send_waiting(plan->engine));
    if (plan->status == DRUA_OK && drua_is_timed(plan->engine))
        plan_try(plan, drua_device_finish(device));
    const uint64_t launches = drua_device_statistics(device)->launches;
    const double start = drua_seconds();
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT || plan->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            make_output(plan, i);
    plan->trial.measured = false;
    plan->choice.why = NULL;
    plan->compiled = false;
    if (plan->status == DRUA_OK)
        plan->op->plan(plan);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_tune_end(plan->engine, &plan->trial));
    if (plan->status == DRUA_OK && drua_is_timed(plan->engine))
        plan_try(plan, drua_device_finish(device));
    if (plan->status == DRUA_OK)
        drua_explain_operation(plan, drua_device_statistics(device)->launches - launches, image_bytes(plan),
                               drua_is_timed(plan->engine) ? drua_seconds() - start : 0);
}

void plan_drop_results(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count; i++) {
        drua_value_release(plan->engine, plan->bound[i].result);
        plan->bound[i].result = NULL;
    }
}

static void send_parts(drua_plan *plan, bool frugal)
{
    plan->status = DRUA_OK;
    plan->frugal = frugal;
    const bool parts = drua_slabs_serve(plan);
    plan->status = parts ? drua_slabs_call(plan) : DRUA_E_MEMORY;
    if (plan->status == DRUA_E_MEMORY && drua_boxes_serve(plan)) {
        plan->status = DRUA_OK;
        plan->status = drua_boxes_call(plan);
    }
}

/* What does not fit the device as a whole runs in parts if it can, and in such that are mostly surroundings where nothing else serves. */
void plan_send_in_parts(drua_plan *plan)
{
    plan_drop_results(plan);
    plan_free(plan);
    const drua_op *op = plan->op;
    send_parts(plan, op->large);
    if (!op->large || plan->status != DRUA_E_MEMORY)
        return;
    plan->status = DRUA_OK;
    op->large(plan);
    if (plan->status == DRUA_E_MEMORY && (drua_slabs_serve(plan) || drua_boxes_serve(plan))) {
        plan_drop_results(plan);
        plan_free(plan);
        send_parts(plan, false);
    }
}

/* A view serves where the result is a new image, or replaces one of just its shape and type. */
static bool share(drua_plan *plan)
{
    size_t i = plan_first_output(plan->op);
    const drua_value *old = plan->bound[i].value, *first = plan->bound[plan->first_image].value;
    if (plan->outputs[i].type != first->type || (old && !drua_shape_is_same_size(old->shape, plan->outputs[i].natural)))
        return false;
    if (plan->op->expression && !first->buffer)
        return false;
    return plan_try(plan, drua_value_force(plan->engine, plan->bound[plan->first_image].value)) && plan->op->view(plan);
}

static void run(drua_plan *plan)
{
    if (plan->op->view && !plan->part && share(plan))
        return;
    if (plan->status != DRUA_OK)
        return;
    if (plan->op->expression)
        record(plan);
    else if (plan->op->build)
        plan->op->build(plan);
    else if (plan_may_wait(plan))
        plan_wait(plan);
    else {
        plan_send_after_chain(plan);
        if (plan->status == DRUA_E_MEMORY && !plan->engine->in_slabs && (plan->op->large || drua_boxes_serve(plan)))
            plan_send_in_parts(plan);
    }
}

drua_status drua_graph_call(drua_engine *engine, const drua_op *op, drua_bound *bound, drua_table **table)
{
    drua_plan plan = {.engine = engine, .op = op, .bound = bound, .table = table, .part = engine->part, .first_image = -1};
    engine->part = NULL;
    if (table)
        *table = NULL;
    if (op->traits & DRUA_HOST)
        return drua_fail(DRUA_E_UNSUPPORTED, "only a program with windows and tables, such as ImageJ, can do this");
    if (op->param_count > PLAN_PARAMS)
        return drua_fail(DRUA_E_INTERNAL, "more than %d parameters", PLAN_PARAMS);
    drua_device_statistics(engine->device)->calls++;
    plan_check(&plan);
    for (size_t i = 0; i < op->param_count && plan.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            plan_infer(&plan, i);
    if (plan.status == DRUA_OK)
        run(&plan);
    if (plan.status == DRUA_OK)
        finish_outputs(&plan);
    if (plan.status == DRUA_OK && engine->eager)
        plan_try(&plan, drua_device_finish(engine->device));
    plan_free(&plan);
    drua_device_report(engine->device, -1);
    if (plan.status != DRUA_OK)
        plan_drop_results(&plan);
    if (plan.status != DRUA_OK && table) {
        drua_table_discard(*table);
        *table = NULL;
    }
    for (size_t i = 0; i < op->param_count && plan.status != DRUA_OK; i++) {
        drua_free(bound[i].text_result);
        bound[i].text_result = NULL;
    }
    return plan.status;
}
