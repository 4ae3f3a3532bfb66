/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile_images.h"

#include "engine_calls.h"

#include <string.h>

/* ---- rows of a box in an image on the host */

typedef struct rows {
    char *first;
    size_t bytes; /* bytes of a row, or of a plane whose rows are contiguous */
    int64_t row, plane; /* bytes from one row to the next, and from one plane to the next */
} rows;

static rows rows_of(drua_view view)
{
    const drua_layout *l = &view.layout;
    const int64_t size = (int64_t)drua_type_size((drua_type)l->type),
                  rows_together = l->row == l->width ? l->height : 1;
    return (rows){(char *)drua_buffer_host(view.buffer) + l->offset * size, (size_t)(l->width * rows_together * size),
                  l->row * size, l->plane * size};
}

/* Address of byte `inside` of plane z, and the number of contiguous bytes there, at most `max`. */
static char *address_of_byte(const rows *r, size_t z, size_t inside, size_t max, size_t *count)
{
    const size_t y = inside / r->bytes, x = inside % r->bytes;
    *count = r->bytes - x < max ? r->bytes - x : max;
    return r->first + (int64_t)z * r->plane + (int64_t)y * r->row + x;
}

static void copy_from_rows(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    for (size_t done = 0, count = 0; done < bytes; done += count) {
        const char *at = address_of_byte(payload, z, inside + done, bytes - done, &count);
        memcpy((char *)memory + done, at, count);
    }
}

static void copy_to_rows(void *payload, size_t z, size_t inside, void *memory, size_t bytes)
{
    for (size_t done = 0, count = 0; done < bytes; done += count) {
        char *at = address_of_byte(payload, z, inside + done, bytes - done, &count);
        memcpy(at, (const char *)memory + done, count);
    }
}

/* ---- out of whole images */

drua_view drua_seen_box(const drua_value *value, const drua_box *box)
{
    drua_view view = drua_value_view(value);
    drua_layout *l = &view.layout;
    l->offset += box->first[0] * l->column + box->first[1] * l->row + box->first[2] * l->plane;
    l->width = (int32_t)(box->end[0] - box->first[0]);
    l->height = (int32_t)(box->end[1] - box->first[1]);
    l->depth = (int32_t)(box->end[2] - box->first[2]);
    return view;
}

static drua_shape shape_of(const drua_box *box, int32_t dimension)
{
    return (drua_shape){box->end[0] - box->first[0], box->end[1] - box->first[1], box->end[2] - box->first[2],
                        dimension};
}

/* A value that shares the memory of another one. */
static drua_value *new_sharing_value(drua_view view, drua_shape shape, drua_type type)
{
    drua_value *value = drua_value_new(shape, type);
    if (!value)
        return NULL;
    value->layout = view.layout;
    value->buffer = view.buffer;
    drua_buffer_retain(value->buffer);
    return value;
}

drua_status drua_share_box(drua_engine *engine, drua_value *value, const drua_box *box, int32_t dimension,
                           drua_value **part)
{
    DRUA_TRY(drua_value_materialize(engine, value));
    *part = new_sharing_value(drua_seen_box(value, box), shape_of(box, dimension), value->type);
    return *part ? DRUA_OK : DRUA_E_MEMORY;
}

drua_status drua_view_of_box(drua_engine *engine, drua_value *value, const drua_box *box, drua_value **part)
{
    return drua_share_box(engine, value, box, box->end[2] - box->first[2] > 1 ? value->shape.dimension : 2, part);
}

/* Hands a tile over to *out, or releases it after a failure. */
static drua_status finish_tile(drua_engine *engine, drua_value *tile, drua_status status, drua_value **out)
{
    if (status != DRUA_OK) {
        drua_value_release(engine, tile);
        return status;
    }
    *out = tile;
    return DRUA_OK;
}

static drua_status make_dense(drua_engine *engine, drua_view from, drua_shape shape, drua_value **out)
{
    drua_value *tile = drua_value_new(shape, (drua_type)from.layout.type);
    if (!tile)
        return DRUA_E_MEMORY;
    drua_status status = drua_value_allocate_dense(engine, tile);
    if (status == DRUA_OK)
        status = drua_copy_region(engine, from, drua_value_view(tile), 0, 0, 0);
    return finish_tile(engine, tile, status, out);
}

drua_status drua_send_from_host(drua_engine *engine, drua_view from, drua_shape shape, drua_value **out)
{
    drua_value *tile = drua_value_new(shape, (drua_type)from.layout.type);
    rows r = rows_of(from);
    if (!tile)
        return DRUA_E_MEMORY;
    drua_status status = drua_value_allocate_dense(engine, tile);
    if (status == DRUA_OK)
        status = drua_device_upload_from(engine->device, drua_value_view(tile),
                                         &(drua_planes){.copy = copy_from_rows, .payload = &r});
    return finish_tile(engine, tile, status, out);
}

/*
 * Makes a tile of a resident image. Sends the pixels from the host if the image is on the host, or if it is so large
 * that it is moved to the host; otherwise the tile shares the image's memory.
 */
static drua_status cut_resident(drua_engine *engine, const drua_value *value, const drua_box *box, drua_value **out)
{
    enum { SMALL_PART = 16 };
    const drua_shape shape = shape_of(box, value->shape.dimension);
    if (drua_buffer_bytes(value->buffer) > drua_device_statistics(engine->device)->budget_bytes / SMALL_PART)
        DRUA_TRY(drua_buffer_spill(value->buffer));
    const drua_view from = drua_seen_box(value, box);
    if (!drua_buffer_host(value->buffer)) {
        *out = new_sharing_value(from, shape, value->type);
        return *out ? DRUA_OK : DRUA_E_MEMORY;
    }
    return from.layout.column == 1 ? drua_send_from_host(engine, from, shape, out)
                                   : make_dense(engine, from, shape, out);
}

drua_status drua_cut_pending(drua_engine *engine, const drua_value *value, const drua_box *box, const int64_t extent[3],
                             drua_substitutes *all, drua_value **out)
{
    const drua_node *node = value->node;
    drua_value *inputs[DRUA_NODE_INPUTS];
    drua_box own;
    bool is_all;
    DRUA_TRY(drua_own_box(value, box, extent, &own, &is_all));
    for (int i = 0; i < node->input_count; i++)
        DRUA_TRY(drua_substitute(engine, node->inputs[i], box, extent, all, &inputs[i]));
    const drua_pointwise work = {.op = node->op,
                                 .shape = shape_of(&own, value->shape.dimension),
                                 .type = value->type,
                                 .inputs = inputs,
                                 .input_count = node->input_count,
                                 .scalars = node->scalars};
    DRUA_TRY(drua_value_record(engine, &work, out));
    (*out)->node->line = node->line;
    (*out)->in_tile = all->in_tile;
    for (int axis = 0; axis < 3; axis++)
        (*out)->origin[axis] = value->origin[axis] + own.first[axis];
    return DRUA_OK;
}

drua_status drua_own_box(const drua_value *value, const drua_box *box, const int64_t extent[3], drua_box *own,
                         bool *is_all)
{
    const int64_t *has = value->shape.extent;
    *own = drua_box_of(has);
    *is_all = true;
    for (int axis = 0; axis < 3; axis++) {
        const bool cut = box->first[axis] > 0 || box->end[axis] < extent[axis];
        if (!cut || (has[axis] == 1 && extent[axis] > 1))
            continue;
        if (has[axis] != extent[axis])
            return DRUA_E_UNSUPPORTED;
        own->first[axis] = box->first[axis];
        own->end[axis] = box->end[axis];
        *is_all = false;
    }
    return DRUA_OK;
}

static drua_status add_substitute(drua_engine *engine, drua_substitutes *all, const drua_value *value, drua_value *tile)
{
    if (all->count == DRUA_MAX_SUBSTITUTES) {
        drua_value_release(engine, tile);
        return DRUA_E_UNSUPPORTED;
    }
    all->of[all->count] = value;
    all->tile[all->count++] = tile;
    return DRUA_OK;
}

drua_status drua_substitute(drua_engine *engine, drua_value *value, const drua_box *box, const int64_t extent[3],
                            drua_substitutes *all, drua_value **out)
{
    drua_box own;
    bool is_all;
    for (int i = 0; i < all->count; i++)
        if (all->of[i] == value) {
            *out = all->tile[i];
            return DRUA_OK;
        }
    DRUA_TRY(drua_own_box(value, box, extent, &own, &is_all));
    const bool cut_along_x = own.first[0] > 0 || own.end[0] < value->shape.width;
    if (!is_all && !value->buffer && cut_along_x) /* expressions of a tile know its position along y and z only */
        DRUA_TRY(drua_value_materialize(engine, value));
    if (is_all) {
        drua_value_retain(value);
        *out = value;
    } else if (value->buffer) {
        DRUA_TRY(cut_resident(engine, value, &own, out));
    } else {
        DRUA_TRY(drua_cut_pending(engine, value, box, extent, all, out));
    }
    return add_substitute(engine, all, value, *out);
}

drua_status drua_tile_of_host_result(drua_engine *engine, const drua_value *host_result, const drua_box *box,
                                     const int64_t extent[3], drua_substitutes *all, drua_value **out)
{
    drua_box own;
    bool is_all;
    DRUA_TRY(drua_own_box(host_result, box, extent, &own, &is_all));
    DRUA_TRY(cut_resident(engine, host_result, &own, out));
    return add_substitute(engine, all, host_result, *out);
}

void drua_substitutes_release(drua_engine *engine, drua_substitutes *all)
{
    while (all->count > 0)
        drua_value_release(engine, all->tile[--all->count]);
}

/* ---- into whole images */

drua_status drua_copy_to_host_result(drua_engine *engine, const drua_tiling *tiling, const drua_tile *tile,
                                     const drua_value *result, const drua_value *host_result)
{
    drua_box core = drua_box_of(result->shape.extent), at = drua_box_of(host_result->shape.extent);
    for (int axis = 0; axis < 3; axis++) {
        if (tiling->cuts[axis]) {
            core.first[axis] = tile->wanted.first[axis] - tile->made.first[axis];
            core.end[axis] = tile->wanted.end[axis] - tile->made.first[axis];
            at.first[axis] = tile->wanted.first[axis];
            at.end[axis] = tile->wanted.end[axis];
        }
        if (result->shape.extent[axis] < core.end[axis] ||
            core.end[axis] - core.first[axis] != at.end[axis] - at.first[axis])
            return DRUA_E_UNSUPPORTED;
    }
    drua_value *wanted =
        new_sharing_value(drua_seen_box(result, &core), shape_of(&core, result->shape.dimension), result->type);
    if (!wanted)
        return DRUA_E_MEMORY;
    rows r = rows_of(drua_seen_box(host_result, &at));
    const drua_status status = drua_value_download(engine, wanted, &(drua_planes){.copy = copy_to_rows, .payload = &r});
    drua_value_release(engine, wanted);
    return status;
}
