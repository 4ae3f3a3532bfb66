/* SPDX-License-Identifier: BSD-3-Clause */
#include "../window/window.h"

static void launch_local_cross_correlation(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "pattern");
    const int32_t none[3] = {0};
    const drua_view pattern =
        window_copy(p, plan_image(p, "pattern"), (drua_shape){s.width, s.height, s.depth, 3}, none);
    if (!plan_failed(p))
        window_weigh(p, true, plan_image(p, "source"), pattern, plan_image(p, "destination"));
}

static void parts_local_cross_correlation(drua_plan *p, drua_parts *parts)
{
    const drua_shape s = plan_shape(p, "pattern");
    parts->columns = true;
    parts->halo[0] = s.width / 2;
    parts->halo[1] = s.height / 2;
    parts->halo[2] = s.depth / 2;
}

DRUA_OP(local_cross_correlation) = {
    .name = "local_cross_correlation",
    .category = "filter",
    .summary = "Looks for a small pattern: each pixel becomes the similarity of its surroundings to the pattern, at "
               "most 1.",
    .source = "sum of the products of window and pattern, divided by the roots of their sums of squares; means are not "
              "subtracted; borders repeated; 0 where the window or the pattern is 0 everywhere",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_WHOLE("pattern", "small image to look for"),
                DRUA_IMAGE_OUT("destination", "similarity", .type = DRUA_FLOAT32)),
    .numeric = DRUA_DEVICE,
    .launch = launch_local_cross_correlation,
    .parts = parts_local_cross_correlation,
};
