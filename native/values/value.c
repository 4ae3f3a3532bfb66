/* SPDX-License-Identifier: BSD-3-Clause */
#include "value.h"

#include "alloc.h"
#include "error.h"
#include "registry.h"

#include <string.h>

drua_value *drua_value_new(drua_shape shape, drua_type type)
{
    drua_value *value = drua_alloc(sizeof *value);
    if (!value) {
        drua_fail_memory(sizeof *value);
        return NULL;
    }
    value->references = 1;
    value->shape = shape;
    value->type = type;
    value->layout = drua_layout_dense(shape, type);
    return value;
}

static void unlink_pending(drua_engine *engine, drua_value *value)
{
    if (value->previous)
        value->previous->next = value->next;
    else
        engine->pending = value->next;
    if (value->next)
        value->next->previous = value->previous;
    value->next = value->previous = NULL;
    engine->pending_count--;
}

void drua_value_drop_node(drua_engine *engine, drua_value *value)
{
    drua_node *node = value->node;
    if (!node)
        return;
    value->node = NULL;
    unlink_pending(engine, value);
    if (engine->deferred == value)
        engine->deferred = NULL;
    for (int i = 0; i < node->input_count; i++) {
        node->inputs[i]->readers--;
        drua_value_release(engine, node->inputs[i]);
    }
    drua_free(node->call);
    drua_free(node);
}

bool drua_value_is_deferred(const drua_value *value)
{
    return !value->buffer && value->node && value->node->call;
}

drua_status drua_value_record(drua_engine *engine, const drua_pointwise *work, drua_value **out)
{
    drua_value *value = drua_value_new(work->shape, work->type);
    drua_node *node = drua_alloc(sizeof *node);
    if (!value || !node) {
        drua_free(value);
        drua_free(node);
        return drua_fail_memory(sizeof *node);
    }
    node->op = work->op;
    node->line = engine->line;
    node->depth = 1;
    node->input_count = work->input_count;
    for (int i = 0; i < work->input_count; i++) {
        drua_value *input = node->inputs[i] = work->inputs[i];
        input->readers++;
        drua_value_retain(input);
        if (input->node && input->node->depth >= node->depth)
            node->depth = input->node->depth + 1;
    }
    for (int i = 0; work->scalars && i < DRUA_NODE_SCALARS; i++)
        node->scalars[i] = work->scalars[i];
    value->node = node;
    value->next = engine->pending;
    if (engine->pending)
        engine->pending->previous = value;
    engine->pending = value;
    engine->pending_count++;
    *out = value;
    return DRUA_OK;
}

drua_status drua_value_constant(drua_engine *engine, drua_shape shape, drua_type type, double number,
                                drua_value **value)
{
    const float scalars[DRUA_NODE_SCALARS] = {(float)number};
    const drua_pointwise set = {.op = drua_find_op("set"), .shape = shape, .type = type, .scalars = scalars};
    return drua_value_record(engine, &set, value);
}

uint64_t drua_value_bytes(const drua_value *value)
{
    return (uint64_t)drua_layout_count(&value->layout) * drua_type_size(value->type);
}

/*
 * Parts of images are copied from and to the host, where rows are contiguous. Images that may have to be divided into
 * parts therefore have contiguous rows on the device too.
 */
static drua_layout layout_of(const drua_engine *engine, const drua_value *value)
{
    enum { BYTES_A_PIXEL = 64 };    /* more than any operation needs */
    const drua_shape shape = value->shape;
    const bool is_small = (uint64_t)(shape.width * shape.height * shape.depth) <=
                          drua_device_statistics(engine->device)->budget_bytes / BYTES_A_PIXEL;
    return shape.width >= engine->min_padded_row && is_small && !value->in_tile
               ? drua_layout_in_rows(shape, value->type)
               : drua_layout_dense(shape, value->type);
}

drua_layout drua_value_place(const drua_engine *engine, const drua_value *value)
{
    return value->buffer ? value->layout : layout_of(engine, value);
}

drua_status drua_value_allocate(drua_engine *engine, drua_value *value)
{
    const drua_layout layout = drua_value_place(engine, value);
    DRUA_TRY(drua_buffer_make(engine->device, drua_layout_bytes(&layout), &value->buffer));
    value->layout = layout;
    return DRUA_OK;
}

drua_status drua_value_allocate_dense(drua_engine *engine, drua_value *value)
{
    return drua_buffer_make(engine->device, drua_value_bytes(value), &value->buffer);
}

void drua_value_retain(drua_value *value)
{
    value->references++;
}

void drua_value_release(drua_engine *engine, drua_value *value)
{
    if (!value || --value->references)
        return;
    drua_value_drop_node(engine, value);
    drua_buffer_release(value->buffer);
    value->buffer = NULL;
    if (!value->held)
        drua_free(value);
}

void drua_value_hold(drua_value *value)
{
    value->held++;
}

void drua_value_let_go(drua_value *value)
{
    if (--value->held == 0 && value->references == 0)
        drua_free(value);
}

drua_shape drua_value_shape(const drua_value *value)
{
    return value->shape;
}

drua_type drua_value_type(const drua_value *value)
{
    return value->type;
}

const char *drua_value_state(const drua_value *value)
{
    if (!value->buffer)
        return "not computed yet";
    if (drua_buffer_host(value->buffer))
        return "on the host";
    return drua_buffer_is_shared(value->buffer) ? "shares memory" : "on the device";
}

drua_view drua_value_view(const drua_value *value)
{
    return (drua_view){value->buffer, value->layout};
}

/*
 * Makes rows contiguous, on the host, if the image would now be dense and its buffer exceeds a quarter of the budget or
 * of the largest block. Operations that choose which parts they read need contiguous pixels.
 */
static drua_status join_rows(drua_engine *engine, drua_value *value)
{
    enum { SHARE = 4 };
    const drua_layout apart = drua_layout_in_rows(value->shape, value->type), now = layout_of(engine, value),
                      *l = &value->layout;
    if (drua_layout_is_dense(l) || !drua_layout_is_dense(&now) || l->offset != 0 || l->column != 1 ||
        l->row != apart.row || l->plane != apart.plane ||
        drua_buffer_bytes(value->buffer) <= drua_device_share(engine->device, SHARE))
        return DRUA_OK;
    const size_t plane = (size_t)drua_value_bytes(value) / (size_t)l->depth;
    drua_buffer *joined = NULL;
    void **planes = drua_alloc((size_t)l->depth * sizeof *planes);
    drua_status status = planes ? drua_buffer_move_to_host(value->buffer) : drua_fail_memory(sizeof *planes);
    if (status == DRUA_OK)
        status = drua_buffer_make_on_host(engine->device, drua_value_bytes(value), &joined);
    for (int32_t z = 0; z < l->depth && status == DRUA_OK; z++)
        planes[z] = (char *)drua_buffer_host(joined) + (size_t)z * plane;
    if (status == DRUA_OK)
        status = drua_device_download(engine->device, drua_value_view(value), planes);
    if (status == DRUA_OK) {
        drua_buffer_release(value->buffer);
        value->buffer = joined;
        value->layout = drua_layout_dense(value->shape, value->type);
    }
    if (status != DRUA_OK)
        drua_buffer_release(joined);
    drua_free(planes);
    return status;
}

drua_status drua_value_materialize_with(drua_engine *engine, drua_value *value, bool siblings)
{
    return value->buffer ? join_rows(engine, value) : engine->executor->materialize(engine, value, siblings);
}

drua_status drua_value_materialize(drua_engine *engine, drua_value *value)
{
    return drua_value_materialize_with(engine, value, false);
}

bool drua_value_is_same(const drua_value *a, const drua_value *b)
{
    return a == b || (a->buffer && a->buffer == b->buffer && a->type == b->type &&
                      !memcmp(&a->layout, &b->layout, sizeof a->layout));
}
