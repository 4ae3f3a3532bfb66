/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <stdlib.h>

static void launch_cross_correlation(drua_plan *p)
{
    enum { RUN = 4 };       /* as in kernels/derivative/correlation_coefficient.cl */
    drua_view to = plan_image(p, "destination");
    drua_grid grid = plan_grid(to.layout);
    const int64_t axis = plan_integer(p, "axis");
    if (!plan_failed(p))
        grid.items[axis] = (grid.items[axis] + RUN - 1) / RUN;
    LAUNCH(p, "correlation_coefficient", grid, ARG(plan_image(p, "source1")), ARG(plan_image(p, "mean1")),
           ARG(plan_image(p, "source2")), ARG(plan_image(p, "mean2")), ARG(to), INT(plan_integer(p, "radius")),
           INT(plan_integer(p, "shift")), INT(axis));
}

static void parts_cross_correlation(drua_plan *p, drua_parts *parts)
{
    parts->halo[plan_integer(p, "axis")] = plan_integer(p, "radius") + llabs(plan_integer(p, "shift"));
    parts->columns = true;
}

DRUA_OP(cross_correlation) = {
    .name = "cross_correlation",
    .category = "filter",
    .summary = "Compares two images around each pixel along one axis, with the second image shifted: 1 if both rise "
               "and fall together, -1 if one rises where the other falls.",
    .source = "correlation coefficient of the differences from given means; border pixels repeated; 0 where an image "
              "equals its mean",
    DRUA_PARAMS(DRUA_IMAGE_IN("source1", "image"),
                DRUA_IMAGE_IN("mean1", "mean of source1 around each pixel, such as in a box of the same radius"),
                DRUA_IMAGE_IN("source2", "image to shift"), DRUA_IMAGE_IN("mean2", "mean of source2 around each pixel"),
                DRUA_IMAGE_OUT("destination", "correlation from -1 to 1; integer destinations keep only whole numbers"),
                DRUA_INTEGER("radius", "number of pixels that are compared before and after each pixel",
                             .unit = "pixel", DRUA_RANGE(0, 10000), .default_value = 3),
                DRUA_INTEGER("shift", "number of pixels further along the axis at which source2 is read",
                             .unit = "pixel", DRUA_RANGE(-1000000, 1000000)),
                DRUA_INTEGER("axis", "axis to compare along: 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2))),
    DRUA_ALIASES("CLIJx crossCorrelation: source1, mean1, source2, mean2, &destination, radius, shift, axis"),
    .numeric = DRUA_DEVICE,
    .launch = launch_cross_correlation,
    .parts = parts_cross_correlation,
};
