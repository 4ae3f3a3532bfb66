/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

#include "../measure/tally.h"

/* Minimum and maximum of the whole image. */
static drua_view range_of(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    return tally_send(p, "tally_pixels", source, source, (drua_view){0});
}

static void parts(drua_plan *p, drua_parts *parts)
{
    plan_parts_radii(p, parts);
    parts->given = range_of(p).buffer;
}

static void plan(drua_plan *p)
{
    drua_window w = window_of(p, false);
    drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_view range = plan_given(p).buffer ? plan_given(p) : range_of(p);
    drua_grid grid = plan_grid(to.layout);
    grid.effort = w.pixels / 16;
    LAUNCH(p, "entropy_window", grid, ARG(source), ARG(to), INT(w.radius[0]), INT(w.radius[1]), INT(w.radius[2]),
           POINTER(range), INT(TALLY_LOW), REAL(w.pixels));
}

const drua_op drua_op_entropy_box = {
    .name = "entropy_box",
    .category = "filter",
    .menu = true,
    .summary = "Measures how mixed the grey values of a box around each pixel are: their entropy in bits, in 256 ranges of the image's values.",
    .source = "Shannon entropy of a histogram, bin = floor(value / ((maximum - minimum) / 256))",
    WINDOW_PARAMS(.type = DRUA_FLOAT32),
    DRUA_ALIASES("CLIJ2/CLIJx entropyBox: source, &destination, radius_x, radius_y, radius_z"),
    .numeric = DRUA_DEVICE,
    .plan = plan,
    .parts = parts,
};
