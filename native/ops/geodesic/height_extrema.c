/* SPDX-License-Identifier: BSD-3-Clause */
/* Lowers peaks or fills pits by a height, so that those of less than this height disappear. */
#include "geodesic.h"

static void flatten_extrema(drua_plan *p, bool down)
{
    const drua_view source = plan_image(p, "source");
    const drua_flood flood = geodesic_make(p, source.layout);
    LAUNCH(p, "geodesic_begin_lowered", plan_grid(source.layout), ARG(source), POINTER(flood.levels),
           POINTER(flood.limits), REAL(plan_number(p, "h")), INT(down));
    geodesic_spread(p, &flood);
    geodesic_finish(p, &flood, (drua_type)source.layout.type, down);
}

static void plan_h_maxima(drua_plan *p)
{
    flatten_extrema(p, false);
}

static void plan_h_minima(drua_plan *p)
{
    flatten_extrema(p, true);
}

#define HEIGHT(kind) DRUA_NUMBER("h", kind, .unit = "grey value", DRUA_RANGE(0, 4294967040.0), .default_value = 10)
#define FLATTENING(name_, plan_, summary_, source_, alias_, h_, result_)                                               \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .menu = true, .summary = summary_, .source = source_,                    \
        .numeric = DRUA_EXACT, .traits = DRUA_WHOLE, .launch = plan_, DRUA_ALIASES(alias_),                            \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", result_), h_,            \
                    CONNECTIVITY)                                                                                      \
    }

DRUA_OP(h_maxima) =
    FLATTENING(h_maxima, plan_h_maxima,
               "Lowers all bright peaks by h: those that rise less than h above their surroundings disappear.",
               "reconstruction by dilation below the image, from the image minus h; integers stop at the smallest "
               "number of their type; Soille 2004",
               "CLIJx simpleITKHMaxima: source, &destination, h, connectivity=6",
               HEIGHT("height by which peaks are lowered"), "image with lower peaks");
DRUA_OP(h_minima) =
    FLATTENING(h_minima, plan_h_minima, "Fills all dark pits by h: those that are less than h deep disappear.",
               "reconstruction by erosion above the image, from the image plus h; integers stop at the largest number "
               "of their type; Soille 2004",
               NULL, HEIGHT("height by which pits are filled"), "image with shallower pits");
