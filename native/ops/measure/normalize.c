/* SPDX-License-Identifier: BSD-3-Clause */
#include "stretch.h"

#include "reduction.h"

/* Minimum and maximum of the finite pixels, in device memory. */
static drua_view range_of(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    return reduction_send_exactly(p, "reduce_finite_extremes", source, (drua_view){0});
}

static void parts_normalize(drua_plan *p, drua_parts *parts)
{
    parts->scratch = range_of(p).buffer;
}

/* `all` has the minimum and maximum at REDUCTION_LOW. */
static void stretch_values(drua_plan *p, drua_view all)
{
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination");
    const int lanes = plan_lanes(p);
    const bool wide = lanes == 4 && drua_layout_is_in_vectors(&source.layout, lanes) &&
                      drua_layout_is_in_vectors(&out.layout, lanes) &&
                      drua_layout_is_same_size(&source.layout, &out.layout);
    LAUNCH(p, "normalize_pixels",
           wide ? plan_grid_of_vectors(p, out.layout, 4)
                : GRID(out.layout.width, out.layout.height, out.layout.depth, 32, 4, 1),
           ARG(source), POINTER(all), ARG(out), INT(wide));
}

static void launch_normalize(drua_plan *p)
{
    stretch_values(p, plan_tile_scratch(p).buffer ? plan_tile_scratch(p) : range_of(p));
}

/* ---- images in blocks, whose extremes come from all blocks */

static void launch_between(drua_plan *p)
{
    float all[REDUCTION_LOW + 2] = {0};
    const drua_view sent = plan_scratch(p, (drua_shape){REDUCTION_LOW + 2, 1, 1, 2}, DRUA_FLOAT32);
    all[REDUCTION_LOW] = (float)plan_number(p, "low");
    all[REDUCTION_LOW + 1] = (float)plan_number(p, "high");
    if (!plan_failed(p))
        plan_write(p, sent, all);
    stretch_values(p, sent);
}

static const drua_op between = {
    .name = "normalize",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to stretch"),
                DRUA_IMAGE_OUT("destination", "stretched image", .type = DRUA_FLOAT32),
                DRUA_NUMBER("low", "grey value that becomes 0"), DRUA_NUMBER("high", "grey value that becomes 1")),
    .numeric = DRUA_DEVICE,
    .launch = launch_between,
    .parts = plan_parts_pixels,
};

drua_operand stretch_between(drua_plan *p, drua_operand source, drua_type type, double low, double high)
{
    return CALL_RECORDED(p, &between, type, source, NUMBER(low), NUMBER(high));
}

static void normalize_within(drua_plan *p, int64_t margin)
{
    double low, high;
    reduction_finite_extremes(p, "source", &low, &high);
    (void)margin;
    plan_return(p, "destination",
                stretch_between(p, plan_operand(p, "source"), plan_type(p, "destination"), low, high));
}

DRUA_OP(normalize) = {
    .name = "normalize",
    .category = "math",
    .summary =
        "Stretches the grey values so that the smallest finite one becomes 0 and the largest becomes 1. An image "
        "of one grey value becomes 0. Infinite pixels stay infinite, and NaN stays NaN.",
    .source = "the smallest value becomes 0, the largest 1",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to stretch"),
                DRUA_IMAGE_OUT("destination", "stretched image", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx normalize: source, &destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_normalize,
    .parts = parts_normalize,
    .build_in_blocks = normalize_within,
};
