/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

/* Largest half with (half/rx)^2 + (dy/ry)^2 + (dz/rz)^2 <= 1, in integers so that points on the border count. */
static int16_t ellipsoid_chord(const int64_t r[3], int64_t dy, int64_t dz)
{
    int64_t xx = r[0] * r[0], yy = r[1] * r[1], zz = r[2] * r[2];
    int64_t left = yy * zz - dy * dy * zz - dz * dz * yy, half = -1;
    while (left >= 0 && half < r[0] && (half + 1) * (half + 1) * yy * zz <= left * xx)
        half++;
    return (int16_t)half;
}

drua_window window_of(drua_plan *p, bool sphere)
{
    drua_window w = {{(int32_t)plan_integer(p, "radius_x"), (int32_t)plan_integer(p, "radius_y"), (int32_t)plan_integer(p, "radius_z")}, NULL, 0, 0};
    if (plan_shape(p, "source").dimension == 2)
        w.radius[2] = 0;
    int32_t rows = w.radius[1] + 1, planes = w.radius[2] + 1;
    w.bytes = (size_t)rows * (size_t)planes * sizeof(int16_t);
    if (w.bytes > DRUA_TABLE_BYTES)
        plan_fail(p, "radius_y and radius_z must give at most %d rows, (radius_y + 1) x (radius_z + 1), got %d x %d; take smaller radii",
                  (int)(DRUA_TABLE_BYTES / sizeof(int16_t)), rows, planes);
    int16_t *chords = plan_host(p, w.bytes);
    int64_t r[] = {w.radius[0] > 0 ? w.radius[0] : 1, w.radius[1] > 0 ? w.radius[1] : 1, w.radius[2] > 0 ? w.radius[2] : 1};
    for (int32_t i = 0; i < rows * planes && !plan_failed(p); i++) {
        int32_t dy = i % rows, dz = i / rows;
        chords[i] = sphere ? ellipsoid_chord(r, dy, dz) : (int16_t)w.radius[0];
        if (chords[i] > w.radius[0])
            chords[i] = (int16_t)w.radius[0];
        w.pixels += (2 * chords[i] + 1) * (chords[i] < 0 ? 0 : 1) * (dy > 0 ? 2 : 1) * (dz > 0 ? 2 : 1);
    }
    w.chords = chords;
    return w;
}
