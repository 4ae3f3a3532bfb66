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

static const char *element(drua_view view)
{
    return names[view.layout.type];
}

/* A launch while its arguments are collected. */
typedef struct launch {
    char constants[300];
    int length;
    bool reads_alone, is_wide;
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

enum {
    TWO_RESULTS = 3
}; /* continues DIFFERENCE of kernels/specialized/separable/separable_axes.cl after the values of separable_join */

/*
 * Starts a launch with the constants that all kernels have. `type`: the type to which the filter's own result is
 * converted before a subtraction.
 */
static void start_launch(launch *l, separable_kind kind, bool last, drua_view from, drua_view to, bool aligned,
                         int difference, drua_type type)
{
    const int result = difference ? (int)type : to.layout.type;
    *l = (launch){.length = 0};
    add_constants(l, "FILTER=%d LAST=%d FROM=%s TO=%s TO_TYPE=%d ALIGNED=%d WHOLE=%d DIFFERENCE=%d RESULT=%d SAME=%d",
                  (int)kind, last, element(from), element(to), to.layout.type, aligned, is_whole(from, to), difference,
                  result, from.layout.type == result);
}

/* As start_launch, with the images of one filter. */
static void start_launch_of_filter(launch *l, const separable *f, bool last, drua_view from, drua_view to,
                                   const separable_join *join)
{
    const bool aligned = is_aligned(from) && is_aligned(to) && (!join || is_aligned(join->other));
    start_launch(l, f->kind, last, from, to, aligned, join ? (int)join->kind : 0, join ? join->type : DRUA_NO_TYPE);
    if (last ? f->wide[2] : to.layout.type == SEPARABLE_WIDE)
        add_constants(l, " SUM=long COUNT=long INTEGERS=1");
    else if (f->sums != DRUA_FLOAT32)
        add_constants(l, " SUM=%s INTEGERS=1", names[f->sums]);
    l->reads_alone = f->kind == SEPARABLE_MEAN;
    l->is_wide = f->radius[0] > WIDE || f->radius[1] > WIDE || f->radius[2] > WIDE;
    add_argument(l, ARG(from));
    add_argument(l, ARG(to));
    if (join) {
        add_constants(l, " OTHER=%s", element(join->other));
        add_argument(l, ARG(join->other));
    }
}

static bool finish_launch(drua_plan *p, launch *l, const char *kernel, drua_grid grid)
{
    add_argument(l, (drua_arg){.kind = DRUA_LAUNCH_END});
    return plan_launch_specialized(p, &(drua_specialized){kernel, l->constants, l->reads_alone, l->is_wide}, grid,
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

static bool launch_volume(drua_plan *p, const separable *f, drua_view from, drua_view to, const separable_join *join)
{
    /* two vectors to each side in registers pay off only without partial vectors and type conversions */
    const bool plain = from.layout.type == DRUA_FLOAT32 && is_whole(from, to);
    const int *r = f->radius, max = f->kind == SEPARABLE_GAUSSIAN || !plain ? 4 : 6;
    if (r[0] > max || r[1] > max || r[2] > max)
        return false;
    const bool small = r[0] < 4 && r[1] < 4 && r[2] < 4;
    tile t = {32, 8, 1, f->kind == SEPARABLE_GAUSSIAN ? 2 : small ? 3 : 4, 128};
    launch l;
    start_launch_of_filter(&l, f, true, from, to, join);
    add_constants(&l, " RX=%d RY=%d RZ=%d LX=%d LY=%d VB=%d Q=%d DEPTH=%d", r[0], r[1], r[2], t.x, t.y, t.wide, t.high,
                  t.depth);
    for (int axis = 0; axis < 3; axis++)
        add_weights(&l, f, axis, NEAR);
    add_argument(&l, REAL(f->divisor));
    return finish_launch(p, &l, "separable_xyz", tile_grid(to.layout, t));
}

static bool launch_tile(drua_plan *p, const separable *f, bool last, drua_view from, drua_view to,
                        const separable_join *join)
{
    const int *r = f->radius;
    if (r[0] >= NEAR || r[1] >= NEAR)
        return false;
    tile t = {16, 16, r[1] <= 8 ? 4 : 2, is_extreme(f) && r[1] <= 8 ? 4 : 8, 0}; /* at most 37 KB of local memory */
    t = fit_local_memory(p, t, 1, 2 * r[1]);
    launch l;
    start_launch_of_filter(&l, f, last, from, to, join);
    add_constants(&l, " RX=%d RY=%d LX=%d LY=%d VB=%d Q=%d", r[0], r[1], t.x, t.y, t.wide, t.high);
    add_weights(&l, f, 0, NEAR);
    add_weights(&l, f, 1, NEAR);
    add_argument(&l, REAL(f->divisor));
    return finish_launch(p, &l, "separable_xy", tile_grid(to.layout, t));
}

static bool launch_x(drua_plan *p, const separable *f, bool last, drua_view from, drua_view to,
                     const separable_join *join)
{
    tile t = {32, 4, f->radius[0] <= UNROLLED ? 16 : 8, 1, 1};
    launch l;
    start_launch_of_filter(&l, f, last, from, to, join);
    add_constants(&l, " RX=%d RY=0 LX=%d LY=%d VB=4 RUN=%d Q=1", f->radius[0], t.x, t.y, t.wide);
    add_weights(&l, f, 0, FAR);
    add_argument(&l, REAL(f->divisor));
    return finish_launch(p, &l, "separable_x", tile_grid(to.layout, t));
}

/* Filters along y or z; the kernel always filters along z. */
static bool launch_z(drua_plan *p, const separable *f, int axis, bool last, drua_view from, drua_view to,
                     const separable_join *join)
{
    const bool marches = f->radius[axis] <= MARCH,
               aligned = is_aligned(from) && is_aligned(to) && (!join || is_aligned(join->other));
    separable_join exchanged;
    if (axis == 1) {
        from = separable_exchange(from);
        to = separable_exchange(to);
        if (join) {
            exchanged = *join;
            exchanged.other = separable_exchange(join->other);
            join = &exchanged;
        }
    }
    tile t = marches                       ? (tile){32, 4, 2, 1, 128}
             : f->radius[axis] <= UNROLLED ? (tile){32, 8, 2, 1, 16}
                                           : (tile){32, 8, 4, 1, 8};
    if (!aligned)
        t.wide = 1;
    launch l;
    start_launch_of_filter(&l, f, last, from, to, join);
    add_constants(&l, " RZ=%d VB=%d %s=%d", f->radius[axis], t.wide, marches ? "DEPTH" : "RUN", t.depth);
    add_weights(&l, f, axis, marches ? NEAR : FAR);
    add_argument(&l, f->wide[axis] ? LONG((int64_t)f->divisor) : REAL(f->divisor));
    drua_grid grid = tile_grid(to.layout, t);
    if (!marches) {
        grid.group[1] = 1;
        grid.group[2] = t.y;
    }
    return finish_launch(p, &l, marches ? "separable_march" : "separable_z", grid);
}

static bool can_use_special(drua_plan *p)
{
    return !plan_failed(p) && plan_device(p)->is_gpu && plan_lanes(p) == FOUR &&
           plan_device(p)->largest_work_group >= LARGEST_GROUP;
}

bool separable_special(drua_plan *p, const separable *f, int axis, int end_axis, bool last, drua_view from,
                       drua_view to, const separable_join *join)
{
    if (!can_use_special(p) || (is_extreme(f) && f->sums != DRUA_FLOAT32) || from.layout.column != 1 ||
        to.layout.column != 1 || (join && join->other.layout.column != 1))
        return false;
    if (end_axis == axis + 2)
        return launch_volume(p, f, from, to, join);
    if (end_axis == axis + 1)
        return axis == 0 && launch_tile(p, f, last, from, to, join);
    const int radius = f->radius[axis];
    if (radius >= FAR || (is_extreme(f) && (axis == 0 ? radius < NEAR : radius > MARCH)))
        return false;
    return axis == 0 ? launch_x(p, f, last, from, to, join) : launch_z(p, f, axis, last, from, to, join);
}

bool separable_special_pair_z(drua_plan *p, const separable *first, drua_view from, drua_view to)
{
    tile t = {32, 4, 4, 1, 128};
    if (!can_use_special(p) || first->radius[2] > MARCH)
        return false;
    if (!is_aligned(to))
        t.wide = 1;
    launch l;
    start_launch_of_filter(&l, first, false, from, to, NULL);
    add_constants(&l, " RZ=%d VB=%d DEPTH=%d", first->radius[2], t.wide, t.depth);
    return finish_launch(p, &l, "separable_march_two", tile_grid(to.layout, t));
}

/* ---- two Gaussians of one image */

bool separable_fits_two(drua_plan *p, const separable *a, const separable *b, drua_view from, drua_view to)
{
    bool fits = can_use_special(p) && drua_layout_is_same_size(&from.layout, &to.layout) && from.layout.column == 1 &&
                to.layout.column == 1 && a->radius[0] >= 0 && a->radius[1] >= 0;
    for (int axis = 0; axis < 3; axis++)
        fits =
            fits && a->radius[axis] < NEAR && b->radius[axis] < NEAR && (a->radius[axis] < 0) == (b->radius[axis] < 0);
    return fits;
}

bool separable_special_two(drua_plan *p, const separable *a, const separable *b, drua_type type, drua_view from,
                           drua_view to, drua_view second)
{
    const bool last = !second.buffer;
    tile t = {16, 16, 2, 8, 0};
    t = fit_local_memory(p, t, 2, 2 * (a->radius[1] + b->radius[1]));
    launch l;
    start_launch(&l, a->kind, last, from, to, is_aligned(from) && is_aligned(to), last ? TWO_RESULTS : 0, type);
    add_argument(&l, ARG(from));
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

bool separable_special_two_z(drua_plan *p, const separable *a, const separable *b, drua_type type, drua_view from,
                             drua_view second, drua_view to)
{
    const bool aligned = is_aligned(from) && is_aligned(to);
    tile t = {32, 4, 1, 1, 16};
    if (!aligned)
        t.wide = 1;
    launch l;
    start_launch(&l, a->kind, true, from, to, aligned, TWO_RESULTS, type);
    add_argument(&l, ARG(from));
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
