/* SPDX-License-Identifier: BSD-3-Clause */
#include "bits.h"

static void plan(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    drua_mask background = mask_pack(p, true);
    drua_view nearest = plan_scratch(p, (drua_shape){background.width, background.height, background.depth, 3}, DRUA_INT32);
    LAUNCH(p, "distance_in_row", plan_grid(nearest.layout), MASK_ARGUMENTS(&background), ARG(nearest));
    LAUNCH(p, "distance_between_rows", plan_grid(to.layout), ARG(nearest), ARG(to));
}

const drua_op drua_op_distance_map = {
    .name = "distance_map",
    .category = "binary",
    .menu = true,
    .summary = "Gives each pixel of an object its distance to the background, 1 at the edge; infinity where there is no background.",
    .source = "octagonal distance: erosions by side and by all neighbours in turn that a pixel survives, plus 1",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "distances", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx distanceMap: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan,
};
