/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine's own transforms: each line is transformed in registers and local memory
 * (kernels/specialized/lines/line_steps.cl), by kernels that are compiled for the lengths of lines. Pixels are read and
 * written once for each axis.
 */
#include "provider.h"

#include "alloc.h"
#include "error.h"
#include "line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXES = 3, CONSTANTS = 512, KERNELS = 16, ARGUMENTS = 32 };

typedef struct axis {
    int64_t extent;
    fft_line line;
    char constants[CONSTANTS];
    drua_buffer *waves;
} axis;

/* A kernel that was compiled for certain constants. */
typedef struct compiled {
    char key[2 * CONSTANTS];
    drua_jit_kernel *made;
} compiled;

typedef struct built_in_state {
    drua_device *device;
    drua_shape shape;
    axis axes[AXES];
    compiled kernels[KERNELS];
} built_in_state;

static const char *built_in_version(void)
{
    return "Drua's built-in FFT";
}

/*
 * Sets the constants of kernels/specialized/lines/line_steps.cl. Returns false if a line of that length cannot be
 * transformed.
 */
static bool choose_axis(axis *a, const drua_device_info *info)
{
    const fft_line *l = &a->line;
    if (!fft_line_choose(&a->line, info))
        return false;
    const int count = l->steps, first = count ? l->radices[0] : 1, last = count ? l->radices[count - 1] : 1;
    int used = snprintf(a->constants, CONSTANTS, "N=%d T=%d LINES=%d FIRST=%d LAST=%d VALUES=%d GAP=%d HALVES=%d",
                        (int)l->length, l->threads, l->lines, first, last, l->values, l->gap, l->halves);
    for (int back = 0; back < 2; back++) {
        used += snprintf(a->constants + used, CONSTANTS - (size_t)used, back ? " BACK=" : " STEPS=");
        for (int i = 0, done = 1; i < count; i++) {
            const int radix = l->radices[back ? count - 1 - i : i];
            used += snprintf(a->constants + used, CONSTANTS - (size_t)used, "STEP(%d,%d)", radix, done);
            if (i + 1 < count)
                used += snprintf(a->constants + used, CONSTANTS - (size_t)used, "REORDER(%d,%d,%d)", radix, done,
                                 l->radices[back ? count - 2 - i : i + 1]);
            done *= radix;
        }
    }
    snprintf(a->constants + used, CONSTANTS - (size_t)used, l->rows ? " ROWS=1" : "");
    return true;
}

static axis axis_of(drua_shape s, int i)
{
    const int64_t extent = s.extent[i], pixels = s.width * s.height * s.depth;
    return (axis){.extent = extent,
                  .line = {.length = i ? extent : extent / 2, .count = pixels / extent / (i ? 2 : 1), .rows = i == 0}};
}

static bool built_in_serves(const drua_device *device, drua_shape s)
{
    const drua_device_info *info = drua_device_get_info(device);
    bool can = info->is_gpu && s.width % 2 == 0;
    for (int i = 0; can && i < AXES; i++) {
        axis a = axis_of(s, i);
        can = choose_axis(&a, info);
    }
    return can;
}

static void drop_compiled(compiled *c)
{
    drua_jit_free(c->made);
    c->made = NULL;
}

static void built_in_discard(void *state)
{
    built_in_state *p = state;
    for (int i = 0; i < AXES; i++)
        drua_buffer_release(p->axes[i].waves);
    for (int i = 0; i < KERNELS; i++)
        drop_compiled(&p->kernels[i]);
    drua_free(p);
}

static uint64_t kept_bytes(void *state, bool on_host)
{
    const built_in_state *p = state;
    uint64_t bytes = 0;
    for (int i = 0; i < AXES; i++) {
        const drua_buffer *waves = p->axes[i].waves;
        if (waves && on_host)
            bytes += drua_buffer_host(waves) ? drua_buffer_bytes(waves) : 0;
        else if (waves)
            bytes += drua_buffer_block_bytes(waves);
    }
    return bytes;
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
        status = drua_device_upload(
            device, (drua_view){a->waves, drua_layout_dense((drua_shape){2 * count, 1, 1, 3}, DRUA_FLOAT32)}, &plane);
    drua_free(waves);
    return status;
}

/* ---- passes */

#define IMAGE(p, buffer_) VIEW(buffer_, drua_fft_image((p)->shape))
#define SPECTRUM(p, buffer_) VIEW(buffer_, drua_fft_spectrum((p)->shape))

/* COMPILE: a function only begins to compile its kernels, so that all compile at the same time. */
typedef enum purpose { LAUNCH, COMPILE } purpose;

/* Launches the kernel for these constants, and compiles it first if necessary. */
static drua_status send_pass(built_in_state *p, purpose aim, const char *kernel, const char *constants, drua_grid grid,
                             const drua_arg *arguments)
{
    char key[2 * CONSTANTS];
    int i = 0;
    snprintf(key, sizeof key, "%s %s", kernel, constants);
    while (i < KERNELS && p->kernels[i].made && strcmp(p->kernels[i].key, key))
        i++;
    compiled *c = &p->kernels[i < KERNELS ? i : KERNELS - 1];
    if (i == KERNELS)
        drop_compiled(c);
    if (!c->made) {
        memcpy(c->key, key, sizeof key);
        c->made = drua_jit_start_specialized(p->device, kernel, constants, NULL, grid, arguments, DRUA_JIT_SOON);
    }
    if (aim == COMPILE)
        return DRUA_OK;
    if (!c->made || drua_jit_wait(c->made) != DRUA_JIT_READY)
        return drua_fail(DRUA_E_DEVICE, "%s is not compiled for %s", kernel, constants);
    return drua_jit_launch(c->made, grid, arguments);
}

#define SEND(p, aim, name, axis_, grid, ...)                                                                           \
    send_pass(p, aim, name, (axis_)->constants, grid, (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

static drua_grid row_grid(const built_in_state *p)
{
    const fft_line *a = &p->axes[0].line;
    return GRID(a->threads, p->shape.height * p->shape.depth, 1, a->threads, a->lines, 1);
}

static drua_grid column_grid(const built_in_state *p, int i)
{
    const fft_line *a = &p->axes[i].line;
    const drua_layout l = drua_fft_spectrum(p->shape);
    return GRID((i == 1 ? l.width : l.plane) / 2, a->threads, i == 1 ? p->shape.depth : 1, a->lines, a->threads, 1);
}

static drua_status rows_forward(built_in_state *p, purpose aim, drua_buffer *from, drua_buffer *to)
{
    const axis *a = &p->axes[0];
    return SEND(p, aim, "line_forward", a, row_grid(p), IMAGE(p, from), SPECTRUM(p, to), BUFFER(a->waves));
}

static float inverse_scale(const built_in_state *p)
{
    return (float)(1 / ((double)p->shape.width * (double)p->shape.height * (double)p->shape.depth));
}

static drua_status rows_inverse(built_in_state *p, purpose aim, drua_buffer *work)
{
    const axis *a = &p->axes[0];
    return SEND(p, aim, "line_inverse", a, row_grid(p), IMAGE(p, work), BUFFER(a->waves), REAL(inverse_scale(p)));
}

static drua_status transform_columns(built_in_state *p, purpose aim, int i, drua_buffer *work, bool inverse)
{
    const axis *a = &p->axes[i];
    if (a->line.length == 1)
        return DRUA_OK;
    return SEND(p, aim, "line_columns", a, column_grid(p, i), SPECTRUM(p, work), INT(i), INT(inverse),
                BUFFER(a->waves));
}

static drua_status send_transform(built_in_state *p, purpose aim, drua_buffer *work, bool inverse)
{
    if (!inverse) {
        DRUA_TRY(rows_forward(p, aim, work, work));
        DRUA_TRY(transform_columns(p, aim, 1, work, false));
        return transform_columns(p, aim, 2, work, false);
    }
    DRUA_TRY(transform_columns(p, aim, 2, work, true));
    DRUA_TRY(transform_columns(p, aim, 1, work, true));
    return rows_inverse(p, aim, work);
}

static drua_status built_in_transform(void *state, drua_buffer *work, bool inverse)
{
    return send_transform(state, LAUNCH, work, inverse);
}

/* Transforms the last axis forward, multiplies, and transforms it back in one pass. */
static drua_status send_columns(built_in_state *p, purpose aim, drua_buffer *work, drua_buffer *kernel, bool correlate)
{
    const int last = p->shape.depth > 1 ? 2 : 1;
    const axis *a = &p->axes[last];
    if (last == 2)
        DRUA_TRY(transform_columns(p, aim, 1, work, false));
    DRUA_TRY(SEND(p, aim, "line_convolve", a, column_grid(p, last), SPECTRUM(p, work), SPECTRUM(p, kernel), INT(last),
                  INT(correlate), BUFFER(a->waves), BUFFER(a->waves)));
    return last == 2 ? transform_columns(p, aim, 1, work, true) : DRUA_OK;
}

static drua_status convolve_columns(void *state, drua_buffer *work, drua_buffer *kernel, bool correlate)
{
    return send_columns(state, LAUNCH, work, kernel, correlate);
}

static drua_status make_convolution(void *state)
{
    return send_columns(state, COMPILE, NULL, NULL, false);
}

static drua_status make_built_in(drua_device *device, drua_shape shape, bool convolves, bool later, void **state)
{
    (void)later;
    built_in_state *p = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->device = device;
    p->shape = shape;
    drua_status status = DRUA_OK;
    for (int i = 0; i < AXES && status == DRUA_OK; i++) {
        p->axes[i] = axis_of(shape, i);
        choose_axis(&p->axes[i], drua_device_get_info(device));
        status = make_waves(device, &p->axes[i]);
    }
    if (status != DRUA_OK) {
        built_in_discard(p);
        return status;
    }
    send_transform(p, COMPILE, NULL, false);
    send_transform(p, COMPILE, NULL, true);
    if (convolves)
        make_convolution(p);
    *state = p;
    return DRUA_OK;
}

static drua_status convolve_rows(void *state, drua_buffer *from, drua_buffer *to)
{
    return rows_forward(state, LAUNCH, from, to);
}

static drua_status built_in_convolve(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                                     bool correlate)
{
    built_in_state *p = state;
    DRUA_TRY(rows_forward(p, LAUNCH, from, to));
    DRUA_TRY(send_columns(p, LAUNCH, to, kernel, correlate));
    return rows_inverse(p, LAUNCH, to);
}

/* The work image, both tables of waves and the scale precede the kernel's own arguments. */
static drua_status send_joined_pass(void *state, drua_buffer *work, const char *kernel, const char *constants,
                                    const drua_arg *more, bool ahead)
{
    built_in_state *p = state;
    const axis *a = &p->axes[0];
    char all[2 * CONSTANTS];
    drua_arg arguments[ARGUMENTS] = {SPECTRUM(p, work), BUFFER(a->waves), BUFFER(a->waves), REAL(inverse_scale(p))};
    for (int i = 4; more->kind && i < ARGUMENTS - 1; i++)
        arguments[i] = *more++;
    snprintf(all, sizeof all, "%s %s", constants, a->constants);
    return send_pass(p, ahead ? COMPILE : LAUNCH, kernel, all, row_grid(p), arguments);
}

const fft_provider fft_built_in = {
    .name = "builtin",
    .number = 1,
    .is_quick = true,
    .is_ours = true,
    .version = built_in_version,
    .serves = built_in_serves,
    .make = make_built_in,
    .discard = built_in_discard,
    .kept_bytes = kept_bytes,
    .transform = built_in_transform,
    .make_convolution = make_convolution,
    .convolve = built_in_convolve,
    .rows = convolve_rows,
    .columns = convolve_columns,
    .join = send_joined_pass,
};
