/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima that keep a distance from each other. */
#include "plan.h"

#include <math.h>

static int reach_of(drua_plan *p)
{
    return (int)floor(plan_number(p, "distance"));
}

static void launch_distant_maxima(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const double distance = plan_number(p, "distance");
    const int reach = reach_of(p);
    drua_grid grid = plan_grid(to.layout);
    grid.turns = (int64_t)(2 * reach + 1) * (2 * reach + 1) * (source.layout.depth > 1 ? 2 * reach + 1 : 1);
    LAUNCH(p, "mark_distant_maxima", grid, ARG(source), ARG(to), INT(reach), INT((int)floor(distance * distance)),
           REAL(plan_number(p, "threshold")));
}

static void parts_of_maxima(drua_plan *p, drua_parts *parts)
{
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = reach_of(p);
    parts->columns = true;
}

DRUA_OP(distant_maxima) = {
    .name = "distant_maxima",
    .category = "detection",
    .menu = true,
    .summary = "Marks bright spots that keep a distance from each other: pixels brighter than all others within the "
               "distance (non-maximum suppression).",
    .source = "comparison with all pixels of a disc or ball. Of equal pixels, one counts as brighter than those that "
              "follow in x, then y, then z. NaN is never marked",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_OUT("destination", "1 at each spot, else 0"),
                DRUA_NUMBER("distance", "spots are farther apart than this", .unit = "pixel", DRUA_RANGE(1, 100),
                            .default_value = 5),
                DRUA_NUMBER("threshold", "only pixels brighter than this are marked", .unit = "grey value",
                            .default_value = 0)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_distant_maxima,
    .parts = parts_of_maxima,
};
