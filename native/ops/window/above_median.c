/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

static void launch_above_median(drua_plan *p)
{
    const drua_window w = window_of(p, true);
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    const int32_t *r = w.radius;
    const drua_view padded = window_taps(p, from, l, r);
    LAUNCH(p, from.layout.type == DRUA_FLOAT32 ? "taps_above_median" : "taps_above_median_of_integers",
           grid_of_turns(plan_grid_of_vectors(p, l, 4), w.pixels), ARG(padded), ARG(to), INT(r[0]), INT(r[1]),
           INT(r[2]), TABLE(w.chords, w.bytes), INT(w.pixels / 2), REAL(-plan_number(p, "c_value")));
}

DRUA_OP(above_median_sphere) = {
    .name = "above_median_sphere",
    .category = "threshold",
    .summary = "Marks pixels brighter than the median of the ellipsoid around them, minus an offset.",
    .source =
        "counts the pixels of the window that are low enough; the median is element n/2 of the sorted window, borders "
        "repeated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to segment"), DRUA_IMAGE_OUT("destination", "mask"),
                WINDOW_RADIUS("x", 1), WINDOW_RADIUS("y", 1), WINDOW_RADIUS("z", 0),
                DRUA_NUMBER("c_value", "subtracted from the median", .default_value = 7)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_above_median,
    .parts = plan_parts_radii,
};
