/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

static void launch_mode(drua_plan *p, bool ball)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_window w = window_of(p, ball);
    const bool near = w.radius[0] <= 1 && w.radius[1] <= 1 && w.radius[2] <= 1, flat = near && w.radius[2] == 0;
    if (drua_type_is_wide_integer((drua_type)from.layout.type)) {
        const drua_view keys = window_keys(p, from, window_padded(to.layout, w.radius, 1), w.radius);
        LAUNCH(p, "mode_of_keys", grid_of_turns(plan_grid(to.layout), w.pixels), ARG(keys), ARG(to),
               INT(from.layout.type), INT(w.radius[0]), INT(w.radius[1]), INT(w.radius[2]), TABLE(w.chords, w.bytes),
               INT(w.pixels));
        return;
    }
    const drua_grid grid = flat ? plan_grid_of_vectors(p, to.layout, 8) : plan_grid(to.layout);
    const char *kernel = !near ? "mode_of_window" : flat ? "mode_of_9" : "mode_of_27";
    LAUNCH(p, kernel, grid_of_turns(grid, w.pixels), ARG(from), ARG(to), INT(w.radius[1]), INT(w.radius[2]),
           TABLE(w.chords, w.bytes), INT(w.pixels));
}

static void mode_box(drua_plan *p)
{
    launch_mode(p, false);
}
static void mode_sphere(drua_plan *p)
{
    launch_mode(p, true);
}

#define RADIUS(axis)                                                                                                   \
    DRUA_INTEGER("radius_" axis, "half width along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 1)
#define MODE(name_, function, window_)                                                                                 \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .numeric = DRUA_EXACT, .launch = function, .parts = plan_parts_radii,    \
        .summary = "Takes the most frequent value in " window_                                                         \
                   " around each pixel: smooths label maps and creates no labels.",                                    \
        .source = "the smallest of equally frequent values; borders repeated; the time grows with the number of "      \
                  "values in the window",                                                                              \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map or image of few values"),                                       \
                    DRUA_IMAGE_OUT("destination", "most frequent values"), RADIUS("x"), RADIUS("y"), RADIUS("z"))      \
    }

DRUA_OP(mode_box) = MODE(mode_box, mode_box, "a box");
DRUA_OP(mode_sphere) = MODE(mode_sphere, mode_sphere, "a disk or ball");
