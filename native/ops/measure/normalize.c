/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduction.h"

/* Minimum and maximum, in device memory. */
static drua_view range_of(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    return reduction_send_exactly(p, "reduce_extremes", source, (drua_view){0});
}

static void parts_normalize(drua_plan *p, drua_parts *parts)
{
    parts->scratch = range_of(p).buffer;
}

static void plan_normalize(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination");
    drua_view all = plan_tile_scratch(p).buffer ? plan_tile_scratch(p) : range_of(p);
    const int lanes = plan_lanes(p);
    const bool wide = lanes == 4 && drua_layout_is_in_vectors(&source.layout, lanes) &&
                      drua_layout_is_in_vectors(&out.layout, lanes) &&
                      drua_layout_is_same_size(&source.layout, &out.layout);
    LAUNCH(p, "normalize_pixels",
           wide ? plan_grid_of_vectors(p, out.layout, 4)
                : GRID(out.layout.width, out.layout.height, out.layout.depth, 32, 4, 1),
           ARG(source), POINTER(all), ARG(out), INT(wide));
}

DRUA_OP(normalize) = {
    .name = "normalize",
    .category = "math",
    .summary = "Stretches the grey values so that the smallest becomes 0 and the largest becomes 1; an image of one "
               "grey value becomes 0 everywhere.",
    .source = "the smallest value becomes 0, the largest 1",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to stretch"),
                DRUA_IMAGE_OUT("destination", "stretched image", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx normalize: source, &destination"),
    .numeric = DRUA_DEVICE,
    .plan = plan_normalize,
    .parts = parts_normalize,
};
