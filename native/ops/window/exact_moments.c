/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variance over windows on GPUs. 8- and 16-bit pixels: from exact integer sums, over windows of several slices and
 * large flat windows. float32 pixels: in double precision, over windows of several slices.
 */
#include "window.h"

#include <stdio.h>
#include <string.h>

/*
 * How precisely to compute: the general kernel, and constants of the specialized kernel that give the types of pixels,
 * of their sums and of the sums of their squares.
 */
typedef struct accuracy {
    const char *kernel, *constants;
} accuracy;

static const accuracy *accuracy_of(drua_plan *p, drua_type type)
{
    static const accuracy bytes = {"moments_deep_bytes", "VALUE=int SUM=uint SQUARE=uint FLOATS=0"},
                          shorts = {"moments_deep_shorts", "VALUE=int SUM=uint SQUARE=ulong FLOATS=0"},
                          doubles = {"moments_deep_doubles", "VALUE=float SUM=double SQUARE=double FLOATS=1"};
    if (drua_type_size(type) < 4)
        return drua_type_size(type) == 1 ? &bytes : &shorts;
    return type == DRUA_FLOAT32 && strstr(plan_device(p)->extensions, "cl_khr_fp64") ? &doubles : NULL;
}

enum { REACH = 15, PER_CHORD = 8, MAX_TEXT = 400 + (REACH + 1) * 20 + (REACH + 1) * (REACH + 1) * PER_CHORD };

static void append_text(char text[MAX_TEXT], const char *format, int one, int other)
{
    const size_t length = strlen(text);
    snprintf(text + length, MAX_TEXT - length, format, one, other);
}

/*
 * Adds to `text` the chords, sorted by half length, and the number of pixels in each disc, in the format of
 * kernels/specialized/window/window_moments_deep.cl.
 */
static void add_chords(char text[MAX_TEXT], drua_window w)
{
    const int rows = w.radius[1] + 1, planes = w.radius[2] + 1;
    append_text(text, " ALL(X)=", 0, 0);
    for (int half = 0; half <= w.radius[0]; half++)
        append_text(text, "X(%d)", half, 0);
    for (int half = 0; half <= w.radius[0]; half++) {
        append_text(text, " HALF_%d(Y)=", half, 0);
        for (int i = 0; i < rows * planes; i++)
            if (w.chords[i % planes * rows + i / planes] == half)
                append_text(text, "Y(%d,%d)", i / planes, i % planes);
    }
    append_text(text, " DISCS=", 0, 0);
    for (int dz = 0; dz < planes; dz++) {
        int pixels = 0;
        for (int dy = 0; dy < rows; dy++)
            pixels += w.chords[dz * rows + dy] < 0 ? 0 : (2 * w.chords[dz * rows + dy] + 1) * (dy > 0 ? 2 : 1);
        append_text(text, "%d,", pixels, 0);
    }
}

bool window_deep_moments(drua_plan *p, bool deviation, drua_window w, drua_view from, drua_view to)
{
    enum {
        WIDE = 32,
        HIGH = 8,
        LONG = 128,
        SHORT = 32,
        DEEP = 256
    }; /* as in kernels/specialized/window/window_moments_deep.cl */
    const accuracy *a = accuracy_of(p, from.layout.type);
    const drua_layout l = to.layout;
    const int32_t *r = w.radius;
    const bool flat = window_disc_suits(w, from);
    if (!a || (r[2] == 0 && !flat) || r[0] > REACH || r[1] > REACH || r[2] > REACH)
        return false;
    char constants[MAX_TEXT];
    const int32_t slices = l.depth < DEEP ? SHORT : LONG;
    const drua_type type = from.layout.type;
    snprintf(constants, sizeof constants,
             "FROM=%s FROM_IS_SIGNED=%d TO=%s TO_TYPE=%d %s DEVIATION=%d REACH_X=%d REACH_Y=%d REACH_Z=%d PIXELS=%d",
             window_element(from), type == DRUA_INT8 || type == DRUA_INT16, window_element(to), (int)l.type,
             a->constants, deviation, r[0], r[1], r[2], (int)w.pixels);
    add_chords(constants, w);
    const drua_specialized deep = {.kernel = "window_moments_deep", .constants = constants};
    drua_grid grid = GRID(l.width, l.height, (l.depth + slices - 1) / slices, WIDE, HIGH, 1);
    grid.effort = (int64_t)slices * (r[1] + 1) * (r[2] + 1) / 16;
    if (flat ? window_disc(p, deviation ? WINDOW_DEVIATION : WINDOW_VARIANCE, w, from, to)
             : LAUNCH_SPECIALIZED(p, &deep, grid, ARG(from), ARG(to), INT(slices)))
        return true;
    grid = GRID(l.width, l.height, l.depth, WIDE, HIGH, 1);
    grid.effort = (int64_t)(r[0] + 1) * (r[1] + 1) * (r[2] + 1) / 16;
    LAUNCH(p, a->kernel, grid, ARG(from), ARG(to), INT(r[0]), INT(r[1]), INT(r[2]), TABLE(w.chords, w.bytes),
           INT(w.pixels), INT(deviation));
    return true;
}
