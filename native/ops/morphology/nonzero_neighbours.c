/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static void launch_neighbours(drua_plan *p, bool box, bool largest)
{
    enum { SLICES = 16 };
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    if (drua_type_is_wide_integer((drua_type)from.layout.type))
        LAUNCH(p, "nonzero_neighbours_of_integers", plan_grid(to.layout), ARG(from), ARG(to), INT(box), INT(largest));
    else
        LAUNCH(p, "nonzero_neighbours",
               GRID(to.layout.width, to.layout.height, ((int64_t)to.layout.depth + SLICES - 1) / SLICES, 32, 8, 1),
               ARG(from), ARG(to), INT(box), INT(largest), INT(SLICES));
}

static void maximum_box(drua_plan *p)
{
    launch_neighbours(p, true, true);
}
static void maximum_diamond(drua_plan *p)
{
    launch_neighbours(p, false, true);
}
static void minimum_box(drua_plan *p)
{
    launch_neighbours(p, true, false);
}
static void minimum_diamond(drua_plan *p)
{
    launch_neighbours(p, false, false);
}

#define NONZERO(name_, function, takes_, neighbours_, ...)                                                             \
    {                                                                                                                  \
        .name = #name_, .category = "labels", .numeric = DRUA_EXACT, .launch = function,                               \
        .parts = plan_parts_neighbours, .source = "one step of growth",                                                \
        .summary = "Replaces each pixel that is not 0 with the " takes_ " of itself and its neighbours " neighbours_   \
                   "; pixels that are 0 stay.",                                                                        \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map or image"),                                                     \
                    DRUA_IMAGE_OUT("destination", "image; an existing image keeps its pixels where the source is 0",   \
                                   .partial = true)),                                                                  \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

DRUA_OP(nonzero_maximum_box) = NONZERO(nonzero_maximum_box, maximum_box, "largest value", "at sides and corners",
                                       "CLIJ2/CLIJx nonzeroMaximumBox: source, &destination");
DRUA_OP(nonzero_maximum_diamond) = NONZERO(nonzero_maximum_diamond, maximum_diamond, "largest value", "at sides",
                                           "CLIJ2/CLIJx nonzeroMaximumDiamond: source, &destination");
DRUA_OP(nonzero_minimum_box) = NONZERO(nonzero_minimum_box, minimum_box, "smallest value above 0",
                                       "at sides and corners", "CLIJ2/CLIJx nonzeroMinimumBox: source, &destination");
DRUA_OP(nonzero_minimum_diamond) = NONZERO(nonzero_minimum_diamond, minimum_diamond, "smallest value above 0",
                                           "at sides", "CLIJ2/CLIJx nonzeroMinimumDiamond: source, &destination");
