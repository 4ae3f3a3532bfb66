/* SPDX-License-Identifier: BSD-3-Clause */
#include "basic_state.h"

/* As in kernels/shading/shading_steps.cl. */
enum { GROUP = 128, PARTS = 8 };

drua_view basic_plane(drua_plan *p, int32_t frames)
{
    return plan_scratch(p, (drua_shape){BASIC_EXTENT, BASIC_EXTENT, frames, 3}, DRUA_FLOAT32);
}

drua_grid basic_plane_grid(void)
{
    return GRID(BASIC_EXTENT, BASIC_EXTENT, 1, 32, 4, 1);
}

drua_grid basic_frame_grid(const basic_state *f)
{
    return grid_of_turns(GRID(PARTS * GROUP, 1, f->count, GROUP, 1, 1), BASIC_PIXELS / (PARTS * GROUP));
}

/* Sends the matrix of the orthonormal discrete cosine transform (type 2). */
static void send_cosines(basic_state *f)
{
    float *matrix = plan_host_memory(f->p, BASIC_PIXELS * sizeof *matrix);
    for (int k = 0; k < BASIC_EXTENT && !plan_failed(f->p); k++)
        for (int i = 0; i < BASIC_EXTENT; i++)
            matrix[k * BASIC_EXTENT + i] = (float)(sqrt((k ? 2.0 : 1.0) / BASIC_EXTENT) *
                                                   cos(3.14159265358979323846 * (i + 0.5) * k / BASIC_EXTENT));
    if (!plan_failed(f->p))
        plan_write(f->p, f->cosines, matrix);
}

basic_state basic_begin(drua_plan *p, drua_view frames, const basic_options *options, drua_view flat, drua_view dark)
{
    const int32_t n = frames.layout.depth;
    const size_t numbers = (size_t)n * PARTS * BASIC_SUMS;
    basic_state f = {.p = p,
                     .options = options,
                     .count = n,
                     .frames = frames,
                     .rest = basic_plane(p, n),
                     .multipliers = basic_plane(p, n),
                     .weights = basic_plane(p, n),
                     .waves = basic_plane(p, 1),
                     .flat = flat,
                     .dark = dark,
                     .plane = basic_plane(p, 1),
                     .other = basic_plane(p, 1),
                     .cosines = basic_plane(p, 1),
                     .numbers = plan_scratch_bytes(p, (uint64_t)n * sizeof(float)),
                     .results = plan_scratch_bytes(p, numbers * sizeof(float)),
                     .brightness = plan_host_memory(p, (size_t)n * sizeof(double)),
                     .sums = plan_host_memory(p, (size_t)n * sizeof(basic_sums)),
                     .host = plan_host_memory(p, (size_t)n * sizeof(float)),
                     .pixels = plan_host_memory(p, BASIC_PIXELS * sizeof(float)),
                     .received = plan_host_memory(p, numbers * sizeof(float))};
    send_cosines(&f);
    return f;
}

/* ---- sums of frames */

void basic_read_sums(basic_state *f)
{
    plan_read(f->p, f->results, f->received, (size_t)f->count * PARTS * BASIC_SUMS * sizeof *f->received);
    for (int32_t t = 0; t < f->count && !plan_failed(f->p); t++)
        for (int k = 0; k < BASIC_SUMS; k++) {
            f->sums[t].of[k] = 0;
            for (int part = 0; part < PARTS; part++)
                f->sums[t].of[k] += (double)f->received[((size_t)t * PARTS + (size_t)part) * BASIC_SUMS + (size_t)k];
        }
}

double basic_sum(const basic_state *f, int k)
{
    double sum = 0;
    for (int32_t t = 0; t < f->count; t++)
        sum += f->sums[t].of[k];
    return sum;
}

void basic_send_numbers(basic_state *f, const double *numbers)
{
    for (int32_t t = 0; t < f->count && !plan_failed(f->p); t++)
        f->host[t] = (float)numbers[t];
    if (!plan_failed(f->p))
        plan_write(f->p, f->numbers, f->host);
}

void basic_project(basic_state *f, drua_view image)
{
    LAUNCH(f->p, "shading_project", basic_frame_grid(f), ARG(f->frames), ARG(image), POINTER(f->results));
    basic_read_sums(f);
}

void basic_combine(basic_state *f, const double *factors, drua_view to)
{
    basic_send_numbers(f, factors);
    LAUNCH(f->p, "shading_combine", basic_plane_grid(), ARG(f->frames), ARG(f->rest), ARG(to), POINTER(f->numbers));
}

/* ---- cosine waves */

static void multiply_lines(basic_state *f, drua_view from, drua_view to, int axis, bool inverse)
{
    LAUNCH(f->p, "shading_multiply_lines", grid_of_turns(basic_plane_grid(), BASIC_EXTENT), ARG(from), ARG(to),
           POINTER(f->cosines), INT(axis), INT(inverse));
}

/* Transforms an image to its cosine waves or back; uses f->other. */
void basic_transform(basic_state *f, drua_view from, drua_view to, bool inverse)
{
    multiply_lines(f, from, f->other, 0, inverse);
    multiply_lines(f, f->other, to, 1, inverse);
}

void basic_shrink(basic_state *f, drua_view change, drua_view to, double limit, bool keeps)
{
    LAUNCH(f->p, "shading_shrink", basic_plane_grid(), ARG(change), ARG(to), REAL(limit), INT(keeps));
}

void basic_read_plane(basic_state *f, drua_view plane)
{
    plan_read(f->p, plane, f->pixels, BASIC_PIXELS * sizeof *f->pixels);
}

void basic_start_weights(basic_state *f)
{
    float *ones = plan_host_memory(f->p, (size_t)f->count * BASIC_PIXELS * sizeof *ones);
    for (size_t i = 0; i < (size_t)f->count * BASIC_PIXELS && !plan_failed(f->p); i++)
        ones[i] = 1;
    if (!plan_failed(f->p))
        plan_write(f->p, f->weights, ones);
    f->weight = 1;
}

double basic_mean(basic_state *f, drua_view plane)
{
    double sum = 0;
    basic_read_plane(f, plane);
    for (int i = 0; i < BASIC_PIXELS && !plan_failed(f->p); i++)
        sum += (double)f->pixels[i];
    return sum / BASIC_PIXELS;
}
