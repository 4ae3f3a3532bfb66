/* SPDX-License-Identifier: BSD-3-Clause */
#include "chain.h"

#include "plan.h"

#include <string.h>

enum { QUAD = 16, GROUP = 256 };

static drua_status copy_line(drua_engine *engine, drua_view from, drua_view to, uint64_t bytes)
{
    const int64_t quads = (int64_t)((bytes + QUAD - 1) / QUAD);     /* buffers end on a multiple of 64 bytes */
    const drua_arg arguments[] = {POINTER(from), POINTER(to), LONG(quads), {.kind = DRUA_LAUNCH_END}};
    return drua_device_launch(engine->device, "copy_line", GRID(quads, 1, 1, GROUP, 1, 1), arguments);
}

static bool same_memory_layout(const drua_layout *a, const drua_layout *b)
{
    return a->type == b->type && a->width == b->width && a->height == b->height && a->depth == b->depth && a->offset == 0 &&
           b->offset == 0 && drua_layout_is_dense(a) && drua_layout_is_dense(b);
}

/* Cuts an axis of both images to the pixels that meet when `from` is put at `at`; false where none do. */
static bool meet(int32_t *from, int32_t *to, int64_t *from_offset, int64_t *to_offset, int64_t from_stride, int64_t to_stride, int64_t at)
{
    const int64_t first = at > 0 ? at : 0, end = at + *from < *to ? at + *from : *to;
    *from_offset += (first - at) * from_stride;
    *to_offset += first * to_stride;
    *from = *to = (int32_t)(end - first);
    return end > first;
}

/* The same bytes as an image of larger elements; false where rows do not start and end on such. */
static bool widen(drua_layout *l, int64_t bytes)
{
    const int64_t n = bytes / (int64_t)drua_type_size((drua_type)l->type);
    if (n < 1 || l->column != 1 || l->width % n || l->offset % n || (l->height > 1 && l->row % n) || (l->depth > 1 && l->plane % n))
        return false;
    l->width /= (int32_t)n;
    l->offset /= n;
    l->row /= n;
    l->plane /= n;
    l->type = DRUA_UINT32;
    return true;
}

/* Views of the same extent and type, where the device cannot take both. */
static drua_status copy_on_host(drua_view from, drua_view to)
{
    const drua_layout *f = &from.layout, *t = &to.layout;
    const int64_t size = (int64_t)drua_type_size((drua_type)f->type);
    DRUA_TRY(drua_buffer_bring_home(from.buffer));
    DRUA_TRY(drua_buffer_bring_home(to.buffer));
    for (int64_t z = 0; z < t->depth; z++)
        for (int64_t y = 0; y < t->height; y++) {
            const char *source = (const char *)drua_buffer_host(from.buffer) + (f->offset + z * f->plane + y * f->row) * size;
            char *target = (char *)drua_buffer_host(to.buffer) + (t->offset + z * t->plane + y * t->row) * size;
            const bool rows = f->column == 1 && t->column == 1;
            for (int64_t x = 0; x < (rows ? 1 : t->width); x++)
                memcpy(target + x * t->column * size, source + x * f->column * size, (size_t)(rows ? t->width * size : size));
        }
    return DRUA_OK;
}

static drua_status copy_on_device(drua_engine *engine, drua_view from, drua_view to)
{
    enum { WORD = 4, ROWS = 4 };
    drua_layout *f = &from.layout, *t = &to.layout;
    bool quads = false;
    if (f->type == t->type) {
        drua_layout wide_from = *f, wide_to = *t;
        quads = widen(&wide_from, QUAD) && widen(&wide_to, QUAD);
        if (!quads) {
            wide_from = *f;
            wide_to = *t;
        }
        if (quads || (widen(&wide_from, WORD) && widen(&wide_to, WORD))) {
            *f = wide_from;
            *t = wide_to;
        }
    }
    const drua_arg arguments[] = {ARG(from), ARG(to), {.kind = DRUA_LAUNCH_END}};
    const int64_t rows = quads ? t->height : ((int64_t)t->height + ROWS - 1) / ROWS;
    return drua_device_launch(engine->device, quads ? "copy_quads" : "copy_rows", GRID(t->width, rows, t->depth, 64, 4, 1), arguments);
}

drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z)
{
    drua_layout *f = &from.layout, *t = &to.layout;
    const bool lines = x == 0 && y == 0 && z == 0 && same_memory_layout(f, t);
    if (!meet(&f->width, &t->width, &f->offset, &t->offset, f->column, t->column, x) ||
        !meet(&f->height, &t->height, &f->offset, &t->offset, f->row, t->row, y) ||
        !meet(&f->depth, &t->depth, &f->offset, &t->offset, f->plane, t->plane, z))
        return DRUA_OK;
    const drua_status status = lines ? copy_line(engine, from, to, (uint64_t)drua_layout_count(f) * drua_type_size((drua_type)f->type))
                                     : copy_on_device(engine, from, to);
    return status == DRUA_E_MEMORY && f->type == t->type ? copy_on_host(from, to) : status;
}

drua_status drua_graph_measure_copy(drua_engine *engine, uint64_t bytes, double *bytes_per_second)
{
    enum { WARM_UP = 3, TIMED = 9 };
    double time[TIMED];
    drua_buffer *buffers[2] = {NULL, NULL};
    drua_status status = drua_buffer_make(engine->device, bytes, &buffers[0]);
    if (status == DRUA_OK)
        status = drua_buffer_make(engine->device, bytes, &buffers[1]);
    for (int i = 0; i < WARM_UP + TIMED && status == DRUA_OK; i++) {
        double start = drua_seconds();
        status = copy_line(engine, (drua_view){.buffer = buffers[0]}, (drua_view){.buffer = buffers[1]}, bytes);
        if (status == DRUA_OK)
            status = drua_device_finish(engine->device);
        if (i >= WARM_UP)
            time[i - WARM_UP] = drua_seconds() - start;
    }
    drua_buffer_release(buffers[0]);
    drua_buffer_release(buffers[1]);
    if (status != DRUA_OK)
        return status;
    *bytes_per_second = 2.0 * (double)bytes / drua_median(time, TIMED);
    return DRUA_OK;
}
