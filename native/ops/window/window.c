/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

/*
 * Returns the largest half length with (half/rx)^2 + (dy/ry)^2 + (dz/rz)^2 <= 1, in integers so that points on the
 * border count.
 */
static int16_t ellipsoid_chord(const int64_t r[3], int64_t dy, int64_t dz)
{
    int64_t xx = r[0] * r[0], yy = r[1] * r[1], zz = r[2] * r[2];
    int64_t left = yy * zz - dy * dy * zz - dz * dz * yy, half = -1;
    while (left >= 0 && half < r[0] && (half + 1) * (half + 1) * yy * zz <= left * xx)
        half++;
    return (int16_t)half;
}

/*
 * Returns the half length of a chord in the window that all steps together make. Boxes and diamonds of radius 1
 * alternate, beginning with a box.
 */
static int16_t octagon_chord(int64_t steps, int64_t dy, int64_t dz)
{
    int64_t boxes = (steps + 1) / 2, left = steps / 2;
    left -= (dy > boxes ? dy - boxes : 0) + (dz > boxes ? dz - boxes : 0);
    return (int16_t)(left < 0 ? -1 : boxes + left);
}

typedef int16_t chord_rule(const int64_t radius[3], int64_t dy, int64_t dz);

static int16_t sphere_rule(const int64_t radius[3], int64_t dy, int64_t dz)
{
    int64_t r[3];
    for (int i = 0; i < 3; i++)
        r[i] = radius[i] > 0 ? radius[i] : 1;
    int16_t half = ellipsoid_chord(r, dy, dz);
    return radius[0] == 0 && half > 0 ? 0 : half;
}

static int16_t box_rule(const int64_t radius[3], int64_t dy, int64_t dz)
{
    (void)dy;
    (void)dz;
    return (int16_t)radius[0];
}

static int16_t octagon_rule(const int64_t radius[3], int64_t dy, int64_t dz)
{
    return octagon_chord(radius[0], dy, dz);
}

/* Builds a window. If the call has failed, the window has one pixel, so that callers can read its chords. */
static drua_window make_window(drua_plan *p, const int64_t radius[3], chord_rule *rule)
{
    static const int16_t one_pixel;
    drua_window w = {{(int32_t)radius[0], (int32_t)radius[1], (int32_t)radius[2]}, NULL, 0, 0};
    int32_t rows = w.radius[1] + 1, planes = w.radius[2] + 1;
    w.bytes = (size_t)rows * (size_t)planes * sizeof(int16_t);
    if (w.bytes > DRUA_TABLE_BYTES)
        plan_fail(p,
                  "the window must have at most %d rows, (radius in y + 1) x (radius in z + 1), got %d x %d; take "
                  "smaller radii",
                  (int)(DRUA_TABLE_BYTES / sizeof(int16_t)), rows, planes);
    int16_t *chords = plan_host_memory(p, w.bytes);
    for (int32_t i = 0; i < rows * planes && !plan_failed(p); i++) {
        int32_t dy = i % rows, dz = i / rows;
        chords[i] = rule(radius, dy, dz);
        if (chords[i] >= 0)
            w.pixels += (2 * chords[i] + 1) * (dy > 0 ? 2 : 1) * (dz > 0 ? 2 : 1);
    }
    w.chords = chords;
    return plan_failed(p) ? (drua_window){.chords = &one_pixel, .bytes = sizeof one_pixel, .pixels = 1} : w;
}

drua_window window_of(drua_plan *p, bool sphere)
{
    int64_t depth = plan_shape(p, "source").dimension == 2 ? 0 : plan_integer(p, "radius_z");
    return make_window(p, (int64_t[]){plan_integer(p, "radius_x"), plan_integer(p, "radius_y"), depth},
                sphere ? sphere_rule : box_rule);
}

drua_window window_octagon(drua_plan *p, int64_t steps)
{
    return make_window(p, (int64_t[]){steps, steps, plan_shape(p, "source").depth == 1 ? 0 : steps}, octagon_rule);
}

drua_shape window_padded(drua_layout l, const int32_t r[3], int32_t lanes)
{
    int64_t width = ((int64_t)l.width + lanes - 1) / lanes * lanes;
    return (drua_shape){width + 2 * r[0], (int64_t)l.height + 2 * r[1], (int64_t)l.depth + 2 * r[2], 3};
}

drua_view window_copy(drua_plan *p, drua_view from, drua_shape shape, const int32_t r[3])
{
    drua_view copy = plan_scratch(p, shape, DRUA_FLOAT32);
    LAUNCH(p, "taps_pad", plan_grid_of_vectors(p, copy.layout, 8), ARG(from), ARG(copy), INT(r[0]), INT(r[1]),
           INT(r[2]));
    return copy;
}

drua_view window_taps(drua_plan *p, drua_view from, drua_layout l, const int32_t r[3])
{
    const int32_t lanes = plan_lanes(p);
    drua_shape shape = window_padded(l, r, lanes);
    /* whole vectors, and one more because row_taps.cl reads ahead */
    shape.width = (shape.width + lanes) / lanes * lanes;
    return window_copy(p, from, shape, r);
}

drua_view window_keys(drua_plan *p, drua_view from, drua_shape shape, const int32_t r[3])
{
    drua_view keys = plan_scratch(p, shape, DRUA_UINT32);
    LAUNCH(p, "median_keys", plan_grid(keys.layout), ARG(from), ARG(keys), INT(r[0]), INT(r[1]), INT(r[2]));
    return keys;
}

const char *window_element(drua_view view)
{
    static const char *const names[] = {
        [DRUA_UINT8] = "uchar", [DRUA_INT8] = "char", [DRUA_UINT16] = "ushort", [DRUA_INT16] = "short",
        [DRUA_UINT32] = "uint", [DRUA_INT32] = "int", [DRUA_FLOAT32] = "float"};
    return names[view.layout.type];
}

bool window_in_vectors(drua_layout from, drua_layout to, int32_t lanes)
{
    return from.width == to.width && drua_layout_is_in_vectors(&from, lanes) && drua_layout_is_in_vectors(&to, lanes);
}
