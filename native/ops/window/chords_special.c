/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters over ellipsoids and octagons with kernels that are compiled for the window. */
#include "window.h"

#include "../filter/separable.h"

#include <stdio.h>

enum {
    MAX_RADIUS = 16,
    MAX_SUM_RADIUS = 15,
    NEAR = 3,
    MEDIUM = 10,
    MAX_CHORDS = (MAX_RADIUS + 1) * (MAX_RADIUS + 1),
    MAX_TEXT = 790,
    MAX_LOCAL = 48 << 10
};

/*
 * A group has x times y work-items. Each computes `rows` rows of `wide` pixels, in `slices` slices one after another.
 */
typedef struct tile {
    int32_t x, y, wide, rows, slices;
} tile;

static bool is_small(drua_window w, int32_t max)
{
    return w.radius[0] <= max && w.radius[1] <= max && w.radius[2] <= max;
}

static bool launch_window_kernel(drua_plan *p, drua_specialized kernel, drua_window w, tile t, drua_view from,
                                 drua_view to)
{
    const drua_layout l = to.layout;
    const int32_t *r = w.radius;
    char text[MAX_TEXT];
    snprintf(text, sizeof text,
             "FROM=%s FROM_TYPE=%d TO=%s TO_TYPE=%d ALIGNED=%d WHOLE=%d REACH_X=%d REACH_Y=%d REACH_Z=%d LX=%d LY=%d "
             "WIDE=%d ROWS=%d %s",
             window_element(from), (int)from.layout.type, window_element(to), (int)l.type,
             window_in_vectors(from.layout, l, 4), l.width % 4 == 0, r[0], r[1], r[2], t.x, t.y, t.wide, t.rows,
             kernel.constants);
    drua_grid grid = GRID((l.width + t.wide - 1) / t.wide, (l.height + t.rows - 1) / t.rows,
                          (l.depth + t.slices - 1) / t.slices, t.x, t.y, 1);
    grid.effort = (int64_t)t.slices * t.rows * t.wide * (r[1] + 1) * (r[2] + 1) / 64;
    kernel.constants = text;
    return LAUNCH_SPECIALIZED(p, &kernel, grid, ARG(from), ARG(to), INT(t.slices));
}

/* Exchanges y and z for flat windows. The kernel then steps along rows instead of slices, and reads each row once. */
static tile exchange_y_and_z(drua_window *w, drua_view *from, drua_view *to)
{
    w->radius[2] = w->radius[1];
    w->radius[1] = 0;
    *from = separable_exchange(*from);
    *to = separable_exchange(*to);
    return (tile){128, 1, 1, 1, 64};
}

/* ---- minimum and maximum */

/*
 * Writes the list of chord lengths, and each chord as an index into this list, in the format of
 * kernels/specialized/window/window_extreme.cl.
 */
static int32_t spell_chords(drua_window w, char *halves, char *chords)
{
    const int32_t count = (w.radius[1] + 1) * (w.radius[2] + 1);
    int32_t levels = 0;
    for (int32_t i = 0; i < count; i++)
        chords[i] = '@';
    for (int32_t half = 0; half <= w.radius[0]; half++) {
        bool is_present = false;
        for (int32_t i = 0; i < count; i++)
            if (w.chords[i] == half) {
                chords[i] = (char)('A' + levels);
                is_present = true;
            }
        if (is_present)
            halves[levels++] = (char)('A' + half);
    }
    halves[levels] = chords[count] = 0;
    return levels;
}

/*
 * Number of slices of a work-item: enough to outweigh the planes that it reads beyond both ends, but few in shallow
 * stacks, so that there are enough work-groups.
 */
static int32_t march_length(const int32_t r[3], int32_t depth, int32_t longest)
{
    enum { DEEP = 256, SHORT = 16, PLANES = 6 };
    return depth >= DEEP ? longest : PLANES * r[2] > SHORT ? PLANES * r[2] : SHORT;
}

/* The tiles that were fastest in measurements. */
static tile extreme_tile(const int32_t r[3], int32_t depth)
{
    const int32_t reach = r[0] > r[1] ? r[0] : r[1], slices = march_length(r, depth, reach <= 3 ? 64 : 171);
    if (r[2] == 0)
        return reach <= 4 ? (tile){32, 8, 2, 2, slices} : (tile){32, 8, 1, 4, slices};
    if (reach <= 5)
        return (tile){32, 4, 2, reach <= 3 ? 3 : 4, slices};
    if (reach > MEDIUM)
        return (tile){16, 8, 1, 1, slices};
    return reach <= 8 ? (tile){32, 8, 1, 2, slices} : (tile){32, 4, 1, 3, slices};
}

static bool is_short(drua_view from)
{
    return drua_type_size(from.layout.type) < 4;
}

static bool filter_extreme(drua_plan *p, const char *pick, drua_window w, drua_view from, drua_view to)
{
    char constants[MAX_TEXT / 2 + MAX_CHORDS], halves[MAX_RADIUS + 2], chords[MAX_CHORDS + 1];
    if (!is_small(w, MAX_RADIUS))
        return false;
    const int32_t levels = spell_chords(w, halves, chords);
    tile t = extreme_tile(w.radius, to.layout.depth);
    if (w.radius[2] == 0 && w.radius[1] > MEDIUM)
        t = exchange_y_and_z(&w, &from, &to);
    if (levels * t.x * t.wide * (t.y * t.rows + 2 * w.radius[1]) * (int32_t)sizeof(float) > MAX_LOCAL)
        return false;
    snprintf(constants, sizeof constants, "%s LEVELS=%d HALVES=\"%s\" CHORDS=\"%s\"", pick, levels, halves, chords);
    return launch_window_kernel(p, (drua_specialized){"window_extreme", constants, .prefers_unfused = is_short(from)},
                                w, t, from, to);
}

bool window_special_minimum(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return filter_extreme(p, is_short(from) ? "T=int PICK=min START=INT_MAX" : "T=float PICK=fmin START=NAN", w, from,
                          to);
}

bool window_special_maximum(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return filter_extreme(p, is_short(from) ? "T=int PICK=max START=INT_MIN" : "T=float PICK=fmax START=NAN", w, from,
                          to);
}

/* ---- sums */

/* Writes each chord as its half length, and the number of block sizes that make up the chords. */
static void spell_halves(drua_window w, char *chords)
{
    const int32_t count = (w.radius[1] + 1) * (w.radius[2] + 1);
    for (int32_t i = 0; i < count; i++)
        chords[i] = (char)('A' + w.chords[i]);
    chords[count] = 0;
}

static int blocks_of(drua_window w)
{
    int blocks = 1;
    while (2 * w.radius[0] + 1 >= 1 << blocks)
        blocks++;
    return blocks;
}

static int64_t local_bytes(drua_window w, tile t)
{
    const int32_t side = (w.radius[0] + 3) / 4;
    return (int64_t)blocks_of(w) * (t.y * t.rows + 2 * w.radius[1]) * (t.x * t.wide + 8 * side) *
           (int64_t)sizeof(float);
}

static tile sum_tile(drua_window w, int32_t depth)
{
    tile t = {32, 8, 2, w.radius[2] == 0 ? 4 : 2, march_length(w.radius, depth, 64)};
    if (!is_small(w, NEAR))
        t.wide = t.rows = 1;
    while (t.y > 1 && local_bytes(w, t) > MAX_LOCAL)
        t.y /= 2;
    return t;
}

/* `any_order`: sums of integers, which do not depend on the order. */
static bool filter_sum(drua_plan *p, drua_specialized kernel, bool any_order, drua_window w, drua_view from,
                       drua_view to)
{
    char constants[MAX_TEXT / 2 + MAX_CHORDS], chords[MAX_CHORDS + 1];
    if (!is_small(w, MAX_SUM_RADIUS) || (!any_order && window_rows_of_sums(w, sizeof(float)) != 4))
        return false;
    spell_halves(w, chords);
    tile t = sum_tile(w, to.layout.depth);
    if (any_order && w.radius[2] == 0 && w.radius[1] > NEAR + 1)
        t = exchange_y_and_z(&w, &from, &to);
    snprintf(constants, sizeof constants, "%s PIXELS=%d BLOCKS=%d CHORDS=\"%s\"", kernel.constants, (int)w.pixels,
             blocks_of(w), chords);
    kernel.constants = constants;
    return launch_window_kernel(p, kernel, w, t, from, to);
}

bool window_special_mean(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return filter_sum(p, (drua_specialized){"window_sum", "T=float WANTED=1", .prefers_unfused = false}, false, w, from,
                      to);
}

bool window_special_exact_mean(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return window_disc_suits(w, from)
               ? window_disc(p, WINDOW_MEAN, w, from, to)
               : filter_sum(p, (drua_specialized){"window_sum", "T=uint WANTED=2", .prefers_unfused = true}, true, w,
                            from, to);
}

bool window_special_count(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return filter_sum(p, (drua_specialized){"window_sum", "T=uint WANTED=3", .prefers_unfused = false}, true, w, from,
                      to);
}

static bool launch_moments(drua_plan *p, bool deviation, drua_window w, drua_view from, drua_view to)
{
    char constants[MAX_TEXT / 2], chords[MAX_CHORDS + 1];
    const bool near = is_small(w, NEAR);
    const int32_t rows = window_rows_of_sums(w, 2 * sizeof(float));
    if (!near && window_deep_moments(p, deviation, w, from, to))
        return true;
    if (!near && (w.radius[2] > 0 || rows == 0 || !is_small(w, MAX_SUM_RADIUS)))
        return false;
    spell_halves(w, chords);
    snprintf(constants, sizeof constants, "DEVIATION=%d BLOCKS=%d CHORDS=\"%s\"", deviation, blocks_of(w), chords);
    return launch_window_kernel(
        p, (drua_specialized){near ? "window_moments" : "window_moments_far", constants, .prefers_unfused = false}, w,
        (tile){32, 8, 1, rows, 1}, from, to); /* as in kernels/window/chords.cl */
}

bool window_special_variance(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return launch_moments(p, false, w, from, to);
}

bool window_special_deviation(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    return launch_moments(p, true, w, from, to);
}
