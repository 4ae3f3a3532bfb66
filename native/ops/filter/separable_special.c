/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes compiled for a given radius: chooses the kernel of kernels/specialized and its tile sizes. */
#include "separable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    FOUR = 4, /* pixels of a vector */
    NEAR = DRUA_NUMBERS, /* number of weights (one for each distance) that a kernel for several axes takes */
    FAR = DRUA_WEIGHTS, /* number of weights that a kernel for one axis takes */
    MARCH = 12, /* largest radius for which a group processes slices one after another */
    WIDE = 16, /* largest radius whose kernel compiles within half a second */
    UNROLLED = 40, /* largest radius for which compilers unroll windows of sixteen pixels */
    LARGEST_GROUP = 256
};

/*
 * Number of work-items of a group along x and y. A work-item computes `high` rows of `wide` pixels; a group processes
 * `depth` slices one after another.
 */
typedef struct tile {
    int x, y, wide, high, depth;
} tile;

static const char *const names[] = {
    [SEPARABLE_WIDE] = "long", [DRUA_UINT8] = "uchar", [DRUA_INT8] = "char", [DRUA_UINT16] = "ushort",
    [DRUA_INT16] = "short",    [DRUA_UINT32] = "uint", [DRUA_INT32] = "int", [DRUA_FLOAT32] = "float"};

static const char *element_name(drua_view view)
{
    return names[view.layout.type];
}

/* A launch while its arguments are collected. */
typedef struct launch {
    char constants[300];
    int length;
    bool prefers_unfused, is_wide;
    drua_arg arguments[16];
    int count;
    float numbers[4][FAR];
    int number_count;
} launch;

static void add_argument(launch *l, drua_arg argument)
{
    l->arguments[l->count++] = argument;
}

/* Adds the weights of distances below `count` along an axis. */
static void add_weights(launch *l, const separable *f, int axis, int count)
{
    float *numbers = l->numbers[l->number_count++];
    for (int i = 0; f->kind == SEPARABLE_GAUSSIAN && i <= f->radius[axis]; i++)
        numbers[i] = f->weights[axis][f->radius[axis] + i];
    add_argument(l,
                 (drua_arg){.kind = count == NEAR ? DRUA_LAUNCH_NUMBERS : DRUA_LAUNCH_WEIGHTS, .as.numbers = numbers});
}

static void add_constants(launch *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    l->length += vsnprintf(l->constants + l->length, sizeof l->constants - (size_t)l->length, format, list);
    va_end(list);
}

static bool is_aligned(drua_view view)
{
    return drua_layout_is_in_vectors(&view.layout, FOUR);
}

/* Whether rows consist of whole vectors, if they start at a vector. */
static bool is_whole(drua_view from, drua_view to)
{
    return (from.layout.width | to.layout.width) % FOUR == 0;
}

/* another value of DIFFERENCE in kernels/specialized/separable/separable_axes.cl, after those of separable_join */
enum { TWO_RESULTS = 3 };

/* Starts a launch with its first argument and the constants that all kernels have, except those of add_result. */
static void start_launch(launch *l, separable_kind kind, bool last, drua_view from, drua_view to)
{
    *l = (launch){.length = 0};
    add_constants(l, "FILTER=%d LAST=%d FROM=%s TO=%s TO_TYPE=%d WHOLE=%d", (int)kind, last, element_name(from),
                  element_name(to), to.layout.type, is_whole(from, to));
    add_argument(l, ARG(from));
}

/* `result`: the type of the filter's own result, before a subtraction. */
static void add_result(launch *l, drua_view from, bool aligned, int difference, int result)
{
    add_constants(l, " ALIGNED=%d DIFFERENCE=%d RESULT=%d SAME=%d", aligned, difference, result,
                  from.layout.type == result);
}

static bool pass_is_aligned(const separable_pass *s)
{
    return is_aligned(s->from) && is_aligned(s->to) && (!s->join || is_aligned(s->join->other));
}

/* Starts a launch with the images of a pass. */
static void start_pass(launch *l, const separable_pass *s)
{
    const separable *f = s->filter;
    const separable_join *join = s->join;
    start_launch(l, f->kind, s->last, s->from, s->to);
    add_result(l, s->from, pass_is_aligned(s), join ? (int)join->kind : 0, join ? (int)join->type : s->to.layout.type);
    if (s->last ? f->wide[2] : s->to.layout.type == SEPARABLE_WIDE)
        add_constants(l, " SUM=long COUNT=long INTEGERS=1");
    else if (f->sums != DRUA_FLOAT32)
        add_constants(l, " SUM=%s INTEGERS=1", names[f->sums]);
    l->prefers_unfused = f->kind == SEPARABLE_MEAN;
    l->is_wide = f->radius[0] > WIDE || f->radius[1] > WIDE || f->radius[2] > WIDE;
    add_argument(l, ARG(s->to));
    if (join) {
        add_constants(l, " OTHER=%s", element_name(join->other));
        add_argument(l, ARG(join->other));
    }
}

static bool finish_launch(drua_plan *p, launch *l, const char *kernel, drua_grid grid)
{
    add_argument(l, (drua_arg){.kind = DRUA_LAUNCH_END});
    return plan_launch_specialized(p, &(drua_specialized){kernel, l->constants, l->prefers_unfused, l->is_wide}, grid,
                                   l->arguments);
}

static int64_t divide_up(int64_t extent, int pixels)
{
    return (extent + pixels - 1) / pixels;
}

static bool is_extreme(const separable *f)
{
    return f->kind == SEPARABLE_MINIMUM || f->kind == SEPARABLE_MAXIMUM;
}

static drua_grid tile_grid(drua_layout l, tile t)
{
    return GRID(divide_up(l.width, t.wide), divide_up(l.height, t.high),
                t.depth ? divide_up(l.depth, t.depth) : l.depth, t.x, t.y, 1);
}

/* Reduces the rows of a work-item until `tiles` tiles and `halo` more rows in total fit the device's local memory. */
static tile fit_local_memory(drua_plan *p, tile t, int tiles, int halo)
{
    while (t.high > 1 && (uint64_t)(tiles * t.y * t.high + halo) * (uint64_t)(t.x * t.wide) * sizeof(float) >
                             plan_device(p)->local_memory)
        t.high /= 2;
    return t;
}

static bool launch_volume(drua_plan *p, const separable_pass *s)
{
    const separable *f = s->filter;
    /* to keep two vectors on each side in registers pays off only without partial vectors and type conversions */
    const bool plain = s->from.layout.type == DRUA_FLOAT32 && is_whole(s->from, s->to);
    const int *r = f->radius, max = f->kind == SEPARABLE_GAUSSIAN || !plain ? 4 : 6;
    if (r[0] > max || r[1] > max || r[2] > max)
        return false;
    const bool small = r[0] < 4 && r[1] < 4 && r[2] < 4;
    tile t = {32, 8, 1, f->kind == SEPARABLE_GAUSSIAN ? 2 : small ? 3 : 4, 128};
    launch l;
    start_pass(&l, s);
    add_constants(&l, " RX=%d RY=%d RZ=%d LX=%d LY=%d VB=%d Q=%d DEPTH=%d", r[0], r[1], r[2], t.x, t.y, t.wide, t.high,
                  t.depth);
    for (int axis = 0; axis < 3; axis++)
        add_weights(&l, f, axis, NEAR);
    add_argument(&l, REAL(f->divisor));
    return finish_launch(p, &l, "separable_xyz", tile_grid(s->to.layout, t));
}

static bool launch_tile(drua_plan *p, const separable_pass *s)
{
    const separable *f = s->filter;
    const int *r = f->radius;
    if (r[0] >= NEAR || r[1] >= NEAR)
        return false;
    tile t = {16, 16, r[1] <= 8 ? 4 : 2, is_extreme(f) && r[1] <= 8 ? 4 : 8, 0}; /* at most 37 KB of local memory */
    t = fit_local_memory(p, t, 1, 2 * r[1]);
    launch l;
    start_pass(&l, s);
    add_constants(&l, " RX=%d RY=%d LX=%d LY=%d VB=%d Q=%d", r[0], r[1], t.x, t.y, t.wide, t.high);
    add_weights(&l, f, 0, NEAR);
    add_weights(&l, f, 1, NEAR);
    add_argument(&l, REAL(f->divisor));
    return finish_launch(p, &l, "separable_xy", tile_grid(s->to.layout, t));
}

static bool launch_x(drua_plan *p, const separable_pass *s)
{
    tile t = {32, 4, s->filter->radius[0] <= UNROLLED ? 16 : 8, 1, 1};
    launch l;
    start_pass(&l, s);
    add_constants(&l, " RX=%d RY=0 LX=%d LY=%d VB=4 RUN=%d Q=1", s->filter->radius[0], t.x, t.y, t.wide);
    add_weights(&l, s->filter, 0, FAR);
    add_argument(&l, REAL(s->filter->divisor));
    return finish_launch(p, &l, "separable_x", tile_grid(s->to.layout, t));
}

/* Filters along y or z; the kernel always filters along z. */
static bool launch_z(drua_plan *p, separable_pass s)
{
    const separable *f = s.filter;
    const int axis = s.axis;
    const bool marches = f->radius[axis] <= MARCH, aligned = pass_is_aligned(&s);
    separable_join exchanged;
    if (axis == 1) {
        s.from = separable_exchange(s.from);
        s.to = separable_exchange(s.to);
        if (s.join) {
            exchanged = *s.join;
            exchanged.other = separable_exchange(s.join->other);
            s.join = &exchanged;
        }
    }
    tile t = marches                       ? (tile){32, 4, 2, 1, 128}
             : f->radius[axis] <= UNROLLED ? (tile){32, 8, 2, 1, 16}
                                           : (tile){32, 8, 4, 1, 8};
    if (!aligned)
        t.wide = 1;
    launch l;
    start_pass(&l, &s);
    add_constants(&l, " RZ=%d VB=%d %s=%d", f->radius[axis], t.wide, marches ? "DEPTH" : "RUN", t.depth);
    add_weights(&l, f, axis, marches ? NEAR : FAR);
    add_argument(&l, f->wide[axis] ? LONG((int64_t)f->divisor) : REAL(f->divisor));
    drua_grid grid = tile_grid(s.to.layout, t);
    if (!marches)
        grid.group[1] = 1, grid.group[2] = t.y;
    return finish_launch(p, &l, marches ? "separable_march" : "separable_z", grid);
}

static bool can_use_special(drua_plan *p)
{
    return !plan_failed(p) && plan_device(p)->is_gpu && plan_lanes(p) == FOUR &&
           plan_device(p)->largest_work_group >= LARGEST_GROUP;
}

bool separable_special(drua_plan *p, const separable_pass *s)
{
    const separable *f = s->filter;
    if (!can_use_special(p) || (is_extreme(f) && f->sums != DRUA_FLOAT32) || s->from.layout.column != 1 ||
        s->to.layout.column != 1 || (s->join && s->join->other.layout.column != 1))
        return false;
    if (s->end == s->axis + 2)
        return launch_volume(p, s);
    if (s->end == s->axis + 1)
        return s->axis == 0 && launch_tile(p, s);
    const int radius = f->radius[s->axis];
    if (radius >= FAR || (is_extreme(f) && (s->axis == 0 ? radius < NEAR : radius > MARCH)))
        return false;
    return s->axis == 0 ? launch_x(p, s) : launch_z(p, *s);
}

bool separable_special_pair_z(drua_plan *p, const separable *first, drua_view from, drua_view to)
{
    tile t = {32, 4, 4, 1, 128};
    if (!can_use_special(p) || first->radius[2] > MARCH)
        return false;
    if (!is_aligned(to))
        t.wide = 1;
    launch l;
    start_pass(&l, &(separable_pass){.filter = first, .axis = 2, .end = 2, .from = from, .to = to});
    add_constants(&l, " RZ=%d VB=%d DEPTH=%d", first->radius[2], t.wide, t.depth);
    return finish_launch(p, &l, "separable_march_two", tile_grid(to.layout, t));
}

/* ---- two Gaussians of one image */

bool separable_fits_two(drua_plan *p, const separable_difference *two, drua_view from, drua_view to)
{
    const separable *a = two->narrow, *b = two->wide;
    bool fits = can_use_special(p) && drua_layout_is_same_size(&from.layout, &to.layout) && from.layout.column == 1 &&
                to.layout.column == 1 && a->radius[0] >= 0 && a->radius[1] >= 0;
    for (int axis = 0; axis < 3; axis++)
        fits =
            fits && a->radius[axis] < NEAR && b->radius[axis] < NEAR && (a->radius[axis] < 0) == (b->radius[axis] < 0);
    return fits;
}

bool separable_special_two(drua_plan *p, const separable_difference *two, drua_view from, drua_view to,
                           drua_view second)
{
    const separable *a = two->narrow, *b = two->wide;
    const bool last = !second.buffer;
    tile t = {16, 16, 2, 8, 0};
    t = fit_local_memory(p, t, 2, 2 * (a->radius[1] + b->radius[1]));
    launch l;
    start_launch(&l, a->kind, last, from, to);
    add_result(&l, from, is_aligned(from) && is_aligned(to), last ? TWO_RESULTS : 0,
               last ? (int)two->type : to.layout.type);
    add_argument(&l, ARG(to));
    add_constants(&l, " RX=%d RY=%d RX2=%d RY2=%d LX=%d LY=%d VB=%d Q=%d", a->radius[0], a->radius[1], b->radius[0],
                  b->radius[1], t.x, t.y, t.wide, t.high);
    if (!last)
        add_argument(&l, ARG(second));
    add_weights(&l, a, 0, NEAR);
    add_weights(&l, a, 1, NEAR);
    add_weights(&l, b, 0, NEAR);
    add_weights(&l, b, 1, NEAR);
    add_argument(&l, REAL(a->divisor));
    add_argument(&l, REAL(b->divisor));
    return finish_launch(p, &l, "separable_two_xy", tile_grid(to.layout, t));
}

bool separable_special_two_z(drua_plan *p, const separable_difference *two, drua_view from, drua_view second,
                             drua_view to)
{
    const separable *a = two->narrow, *b = two->wide;
    const tile t = {32, 4, 1, 1, 16};
    launch l;
    start_launch(&l, a->kind, true, from, to);
    add_result(&l, from, is_aligned(from) && is_aligned(to), TWO_RESULTS, (int)two->type);
    add_argument(&l, ARG(second));
    add_argument(&l, ARG(to));
    add_constants(&l, " RZ=%d RZ2=%d VB=%d RUN=%d", a->radius[2], b->radius[2], t.wide, t.depth);
    add_weights(&l, a, 2, NEAR);
    add_weights(&l, b, 2, NEAR);
    add_argument(&l, REAL(a->divisor));
    add_argument(&l, REAL(b->divisor));
    drua_grid grid = tile_grid(to.layout, t);
    grid.group[1] = 1;
    grid.group[2] = t.y;
    return finish_launch(p, &l, "separable_two_z", grid);
}
