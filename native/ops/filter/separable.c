/* SPDX-License-Identifier: BSD-3-Clause */
#include "separable.h"

#include <stdio.h>
#include <string.h>

enum { RUN = 8, SMALL = 16, SMALL_RADIUS = 20 };    /* as in kernels/filter/separable.cl and separable_small.cl */

/* Input, output and grid of a general kernel that filters along one axis. */
typedef struct axis_launch {
    drua_view from, to;     /* the filtered axis is x or y of both views */
    bool wide;              /* rows consist of whole vectors */
    drua_grid grid;
} axis_launch;

static const char *const names[] = {"gaussian", "mean", "minimum", "maximum"};
static const char *const small_names[] = {"gaussian_small", "mean_small", "minimum_small", "maximum_small"};

static axis_launch plan_axis(drua_plan *plan, int axis, bool may_be_wide, drua_view from, drua_view to)
{
    int lanes = plan_lanes(plan);
    bool wide =
        may_be_wide && drua_layout_is_in_vectors(&from.layout, lanes) && drua_layout_is_in_vectors(&to.layout, lanes);
    axis_launch launch = {from, to, wide, {.items = {0}}};
    if (axis == 2) {
        launch.from = separable_exchange(from);
        launch.to = separable_exchange(to);
    }
    drua_layout l = launch.to.layout;
    if (axis > 0)
        launch.grid =
            GRID(wide ? (l.width + lanes - 1) / lanes : l.width, (l.height + RUN - 1) / RUN, l.depth, 32, 4, 1);
    else
        launch.grid = GRID(wide ? (l.width + RUN - 1) / RUN : l.width, l.height, l.depth, 32, 4, 1);
    return launch;
}

/* ---- general kernels */

static void filter_axis(drua_plan *plan, const separable *f, int axis, double divisor, drua_view from, drua_view to)
{
    const bool floats = f->sums == DRUA_FLOAT32;
    axis_launch launch = plan_axis(plan, axis, floats, from, to);
    launch.grid.turns = 2 * f->radius[axis] + 1;
    char kernel[24];
    snprintf(kernel, sizeof kernel, "%s%s_%s%s", names[f->kind], floats ? "" : "_integer", axis > 0 ? "y" : "x",
             launch.wide ? "_wide" : "");
    if (f->wide[axis])
        LAUNCH(plan, "mean_long_y", launch.grid, ARG(launch.from), ARG(launch.to), INT(f->radius[axis]),
               LONG((int64_t)divisor));
    else if (f->kind == SEPARABLE_GAUSSIAN)
        LAUNCH(plan, kernel, launch.grid, ARG(launch.from), ARG(launch.to), INT(f->radius[axis]), REAL(f->divisor),
               TABLE(f->weights[axis], (size_t)(2 * f->radius[axis] + 1) * sizeof **f->weights));
    else
        LAUNCH(plan, kernel, launch.grid, ARG(launch.from), ARG(launch.to), INT(f->radius[axis]), REAL(divisor));
}

/* Launches a kernel that filters along x and y together. */
static void launch_both(drua_plan *plan, const separable *f, const char *kernel, drua_grid grid, double divisor,
                        drua_view from, drua_view to)
{
    enum { MAX_TAPS = 2 * (2 * SMALL_RADIUS + 1) };
    const int rx = f->radius[0], ry = f->radius[1];
    grid.turns = 2 * (rx + ry + 1);
    if (f->kind == SEPARABLE_GAUSSIAN) {
        float weights[MAX_TAPS];
        memcpy(weights, f->weights[0], (size_t)(2 * rx + 1) * sizeof *weights);
        memcpy(weights + 2 * rx + 1, f->weights[1], (size_t)(2 * ry + 1) * sizeof *weights);
        LAUNCH(plan, kernel, grid, ARG(from), ARG(to), INT(rx), INT(ry), REAL(f->divisor),
               TABLE(weights, (size_t)(2 * (rx + ry + 1)) * sizeof *weights));
    } else {
        LAUNCH(plan, kernel, grid, ARG(from), ARG(to), INT(rx), INT(ry), REAL(divisor));
    }
}

/* Filters along x and y together on GPUs, for images too small to keep the GPU busy with the other kernels. */
static bool filter_small(drua_plan *plan, const separable *f, double divisor, drua_view from, drua_view to)
{
    /* above this work, other kernels save more by sharing pixels between work-items */
    enum { TAPS_A_UNIT = 100000 };
    const drua_layout l = to.layout;
    if (!plan_device(plan)->is_gpu || plan_device(plan)->largest_work_group < SMALL * SMALL ||
        f->sums != DRUA_FLOAT32 || f->radius[0] > SMALL_RADIUS || f->radius[1] > SMALL_RADIUS ||
        drua_layout_count(&l) * 2 * (f->radius[0] + f->radius[1] + 1) >
            TAPS_A_UNIT * (int64_t)plan_device(plan)->compute_units)
        return false;
    launch_both(plan, f, small_names[f->kind], GRID(l.width, l.height, l.depth, SMALL, SMALL, 1), divisor, from, to);
    return true;
}

/*
 * Filters along x and y together, for small radii and aligned rows, unless measurements have shown this to be slower.
 */
static bool filter_tile(drua_plan *plan, const separable *f, double divisor, drua_view from, drua_view to)
{
    enum { FOUR = 4, MAX_RADIUS = 8 }; /* as in kernels/filter/separable_tile.cl */
    const int rx = f->radius[0], ry = f->radius[1];
    const drua_layout l = to.layout;
    char kernel[24], kind[40], rows[24], columns[24];
    if (plan_lanes(plan) != FOUR || f->sums != DRUA_FLOAT32 || rx < 0 || ry < 0 || rx > MAX_RADIUS || ry > MAX_RADIUS ||
        !drua_layout_is_in_vectors(&from.layout, FOUR) || !drua_layout_is_in_vectors(&l, FOUR))
        return false;
    snprintf(kernel, sizeof kernel, "%s_tile", names[f->kind]);
    snprintf(kind, sizeof kind, "%s:%d,%d,%d:%d", kernel, rx, ry, f->radius[2], from.layout.type);
    snprintf(rows, sizeof rows, "%s_x_wide", names[f->kind]);
    snprintf(columns, sizeof columns, "%s_y_wide", names[f->kind]);
    if (!plan_choose_variant(plan, kind, drua_layout_count(&l), 2, 1,
                             (const char *const[]){kernel, rows, columns, NULL}))
        return false;
    launch_both(plan, f, kernel, GRID((l.width + 3) / 4, (l.height + RUN - 1) / RUN, l.depth, 16, 8, 1), divisor, from,
                to);
    return true;
}

/* Filters the axes from `axis` to `end` in one launch. Returns false if no kernel can. */
static bool filter_axes(drua_plan *plan, const separable *f, int axis, int end, double divisor, drua_view from,
                        drua_view to)
{
    if (end == axis)
        filter_axis(plan, f, axis, divisor, from, to);
    return end == axis || (axis == 0 && end == 1 &&
                           (filter_small(plan, f, divisor, from, to) || filter_tile(plan, f, divisor, from, to)));
}

static void launch_difference(drua_plan *plan, const separable_join *join, drua_view result, drua_view to)
{
    const bool from_other = join->kind == SEPARABLE_OTHER_LESS_RESULT;
    LAUNCH(plan, "difference", plan_grid(to.layout), ARG(from_other ? join->other : result),
           ARG(from_other ? result : join->other), ARG(to));
}

/* ---- all passes */

typedef struct run {
    drua_plan *plan;
    const separable *filter;
    const separable_join *join;
    int last_axis;
    drua_view from, to, middle, result;
} run;

/* Returns a scratch image that is kept for the next attempt. */
static drua_view take_scratch(run *r, drua_view *kept, drua_type type)
{
    const bool stays = kept->buffer && kept->layout.type == (int32_t)type;
    if (kept->buffer && !stays)
        plan_free_scratch(r->plan, *kept);
    if (!stays)
        *kept = type == (drua_type)SEPARABLE_WIDE ? separable_wide_middle(r->plan, r->from)
                                                  : separable_middle(r->plan, r->from, type);
    return *kept;
}

/*
 * Tries one pass over the axes from `axis` to `end`. The last pass includes the subtraction if the images have equal
 * extents and a suitable kernel exists.
 */
static bool try_pass(run *r, int axis, int end, drua_view *at)
{
    const bool last = end == r->last_axis, subtracts = last && r->join;
    const drua_view next =
        last ? r->to : take_scratch(r, &r->middle, r->filter->wide[end] ? (drua_type)SEPARABLE_WIDE : r->filter->sums);
    bool done = axis == 0 && end == 1 && !subtracts && !plan_prefers_specialized(r->plan) &&
                filter_small(r->plan, r->filter, last ? r->filter->divisor : 1, *at, next);
    const separable_pass pass = {r->filter, axis, end, last, *at, next, subtracts ? r->join : NULL};
    done = done ||
           ((!subtracts || drua_layout_is_same_size(&at->layout, &next.layout)) && separable_special(r->plan, &pass));
    if (!done) {
        const drua_view result = subtracts ? take_scratch(r, &r->result, r->join->type) : next;
        done = filter_axes(r->plan, r->filter, axis, end, last ? r->filter->divisor : 1, *at, result);
        if (done && subtracts)
            launch_difference(r->plan, r->join, result, r->to);
    }
    if (done) {
        if (at->buffer != r->from.buffer)
            plan_free_scratch(r->plan, *at);
        *at = next;
        r->middle.buffer = NULL;
    }
    return done;
}

void separable_filter(drua_plan *plan, const separable *f, drua_view from, drua_view to, const separable_join *join)
{
    run r = {.plan = plan, .filter = f, .join = join, .last_axis = 2, .from = from, .to = to};
    while (r.last_axis >= 0 && f->radius[r.last_axis] < 0)
        r.last_axis--;
    if (r.last_axis < 0) {
        if (join)
            launch_difference(plan, join, from, to);
        else
            LAUNCH(plan, "copy_region", plan_grid(from.layout), ARG(from), ARG(to), LONG(0), LONG(0), LONG(0));
    }
    for (int axis = 0; axis <= r.last_axis && !plan_failed(plan); axis++) {
        if (f->radius[axis] < 0)
            continue;
        int end = axis;
        while (end < r.last_axis && f->radius[end + 1] >= 0)
            end++;
        while (!try_pass(&r, axis, end, &from) && end > axis)
            end--;
        axis = end;
    }
}
