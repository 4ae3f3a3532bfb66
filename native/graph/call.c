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

drua_status drua_graph_open(drua_engine *engine, drua_device *device)
{
    const char *fuse = getenv("DRUA_FUSE"), *sync = getenv("DRUA_SYNC");
    *engine = (drua_engine){.device = device, .fuse = !fuse || strcmp(fuse, "0"), .always_eager = sync && !strcmp(sync, "1")};
    engine->eager = engine->always_eager;
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
    drua_tuner_close(engine->tuner);
    drua_free(engine->records);
    drua_free(engine->chain_source);
}

/* ---- checking */

static void check_number(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    if (!bound->given)
        bound->number = param->preset;
    if (isnan(bound->number)) {
        plan_fail(plan, "%s must be a number, got text or NaN; give a number%s%s", param->name, param->unit ? " in " : "",
                  param->unit ? param->unit : "");
        return;
    }
    if (param->kind == DRUA_KIND_INTEGER)
        bound->number = trunc(bound->number);
    if (param->kind == DRUA_KIND_BOOLEAN)
        bound->number = bound->number != 0;
    if (param->has_range && (bound->number < param->minimum || bound->number > param->maximum))
        plan_fail(plan, "%s must be %.10g to %.10g%s%s, got %.10g", param->name, param->minimum, param->maximum, param->unit ? " " : "",
                  param->unit ? param->unit : "", bound->number);
}

static void check_choice(drua_plan *plan, const drua_param *param, drua_bound *bound)
{
    for (int i = 0; param->choices[i]; i++)
        if (drua_text_distance(param->choices[i], bound->text) == 0) {
            bound->number = i;
            return;
        }
    drua_text list = {0};
    for (int i = 0; param->choices[i]; i++)
        drua_text_add(&list, "%s%s", i ? ", " : "", param->choices[i]);
    plan_fail(plan, "%s must be one of %s, got '%s'", param->name, drua_text_characters(&list), bound->text);
    drua_text_free(&list);
}

static void check(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++) {
        const drua_param *param = &plan->op->params[i];
        drua_bound *bound = &plan->bound[i];
        if (param->kind == DRUA_KIND_NUMBER || param->kind == DRUA_KIND_INTEGER || param->kind == DRUA_KIND_BOOLEAN) {
            check_number(plan, param, bound);
        } else if (drua_kind_is_text(param->kind)) {
            if (!bound->given || !bound->text)
                bound->text = param->preset_text;
            if (!bound->text)
                plan_fail(plan, "%s is missing; give %s", param->name, param->doc);
            else if (param->kind == DRUA_KIND_CHOICE)
                check_choice(plan, param, bound);
            else if (param->settings)
                plan_check_settings(plan, param, bound->text);
        } else if (param->kind == DRUA_KIND_IMAGE_IN || param->kind == DRUA_KIND_IMAGE_INOUT) {
            if (!bound->value)
                plan_fail(plan, "%s is missing; give %s", param->name, param->doc);
            else if (plan->first_image < 0)
                plan->first_image = (int)i;
        } else if (param->kind == DRUA_KIND_ARRAY_IN && !bound->array && bound->length) {
            plan_fail(plan, "%s is missing; give %s", param->name, param->doc);
        }
    }
}

/* ---- shapes and types */

static void check_shape(drua_plan *plan, const drua_param *param, drua_shape shape)
{
    int64_t extents[] = {shape.width, shape.height, shape.depth};
    for (int i = 0; i < 3; i++)
        if (extents[i] < 1 || extents[i] > INT32_MAX)
            plan_fail(plan, "%s would be %lld x %lld x %lld pixels; every extent must be 1 to 2147483647", param->name,
                      (long long)shape.width, (long long)shape.height, (long long)shape.depth);
    if (plan->status == DRUA_OK && !drua_shape_is_countable(shape))
        plan_fail(plan, "%s would be %lld x %lld x %lld pixels, larger than any device holds", param->name, (long long)shape.width,
                  (long long)shape.height, (long long)shape.depth);
}

static void infer(drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    drua_bound *bound = &plan->bound[i];
    const drua_value *first = plan->first_image < 0 ? NULL : plan->bound[plan->first_image].value;
    output *out = &plan->outputs[i];
    if (first)
        out->natural = first->shape;
    if (plan->part && plan->part->made && param->kind == DRUA_KIND_IMAGE_OUT) {
        out->natural = plan_written(plan->part->call, i);
        for (int axis = 0; axis < 3; axis++)
            *drua_extent_along(&out->natural, axis) = plan->part->made->end[axis] - plan->part->made->first[axis];
    } else if (plan->part && plan->part->cut && param->kind == DRUA_KIND_IMAGE_OUT) {
        out->natural = plan_written(plan->part->call, i);
        *drua_extent_along(&out->natural, plan->part->out_axis) = plan->part->end - plan->part->first;
    } else if (param->shape) {
        param->shape(plan, &out->natural);
    }
    if (plan->status != DRUA_OK)
        return;
    if (bound->value) {
        out->type = bound->value->type;
        out->shape = bound->value->shape;
        return;
    }
    check_shape(plan, param, out->natural);
    out->shape = out->natural;
    out->type = bound->type                        ? bound->type
                : bound->type_of_source && first   ? first->type
                : param->type_rule                 ? param->type_rule(plan)
                : param->type                      ? param->type
                : first                            ? first->type
                                                   : DRUA_FLOAT32;
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

/* A resident value with the pixels of `old` that may be written: `old` itself if nobody else sees it, else a copy. */
static void make_writable(drua_plan *plan, drua_value *old, drua_value **writable)
{
    drua_engine *engine = plan->engine;
    if (!plan_try(plan, drua_value_force(engine, old)))
        return;
    if (old->references == 1 && !drua_buffer_is_shared(old->buffer) && !is_read(plan, old)) {
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
static void lay_over(drua_plan *plan, drua_value *old, drua_value **made)
{
    drua_value *base = NULL;
    make_writable(plan, old, &base);
    if (base && plan_try(plan, drua_value_force(plan->engine, *made)) &&
        plan_try(plan, drua_copy_region(plan->engine, drua_value_view(*made), drua_value_view(base), 0, 0, 0))) {
        drua_value_release(plan->engine, *made);
        *made = base;
    } else {
        drua_value_release(plan->engine, base);
    }
}

static bool same_extent(drua_shape a, drua_shape b)
{
    return a.width == b.width && a.height == b.height && a.depth == b.depth;
}

static void finish_output(drua_plan *plan, size_t i)
{
    drua_value *made = plan->bound[i].result, *old = plan->bound[i].value;
    if (made && old && made != old && !same_extent(made->shape, old->shape))
        lay_over(plan, old, &plan->bound[i].result);
}

/* ---- the mechanisms */

static size_t first_output(const drua_op *op)
{
    size_t i = 0;
    while (op->params[i].kind != DRUA_KIND_IMAGE_OUT && op->params[i].kind != DRUA_KIND_IMAGE_INOUT)
        i++;
    return i;
}

static void limit_window(drua_plan *plan)
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
    size_t i = first_output(op);
    drua_value *value = drua_chain_find(plan->engine, op, plan_written(plan, i), plan->outputs[i].type, inputs, input_count, scalars);
    if (value)
        drua_value_retain(value);
    else if (!plan_try(plan, drua_value_virtual(plan->engine, op, plan_written(plan, i), plan->outputs[i].type, inputs, input_count,
                                                scalars, &value)))
        return;
    plan->bound[i].result = value;
    if (!plan->engine->fuse || plan->engine->eager || value->node->depth >= DRUA_CHAIN_STEPS)
        plan_try(plan, drua_value_force(plan->engine, value));
    limit_window(plan);
}

static void force_inputs(drua_plan *plan)
{
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_IN)
            plan_try(plan, drua_value_force(plan->engine, plan->bound[i].value));
}

static void make_output(drua_plan *plan, size_t i)
{
    const drua_param *param = &plan->op->params[i];
    drua_bound *bound = &plan->bound[i];
    bool keeps = param->kind == DRUA_KIND_IMAGE_INOUT || (param->partial && bound->value);
    if (keeps) {
        make_writable(plan, bound->value, &bound->result);
        return;
    }
    /* an image that exists may be larger than what the operation makes; no pixel may show what was in memory before */
    const bool clears = param->partial || !same_extent(plan_written(plan, i), plan->outputs[i].natural);
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
    const drua_value *result = plan->bound[first_output(plan->op)].result;
    return result ? result->buffer : NULL;
}

static double image_bytes(const drua_plan *plan)
{
    double bytes = 0;
    for (size_t i = 0; i < plan->op->param_count; i++) {
        const drua_value *value = plan->bound[i].result ? plan->bound[i].result : plan->bound[i].value;
        if (drua_kind_is_image(plan->op->params[i].kind) && value)
            bytes += (double)drua_layout_count(&value->layout) * (double)drua_type_size(value->type);
    }
    return bytes;
}

static void send(drua_plan *plan)
{
    drua_device *device = plan->engine->device;
    force_inputs(plan);
    if (plan->status == DRUA_OK && !plan->part && !plan->around)
        plan_try(plan, drua_graph_send_waiting(plan->engine));
    const uint64_t launches = drua_device_statistics(device)->launches;
    const double start = drua_seconds();
    for (size_t i = 0; i < plan->op->param_count && plan->status == DRUA_OK; i++)
        if (plan->op->params[i].kind == DRUA_KIND_IMAGE_OUT || plan->op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            make_output(plan, i);
    plan->trial.measured = false;
    if (plan->status == DRUA_OK)
        plan->op->plan(plan);
    if (plan->status == DRUA_OK)
        plan_try(plan, drua_tune_end(plan->engine, &plan->trial));
    if (plan->status == DRUA_OK && plan->engine->eager)
        plan_try(plan, drua_device_finish(device));
    if (plan->status == DRUA_OK)
        drua_explain_operation(plan->engine, plan->op, plan->around, drua_device_statistics(device)->launches - launches, image_bytes(plan),
                               plan->engine->eager ? drua_seconds() - start : 0);
}

static void drop_results(drua_plan *plan)
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
static void send_in_parts(drua_plan *plan)
{
    drop_results(plan);
    plan_free(plan);
    const drua_op *op = plan->op;
    send_parts(plan, op->large);
    if (!op->large || plan->status != DRUA_E_MEMORY)
        return;
    plan->status = DRUA_OK;
    op->large(plan);
    if (plan->status == DRUA_E_MEMORY && (drua_slabs_serve(plan) || drua_boxes_serve(plan))) {
        drop_results(plan);
        plan_free(plan);
        send_parts(plan, false);
    }
}

/* A view serves where the result is a new image, or replaces one of just its shape and type. */
static bool share(drua_plan *plan)
{
    size_t i = first_output(plan->op);
    const drua_value *old = plan->bound[i].value, *first = plan->bound[plan->first_image].value;
    if (plan->outputs[i].type != first->type || (old && !same_extent(old->shape, plan->outputs[i].natural)))
        return false;
    if (plan->op->expression && !first->buffer)
        return false;
    return plan_try(plan, drua_value_force(plan->engine, plan->bound[plan->first_image].value)) && plan->op->view(plan);
}

/* ---- calls that wait for pointwise operations to follow them */

/*
 * Only where a compiled kernel may take a chain, and where all that can be wrong with the arguments is found by now: windows of
 * larger radii have limits of their own. On few pixels a pass of its own costs less than work that begins later.
 */
static bool may_wait(const drua_plan *plan)
{
    enum { MOST_NUMBER = 100, ENOUGH_PIXELS = 1 << 20 };
    const drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const drua_when when = drua_when_to_compile();
    if (!(op->traits & DRUA_CHAIN_AFTER) || !engine->fuse || engine->eager || engine->in_slabs || plan->part || when == DRUA_NEVER ||
        !drua_device_facts(engine->device)->is_gpu)
        return false;
    for (size_t i = 0; i < op->param_count; i++)
        if (!drua_kind_is_image(op->params[i].kind) && plan->bound[i].number > MOST_NUMBER)
            return false;
    const output *out = &plan->outputs[first_output(op)];
    const drua_layout l = drua_layout_dense(out->natural, out->type);
    return same_extent(out->natural, out->shape) && (when == DRUA_WHEN_SEEN || drua_layout_count(&l) >= ENOUGH_PIXELS);
}

/* Its first image may stay a recipe of pointwise work. */
static void record_call(drua_plan *plan)
{
    drua_engine *engine = plan->engine;
    const drua_op *op = plan->op;
    const size_t out = first_output(op);
    drua_value *inputs[DRUA_NODE_INPUTS], *value;
    int count = 0;
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_IN) {
            inputs[count++] = plan->bound[i].value;
            if (!(op->traits & (DRUA_CHAIN_BEFORE | DRUA_CHAIN_BEFORE_FLOATS)) || count > 1)
                plan_try(plan, drua_value_force(engine, plan->bound[i].value));
            else if (engine->waiting && drua_chain_reads(plan->bound[i].value, engine->waiting))
                plan_try(plan, drua_value_force(engine, plan->bound[i].value));
        }
    if (plan->status != DRUA_OK || !plan_try(plan, drua_graph_send_waiting(engine)))
        return;
    drua_bound *call = drua_alloc(op->param_count * sizeof *call);
    if (!call) {
        plan->status = drua_fail_memory(op->param_count * sizeof *call);
        return;
    }
    if (!plan_try(plan, drua_value_virtual(engine, op, plan->outputs[out].shape, plan->outputs[out].type, inputs, count, NULL, &value))) {
        drua_free(call);
        return;
    }
    memcpy(call, plan->bound, op->param_count * sizeof *call);
    call[out].value = call[out].result = NULL;
    call[out].type = plan->outputs[out].type;
    value->node->call = call;
    value->node->depth = 0;
    engine->waiting = value;
    plan->bound[out].result = value;
    limit_window(plan);
}

/* Takes over what a call made. */
static void take(drua_engine *engine, drua_value *value, const drua_value *made)
{
    value->buffer = made->buffer;
    value->layout = made->layout;
    drua_buffer_retain(value->buffer);
    drua_value_forget_node(engine, value);
}

static void run_waiting(drua_plan *plan, drua_around *around)
{
    plan->around = around;
    infer(plan, first_output(plan->op));
    if (plan->status == DRUA_OK)
        send(plan);
    plan->around = NULL;
    if (plan->status != DRUA_E_MEMORY)
        return;
    around->after_is_done = false;
    if (around->before && !around->is_filled)
        drua_chain_take_back(around->source);
    around->before = NULL;
    if (plan->op->large || drua_slabs_serve(plan))
        send_in_parts(plan);
}

drua_status drua_call_send(drua_engine *engine, drua_value *value, drua_around *given)
{
    const drua_node *node = value->node;
    const drua_op *op = node->op;
    const int line = node->line;
    drua_bound bound[PLAN_PARAMS];
    drua_plan plan = {.engine = engine, .op = op, .bound = bound};
    drua_around none = {.after = NULL}, *around = given ? given : &none;
    drua_chain before;
    bool promised = false;
    if (engine->waiting == value)
        engine->waiting = NULL;
    memcpy(bound, node->call, op->param_count * sizeof *bound);
    while (op->params[plan.first_image].kind != DRUA_KIND_IMAGE_IN)
        plan.first_image++;
    if (op->traits & (DRUA_CHAIN_BEFORE | DRUA_CHAIN_BEFORE_FLOATS))
        DRUA_TRY(drua_chain_promise(engine, node->inputs[0], !(op->traits & DRUA_CHAIN_BEFORE), &before, &promised));
    if (promised) {
        around->before = &before;
        around->source = node->inputs[0];
    }
    run_waiting(&plan, around);
    if (around->before && !around->is_filled)
        drua_chain_take_back(around->source);
    if (plan.status != DRUA_OK)
        drua_error_prefix(op->name, line);
    else if (!around->after_is_done || around->keeps)
        take(engine, value, bound[first_output(op)].result);
    plan_free(&plan);
    drop_results(&plan);
    return plan.status;
}

/* The newest image that somebody holds and that is made of it by pointwise work, else itself. */
drua_status drua_graph_send_waiting(drua_engine *engine)
{
    drua_value *waiting = engine->waiting;
    for (drua_value *value = engine->unsent; waiting && value; value = value->next)
        if (value != waiting && value->references > value->readers && drua_chain_reads(value, waiting))
            return drua_value_force(engine, value);
    return waiting && waiting->references > waiting->readers ? drua_value_force(engine, waiting) : DRUA_OK;
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
    else if (may_wait(plan))
        record_call(plan);
    else {
        send(plan);
        if (plan->status == DRUA_E_MEMORY && !plan->engine->in_slabs && (plan->op->large || drua_boxes_serve(plan)))
            send_in_parts(plan);
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
    check(&plan);
    for (size_t i = 0; i < op->param_count && plan.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT || op->params[i].kind == DRUA_KIND_IMAGE_INOUT)
            infer(&plan, i);
    if (plan.status == DRUA_OK)
        run(&plan);
    for (size_t i = 0; i < op->param_count && plan.status == DRUA_OK; i++)
        if (op->params[i].kind == DRUA_KIND_IMAGE_OUT)
            finish_output(&plan, i);
    if (plan.status == DRUA_OK && engine->eager)
        plan_try(&plan, drua_device_finish(engine->device));
    plan_free(&plan);
    drua_device_report(engine->device, -1);
    if (plan.status != DRUA_OK)
        drop_results(&plan);
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
