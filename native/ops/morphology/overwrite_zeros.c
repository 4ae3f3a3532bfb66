/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void plan_overwrite(drua_plan *p, bool box)
{
    enum { RUN = 16 };      /* as in kernels/morphology/overwrite_zeros.cl */
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    const int lanes = plan_lanes(p);
    if (drua_type_is_wide_integer((drua_type)from.layout.type)) {
        LAUNCH(p, "overwrite_zeros_of_integers", plan_grid(l), ARG(from), ARG(to), INT(box));
        return;
    }
    LAUNCH(p, "overwrite_zeros", GRID((l.width + lanes - 1) / lanes, l.height, (l.depth + RUN - 1) / RUN, 32, 4, 1),
           ARG(from), ARG(to), INT(box));
}

static void plan_box(drua_plan *p)
{
    plan_overwrite(p, true);
}
static void plan_diamond(drua_plan *p)
{
    plan_overwrite(p, false);
}

#define OVERWRITE(name_, function, neighbours, ...)                                                                    \
    {                                                                                                                  \
        .name = #name_, .category = "labels",                                                                          \
        .summary = "Gives pixels that are 0 the largest value of their neighbours " neighbours ".",                    \
        .source = "one step of growth", .numeric = DRUA_EXACT, .launch = function, .parts = plan_parts_neighbours,     \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map or image"), DRUA_IMAGE_OUT("destination", "image, grown")),     \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

DRUA_OP(only_zero_overwrite_maximum_box) = OVERWRITE(only_zero_overwrite_maximum_box, plan_box, "at sides and corners",
                                                     "CLIJ2/CLIJx onlyzeroOverwriteMaximumBox: source, &destination");
DRUA_OP(only_zero_overwrite_maximum_diamond) =
    OVERWRITE(only_zero_overwrite_maximum_diamond, plan_diamond, "at sides",
              "CLIJ2/CLIJx onlyzeroOverwriteMaximumDiamond: source, &destination");
