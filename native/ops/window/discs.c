/* SPDX-License-Identifier: BSD-3-Clause */
/* Means and variances of small integers over flat windows, on GPUs. */
#include "window.h"

#include <stdio.h>

enum {
    NEAR = 3,
    REACH = 15
}; /* windows with radii up to NEAR have faster kernels; REACH as in kernels/window/moments_deep.cl */

bool window_disc_suits(drua_window w, drua_view from)
{
    const int32_t *r = w.radius;
    return drua_type_size(from.layout.type) < 4 && r[2] == 0 && r[0] <= REACH && r[1] <= REACH &&
           (r[0] > NEAR || r[1] > NEAR);
}

bool window_disc(drua_plan *p, drua_disc wanted, drua_window w, drua_view from, drua_view to)
{
    enum { WIDE = 64, ROWS = 64 };
    const drua_type type = from.layout.type;
    const drua_layout l = to.layout;
    char constants[300], halves[REACH + 2];
    for (int32_t dx = 0; dx <= w.radius[0]; dx++) {
        int32_t rows = 0;
        while (rows <= w.radius[1] && w.chords[rows] >= dx)
            rows++;
        halves[dx] = (char)('A' + rows - 1);
    }
    halves[w.radius[0] + 1] = 0;
    snprintf(constants, sizeof constants,
             "FROM=%s FROM_IS_SIGNED=%d TO=%s TO_TYPE=%d WANTED=%d SQUARE=%s REACH_X=%d REACH_Y=%d PIXELS=%d "
             "HALVES=\"%s\" LX=%d ROWS=%d",
             window_element(from), type == DRUA_INT8 || type == DRUA_INT16, window_element(to), (int)l.type,
             (int)wanted, drua_type_size(type) == 1 ? "uint" : "ulong", w.radius[0], w.radius[1], (int)w.pixels, halves,
             WIDE, ROWS);
    drua_grid grid = GRID(l.width, (l.height + ROWS - 1) / ROWS, l.depth, WIDE, 1, 1);
    grid.effort = (int64_t)ROWS * (w.radius[0] + 1) / 8;
    const drua_specialized kernel = {"window_disc", constants, .prefers_unfused = true};
    return LAUNCH_SPECIALIZED(p, &kernel, grid, ARG(from), ARG(to));
}
