/* SPDX-License-Identifier: BSD-3-Clause */
#include "spline_levels.h"

#include <stdlib.h>

enum { MIN_EXTENT = 12, CUBIC_RADIUS = 20, SEVENTH_RADIUS = 40, POLES = 3, FRAME_FLOATS = 4 };

/* Poles of the inverse filters of B-splines of degree 3 and 7. */
static const double cubic_pole = -0.26794919243112270647,
                    seventh_poles[POLES] = {-0.53528043079643816554, -0.12255461519232669052, -0.00914869480960827692};

/* Taps of symmetric kernels: the middle, then one half. */
static const float seventh_samples[] = {151.0f / 315, 397.0f / 1680, 1.0f / 42, 1.0f / 5040},
                   binomial[] = {6.0f / 16, 4.0f / 16, 1.0f / 16};

int spline_level_count(int64_t width, int64_t height)
{
    int levels = 1;
    for (; width >= 2 * MIN_EXTENT && height >= 2 * MIN_EXTENT; levels++) {
        width /= 2;
        height /= 2;
    }
    return levels < SPLINE_LEVELS ? levels : SPLINE_LEVELS;
}

uint64_t spline_level_bytes(int64_t width, int64_t height)
{
    return (uint64_t)(width * height) * FRAME_FLOATS * sizeof(float);
}

/*
 * The inverse filter is a product of two-sided exponentials z^|k| (1 - z) / (1 + z), one for each pole z. The taps are
 * their convolution, so that every pixel can be computed without its neighbours' results.
 */
static void inverse_taps(const double *poles, int count, int radius, float *taps)
{
    double kernel[2 * SEVENTH_RADIUS + 1] = {0}, next[2 * SEVENTH_RADIUS + 1];
    kernel[SEVENTH_RADIUS] = 1;
    for (int p = 0; p < count; p++) {
        for (int i = 0; i <= 2 * SEVENTH_RADIUS; i++) {
            next[i] = 0;
            for (int j = 0; j <= 2 * SEVENTH_RADIUS; j++)
                next[i] += kernel[j] * pow(poles[p], abs(i - j)) * (1 - poles[p]) / (1 + poles[p]);
        }
        for (int i = 0; i <= 2 * SEVENTH_RADIUS; i++)
            kernel[i] = next[i];
    }
    for (int k = 0; k <= radius; k++)
        taps[k] = (float)kernel[SEVENTH_RADIUS + k];
}

/* A symmetric filter of 2 radius + 1 weights. Step 2 keeps every second result. */
typedef struct line_filter {
    const float *taps; /* the weights of distances 0 to radius */
    int radius, step;
} line_filter;

static void filter_axis(drua_plan *p, drua_view from, drua_view to, const line_filter *f, int axis, double offset)
{
    LAUNCH(p, "spline_filter_lines", grid_of_turns(plan_grid(to.layout), 2 * f->radius + 1), ARG(from), ARG(to),
           TABLE(f->taps, ((size_t)f->radius + 1) * sizeof *f->taps), INT(f->radius), INT(axis), INT(f->step),
           REAL(offset));
}

static drua_view scratch_of(drua_plan *p, int64_t width, int64_t height, int64_t frames)
{
    return plan_scratch(p, (drua_shape){width, height, frames, 3}, DRUA_FLOAT32);
}

/* Filters along x and y. */
static void filter_plane(drua_plan *p, drua_view from, drua_view to, const line_filter *f)
{
    drua_view half = scratch_of(p, to.layout.width, from.layout.height, from.layout.depth);
    filter_axis(p, from, half, f, 0, 0);
    filter_axis(p, half, to, f, 1, 0);
    plan_free_scratch(p, half);
}

void spline_coefficients(drua_plan *p, drua_view frames, drua_view coefficients, double offset, double scale)
{
    float taps[CUBIC_RADIUS + 1], scaled[CUBIC_RADIUS + 1];
    inverse_taps(&cubic_pole, 1, CUBIC_RADIUS, taps);
    for (int i = 0; i <= CUBIC_RADIUS; i++)
        scaled[i] = (float)(taps[i] * scale);
    drua_view half = scratch_of(p, frames.layout.width, frames.layout.height, frames.layout.depth);
    filter_axis(p, frames, half, &(line_filter){scaled, CUBIC_RADIUS, 1}, 0, offset);
    filter_axis(p, half, coefficients, &(line_filter){taps, CUBIC_RADIUS, 1}, 1, 0);
    plan_free_scratch(p, half);
}

void spline_coarser_levels(drua_plan *p, spline_levels *levels)
{
    if (levels->count < 2)
        return;
    float taps[SEVENTH_RADIUS + 1];
    inverse_taps(seventh_poles, POLES, SEVENTH_RADIUS, taps);
    const drua_layout l = levels->level[0].layout;
    drua_view dual = scratch_of(p, l.width, l.height, l.depth);
    filter_plane(p, levels->level[0], dual, &(line_filter){seventh_samples, 3, 1});
    for (int i = 1; i < levels->count; i++) {
        const int64_t width = dual.layout.width / 2, height = dual.layout.height / 2;
        drua_view half = scratch_of(p, width, height, l.depth);
        filter_plane(p, dual, half, &(line_filter){binomial, 2, 2});
        plan_free_scratch(p, dual);
        dual = half;
        levels->level[i] = scratch_of(p, width, height, l.depth);
        filter_plane(p, dual, levels->level[i], &(line_filter){taps, SEVENTH_RADIUS, 1});
    }
    plan_free_scratch(p, dual);
}

void spline_drop_levels(drua_plan *p, spline_levels *levels)
{
    for (int i = 0; i < levels->count; i++)
        plan_free_scratch(p, levels->level[i]);
}
