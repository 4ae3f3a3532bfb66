/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies pixels between images, with the widest accesses that both allow. Copies on the host if the device cannot hold
 * both images.
 */
#include "arguments.h"
#include "clock.h"
#include "error.h"
#include "measure.h"
#include "median.h"
#include "value.h"

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
    return a->type == b->type && drua_layout_is_same_size(a, b) && a->offset == 0 && b->offset == 0 &&
           drua_layout_is_dense(a) && drua_layout_is_dense(b);
}

/*
 * Crops an axis of both images to the pixels that overlap when `from` is placed at `at`. Returns false if none overlap.
 */
static bool intersect_axis(int32_t *from, int32_t *to, int64_t *from_offset, int64_t *to_offset, int64_t from_stride,
                           int64_t to_stride, int64_t at)
{
    if (at >= *to || at <= -(int64_t)*from)
        return false;
    const int64_t first = at > 0 ? at : 0, end = at + *from < *to ? at + *from : *to;
    *from_offset += (first - at) * from_stride;
    *to_offset += first * to_stride;
    *from = *to = (int32_t)(end - first);
    return true;
}

/*
 * Describes the same bytes as an image of larger elements; a row may end within the last one. Returns false if rows do
 * not begin at such elements.
 */
static bool widen_elements(drua_layout *l, int64_t bytes)
{
    const int64_t n = bytes / (int64_t)drua_type_size((drua_type)l->type);
    if (n < 1 || l->column != 1 || l->offset % n || (l->height > 1 && l->row % n) || (l->depth > 1 && l->plane % n))
        return false;
    l->width = (int32_t)((l->width + n - 1) / n);
    l->offset /= n;
    l->row /= n;
    l->plane /= n;
    l->type = DRUA_UINT32;
    return true;
}

/*
 * Describes the same bytes as an image of bytes. Returns false if the distance between rows is not a multiple of a
 * quad.
 */
static bool as_bytes(drua_layout *l)
{
    const int64_t size = (int64_t)drua_type_size((drua_type)l->type);
    if (l->column != 1 || l->width > INT32_MAX / size - QUAD || (l->height > 1 && l->row * size % QUAD) ||
        (l->depth > 1 && l->plane * size % QUAD))
        return false;
    *l = (drua_layout){.extent = {(int32_t)(l->width * size), l->height, l->depth},
                       .type = DRUA_UINT8,
                       .offset = l->offset * size,
                       .stride = {1, l->row * size, l->plane * size}};
    return true;
}

static float value_at(const char *pixel, drua_type type)
{
    switch (type) {
    case DRUA_UINT8: return *(const uint8_t *)pixel;
    case DRUA_INT8: return *(const int8_t *)pixel;
    case DRUA_UINT16: return *(const uint16_t *)pixel;
    case DRUA_INT16: return *(const int16_t *)pixel;
    case DRUA_UINT32: return (float)*(const uint32_t *)pixel;
    case DRUA_INT32: return (float)*(const int32_t *)pixel;
    default: return *(const float *)pixel;
    }
}

static float saturate_value(float value, float min, float max)
{
    return isnan(value) ? 0 : truncf(fminf(fmaxf(value, min), max));
}

/* Like store_float in prelude.cl. */
static void set_at(char *pixel, drua_type type, float value)
{
    switch (type) {
    case DRUA_UINT8: *(uint8_t *)pixel = (uint8_t)saturate_value(value, 0, 255); break;
    case DRUA_INT8: *(int8_t *)pixel = (int8_t)saturate_value(value, -128, 127); break;
    case DRUA_UINT16: *(uint16_t *)pixel = (uint16_t)saturate_value(value, 0, 65535); break;
    case DRUA_INT16: *(int16_t *)pixel = (int16_t)saturate_value(value, -32768, 32767); break;
    case DRUA_UINT32: *(uint32_t *)pixel = (uint32_t)saturate_value(value, 0, 4294967040.0f); break;
    case DRUA_INT32: *(int32_t *)pixel = (int32_t)saturate_value(value, -2147483648.0f, 2147483520.0f); break;
    default: *(float *)pixel = value;
    }
}

/* One row, whose pixels have the strides `from_step` and `to_step` in bytes. */
static void copy_row(const char *source, int64_t from_step, drua_type from, char *target, int64_t to_step, drua_type to,
                     int64_t width)
{
    const int64_t size = (int64_t)drua_type_size(to);
    if (from == to && from_step == size && to_step == size)
        memcpy(target, source, (size_t)(width * size));
    else
        for (int64_t x = 0; x < width; x++, source += from_step, target += to_step)
            if (from == to)
                memcpy(target, source, (size_t)size);
            else
                set_at(target, to, value_at(source, from));
}

/* Copies views of the same extent if the device cannot hold both. */
static drua_status copy_on_host(drua_view from, drua_view to)
{
    const drua_layout *f = &from.layout, *t = &to.layout;
    const int64_t from_size = (int64_t)drua_type_size((drua_type)f->type),
                  to_size = (int64_t)drua_type_size((drua_type)t->type);
    DRUA_TRY(drua_buffer_move_to_host(from.buffer));
    DRUA_TRY(drua_buffer_move_to_host(to.buffer));
    for (int64_t z = 0; z < t->depth; z++)
        for (int64_t y = 0; y < t->height; y++) {
            const char *source =
                (const char *)drua_buffer_host(from.buffer) + (f->offset + z * f->plane + y * f->row) * from_size;
            char *target = (char *)drua_buffer_host(to.buffer) + (t->offset + z * t->plane + y * t->row) * to_size;
            copy_row(source, f->column * from_size, (drua_type)f->type, target, t->column * to_size, (drua_type)t->type,
                     t->width);
        }
    return DRUA_OK;
}

static drua_status copy_on_device(drua_engine *engine, drua_view from, drua_view to)
{
    enum { WORD = 4, ROWS = 4 };
    drua_layout *f = &from.layout, *t = &to.layout;
    const int64_t bytes = t->width * (int64_t)drua_type_size((drua_type)t->type);
    bool quads = false;
    if (f->type == t->type) {
        drua_layout wide_from = *f, wide_to = *t;
        quads = widen_elements(&wide_from, QUAD) && widen_elements(&wide_to, QUAD);
        if (!quads) {
            wide_from = *f;
            wide_to = *t;
        }
        if (quads || (bytes % WORD == 0 && widen_elements(&wide_from, WORD) && widen_elements(&wide_to, WORD))) {
            *f = wide_from;
            *t = wide_to;
        }
    }
    drua_view bytes_from = from, bytes_to = to;
    if (f->type == t->type && !quads && as_bytes(&bytes_from.layout) && as_bytes(&bytes_to.layout)) {
        const int64_t before = bytes_to.layout.offset % QUAD,
                      count = (before + bytes_to.layout.width + QUAD - 1) / QUAD;
        const drua_arg arguments[] = {ARG(bytes_from), ARG(bytes_to), INT(before), {.kind = DRUA_LAUNCH_END}};
        return drua_device_launch(engine->device, "copy_shifted", GRID(count, t->height, t->depth, 32, 8, 1),
                                  arguments);
    }
    const int64_t rows = quads ? t->height : ((int64_t)t->height + ROWS - 1) / ROWS, rest = (bytes - 1) % QUAD + 1;
    const drua_arg in_quads[] = {ARG(from), ARG(to), INT(rest), {.kind = DRUA_LAUNCH_END}},
                   in_rows[] = {ARG(from), ARG(to), {.kind = DRUA_LAUNCH_END}};
    return drua_device_launch(engine->device, quads ? "copy_quads" : "copy_rows",
                              GRID(t->width, rows, t->depth, 64, 4, 1), quads ? in_quads : in_rows);
}

drua_status drua_copy_region(drua_engine *engine, drua_view from, drua_view to, int64_t x, int64_t y, int64_t z)
{
    drua_layout *f = &from.layout, *t = &to.layout;
    const uint64_t bytes = (uint64_t)drua_layout_count(f) * drua_type_size((drua_type)f->type);
    const bool fills =
        /* a last quad that is not full must not overwrite bytes after it */
        bytes % QUAD == 0 || bytes == drua_buffer_bytes(to.buffer);
    const bool lines = x == 0 && y == 0 && z == 0 && same_memory_layout(f, t) && fills;
    if (!intersect_axis(&f->width, &t->width, &f->offset, &t->offset, f->column, t->column, x) ||
        !intersect_axis(&f->height, &t->height, &f->offset, &t->offset, f->row, t->row, y) ||
        !intersect_axis(&f->depth, &t->depth, &f->offset, &t->offset, f->plane, t->plane, z))
        return DRUA_OK;
    const drua_status status = lines ? copy_line(engine, from, to, bytes) : copy_on_device(engine, from, to);
    return status == DRUA_E_MEMORY ? copy_on_host(from, to) : status;
}

drua_status drua_engine_measure_copy(drua_engine *engine, uint64_t bytes, double *bytes_per_second)
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
