/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows with one weight per pixel: convolution and local correlation. */
#include "window.h"

#include <stdio.h>

/* Launches a kernel that is compiled for the extents of the weights; returns false if this kernel is not ready. */
static bool weigh_in_compiled_kernel(drua_plan *p, bool correlates, drua_view padded, drua_view weights, drua_view to)
{
    enum { ROWS = 4, LX = 32, LY = 4, MAX_WIDTH = 32, MAX_LOCAL = 32 << 10 };
    const drua_layout w = weights.layout, l = to.layout;
    const int64_t bytes = ((int64_t)w.width + 3) / 4 * 16 * w.height * w.depth;
    char constants[120];
    if (w.width > MAX_WIDTH || bytes > MAX_LOCAL)
        return false;
    snprintf(constants, sizeof constants, "WIDTH=%d HEIGHT=%d DEPTH=%d CORRELATES=%d LX=%d LY=%d", (int)w.width,
             (int)w.height, (int)w.depth, correlates, LX, LY);
    const drua_specialized kernel = {"window_weights", constants, .prefers_unfused = true};
    const drua_grid grid = GRID((l.width + 3) / 4, (l.height + ROWS - 1) / ROWS, l.depth, LX, LY, 1);
    return LAUNCH_SPECIALIZED(p, &kernel, grid_of_turns(grid, drua_layout_count(&w)), ARG(padded), ARG(weights),
                              ARG(to));
}

void window_weigh(drua_plan *p, bool correlates, drua_view from, drua_view weights, drua_view to)
{
    const int32_t lanes = plan_lanes(p),
                  r[] = {weights.layout.width / 2, weights.layout.height / 2, weights.layout.depth / 2};
    const drua_layout l = to.layout;
    const drua_view padded = window_taps(p, from, l, r);
    if (weigh_in_compiled_kernel(p, correlates, padded, weights, to))
        return;
    const drua_grid grid =
        GRID((l.width + lanes - 1) / lanes, (l.height + WINDOW_ROWS - 1) / WINDOW_ROWS, l.depth, 32, 4, 1);
    LAUNCH(p, correlates ? "local_cross_correlation" : "convolve_window",
           grid_of_turns(grid, drua_layout_count(&weights.layout)), ARG(padded), ARG(weights), ARG(to));
}
