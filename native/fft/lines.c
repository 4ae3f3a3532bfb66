/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine's own transforms, for where no library is, line by line in local memory (kernels/fft/line.cl): every axis is read and
 * written once.
 */
#include "provider.h"

#include "alloc.h"
#include "error.h"

#include <math.h>

enum { GROUP = 128, TILE = 2048, MOST_LINES = 64, AXES = 3 };   /* as in kernels/fft/line.cl */

typedef struct axis {
    int64_t extent, length;     /* numbers of a line: half of the extent of rows */
    int32_t lines;              /* of a tile */
    uint32_t radices;
    drua_buffer *waves;
} axis;

typedef struct plan {
    drua_device *device;
    drua_shape shape;
    axis axes[AXES];
} plan;

static int64_t take_out(int64_t length, int prime, int *count)
{
    for (*count = 0; length % prime == 0; length /= prime)
        ++*count;
    return length;
}

static uint32_t add(uint32_t radices, uint32_t radix, int count)
{
    while (count-- > 0)
        radices = radices << 4 | radix;
    return radices;
}

/* The steps of a line of that length, as few as there can be, four bits each; 0: there are none. */
static uint32_t radices_of(int64_t length)
{
    int twos, threes, fives, sevens;
    length = take_out(take_out(take_out(take_out(length, 2, &twos), 3, &threes), 5, &fives), 7, &sevens);
    uint32_t radices = add(add(add(0, 9, threes / 2), 5, fives), 7, sevens);
    const bool sixes = threes % 2 && twos % 3 == 1;
    radices = add(add(radices, 6, sixes), 3, threes % 2 && !sixes);
    twos -= sixes;
    for (int step; twos > 0; twos -= step) {
        step = twos == 1 ? 1 : twos % 3 ? 2 : 3;
        radices = add(radices, 1u << step, 1);
    }
    return length == 1 ? radices : 0;
}

static bool is_line(int64_t length)
{
    return length == 1 || (length <= TILE && radices_of(length));
}

static const char *version(void)
{
    return "Drua's lines";
}

static bool is_here(void)
{
    return true;
}

static bool serves(const drua_device *device, drua_shape s)
{
    return drua_device_facts(device)->is_gpu && s.width % 2 == 0 && is_line(s.width / 2) && is_line(s.height) && is_line(s.depth);
}

static void discard(void *state)
{
    plan *p = state;
    for (int i = 0; i < AXES; i++)
        drua_buffer_release(p->axes[i].waves);
    drua_free(p);
}

/* exp(-2 pi i k / extent) for the first half of all k and one more. */
static drua_status make_waves(drua_device *device, axis *a)
{
    const int64_t count = a->extent / 2 + 1;
    float(*waves)[2] = drua_alloc((size_t)count * sizeof *waves);
    if (!waves)
        return drua_fail_memory((size_t)count * sizeof *waves);
    for (int64_t k = 0; k < count; k++) {
        waves[k][0] = (float)cos(-2 * M_PI * (double)k / (double)a->extent);
        waves[k][1] = (float)sin(-2 * M_PI * (double)k / (double)a->extent);
    }
    const void *plane = waves;
    drua_status status = drua_buffer_make(device, (uint64_t)count * sizeof *waves, &a->waves);
    if (status == DRUA_OK)
        status = drua_device_upload(device, (drua_view){a->waves, drua_layout_dense((drua_shape){2 * count, 1, 1, 3}, DRUA_FLOAT32)}, &plane);
    drua_free(waves);
    return status;
}

static drua_status make(drua_device *device, drua_shape shape, void **state)
{
    const int64_t extents[AXES] = {shape.width, shape.height, shape.depth};
    plan *p = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->device = device;
    p->shape = shape;
    drua_status status = DRUA_OK;
    for (int i = 0; i < AXES && status == DRUA_OK; i++) {
        axis *a = &p->axes[i];
        a->extent = extents[i];
        a->length = i ? extents[i] : extents[i] / 2;
        a->radices = radices_of(a->length);
        a->lines = (int32_t)(TILE / a->length);
        if (i)
            for (int32_t lines = a->lines, most = MOST_LINES; a->lines = most, most > lines; most /= 2)
                continue;
        status = make_waves(device, a);
    }
    if (status != DRUA_OK) {
        discard(p);
        return status;
    }
    *state = p;
    return DRUA_OK;
}

/* ---- passes */

#define INT(value) ((drua_arg){.kind = DRUA_LAUNCH_INT, .as.integer = (int32_t)(value)})
#define REAL(value) ((drua_arg){.kind = DRUA_LAUNCH_FLOAT, .as.real = (float)(value)})
#define POINTER(buffer_) ((drua_arg){.kind = DRUA_LAUNCH_POINTER, .as.view = {.buffer = (buffer_)}})
#define IMAGE(p, buffer_) ((drua_arg){.kind = DRUA_LAUNCH_VIEW, .as.view = {buffer_, drua_fft_image((p)->shape)}})
#define SPECTRUM(p, buffer_) ((drua_arg){.kind = DRUA_LAUNCH_VIEW, .as.view = {buffer_, drua_fft_spectrum((p)->shape)}})
#define SEND(p, name, groups, ...)                                                                                               \
    drua_device_launch((p)->device, name, (drua_grid){.items = {(groups) * GROUP, 1, 1}, .group = {GROUP, 1, 1}},                \
                       (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

static int64_t row_tiles(const plan *p)
{
    return (p->shape.height * p->shape.depth + p->axes[0].lines - 1) / p->axes[0].lines;
}

static int64_t column_tiles(const plan *p, int i)
{
    const drua_layout l = drua_fft_spectrum(p->shape);
    const int64_t across = i == 1 ? l.width / 2 : l.plane / 2, planes = i == 1 ? p->shape.depth : 1;
    return (across + p->axes[i].lines - 1) / p->axes[i].lines * planes;
}

static drua_status rows_forward(plan *p, drua_buffer *from, drua_buffer *to)
{
    const axis *a = &p->axes[0];
    return SEND(p, "line_rows_forward", row_tiles(p), IMAGE(p, from), SPECTRUM(p, to), INT(a->lines), INT(a->radices), POINTER(a->waves));
}

static drua_status rows_inverse(plan *p, drua_buffer *work)
{
    const axis *a = &p->axes[0];
    const double voxels = (double)p->shape.width * (double)p->shape.height * (double)p->shape.depth;
    return SEND(p, "line_rows_inverse", row_tiles(p), IMAGE(p, work), INT(a->lines), INT(a->radices), POINTER(a->waves), REAL(1 / voxels));
}

static drua_status columns(plan *p, int i, drua_buffer *work, bool inverse)
{
    const axis *a = &p->axes[i];
    if (a->length == 1)
        return DRUA_OK;
    return SEND(p, "line_columns", column_tiles(p, i), SPECTRUM(p, work), INT(i), INT(a->length), INT(a->lines), INT(a->radices), POINTER(a->waves),
                INT(inverse));
}

static drua_status transform(void *state, drua_buffer *work, bool inverse)
{
    plan *p = state;
    if (!inverse) {
        DRUA_TRY(rows_forward(p, work, work));
        DRUA_TRY(columns(p, 1, work, false));
        return columns(p, 2, work, false);
    }
    DRUA_TRY(columns(p, 2, work, true));
    DRUA_TRY(columns(p, 1, work, true));
    return rows_inverse(p, work);
}

static drua_status make_convolution(void *state)
{
    (void)state;
    return DRUA_OK;
}

/* The last axis goes there, through the product and back in one pass. */
static drua_status convolve_columns(plan *p, drua_buffer *kernel, drua_buffer *work, bool correlate)
{
    const int last = p->shape.depth > 1 ? 2 : 1;
    const axis *a = &p->axes[last];
    if (last == 2)
        DRUA_TRY(columns(p, 1, work, false));
    DRUA_TRY(SEND(p, "line_columns_product", column_tiles(p, last), SPECTRUM(p, work), SPECTRUM(p, kernel), INT(correlate), INT(last), INT(a->length),
                  INT(a->lines), INT(a->radices), POINTER(a->waves)));
    return last == 2 ? columns(p, 1, work, true) : DRUA_OK;
}

static drua_status convolve(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    plan *p = state;
    DRUA_TRY(rows_forward(p, from, to));
    DRUA_TRY(convolve_columns(p, kernel, to, correlate));
    return rows_inverse(p, to);
}

const fft_provider fft_lines = {
    .name = "lines",
    .number = 0,
    .is_quick = true,
    .version = version,
    .is_here = is_here,
    .serves = serves,
    .make = make,
    .discard = discard,
    .transform = transform,
    .make_convolution = make_convolution,
    .convolve = convolve,
};
