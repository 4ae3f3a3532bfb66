/* SPDX-License-Identifier: BSD-3-Clause */
/* Morphological reconstruction, and filters that reconstruct from the border. */
#include "geodesic.h"

/* Images of two types are compared as float32. */
static drua_type common_type(drua_plan *p)
{
    const drua_type type = plan_type(p, "marker");
    return type == plan_type(p, "mask") ? type : DRUA_FLOAT32;
}

static void reconstruct_image(drua_plan *p, bool down)
{
    plan_check_same_extent(p, "marker", "mask");
    const drua_view marker = plan_image(p, "marker"), mask = plan_image(p, "mask");
    const drua_flood flood = geodesic_make(p, marker.layout);
    const drua_type type = common_type(p);
    LAUNCH(p, "geodesic_begin", plan_grid(marker.layout), ARG(marker), ARG(mask), POINTER(flood.levels),
           POINTER(flood.limits), INT(type), INT(down));
    geodesic_spread(p, &flood);
    geodesic_finish(p, &flood, type, down);
}

static void launch_by_dilation(drua_plan *p)
{
    reconstruct_image(p, false);
}

static void launch_by_erosion(drua_plan *p)
{
    reconstruct_image(p, true);
}

/* Returns a flood that starts at the image's border. */
static drua_flood flood_from_border(drua_plan *p, drua_view source, bool down)
{
    const drua_flood flood = geodesic_make(p, source.layout);
    LAUNCH(p, "geodesic_begin_at_border", plan_grid(source.layout), ARG(source), POINTER(flood.levels),
           POINTER(flood.limits), INT(down));
    geodesic_spread(p, &flood);
    return flood;
}

static void launch_fill(drua_plan *p)
{
    const drua_flood flood = flood_from_border(p, plan_image(p, "source"), true);
    geodesic_finish(p, &flood, plan_type(p, "source"), true);
}

static void launch_kill(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_flood flood = flood_from_border(p, source, false);
    LAUNCH(p, "geodesic_end_difference", plan_grid(to.layout), POINTER(flood.levels), ARG(source), ARG(to));
}

#define FLOODED                                                                                                        \
    "grey values flood tiles of the image until nothing changes; Vincent 1993. NaN floods nothing and lets nothing "   \
    "pass"
#define MARKER  DRUA_IMAGE_IN("marker", "image from which the flood starts")
#define RESULT  DRUA_IMAGE_OUT("destination", "reconstructed image")
#define SOURCE  DRUA_IMAGE_IN("source", "grey, binary or label image")

DRUA_OP(reconstruction_by_dilation) = {
    .name = "reconstruction_by_dilation",
    .category = "filter",
    .menu = true,
    .summary = "Lets bright values of a marker spread as far as a mask allows: keeps the objects of the mask that the "
               "marker touches.",
    .source = FLOODED,
    DRUA_PARAMS(MARKER, DRUA_IMAGE_IN("mask", "image that limits the flood: no result is brighter"), RESULT,
                CONNECTIVITY),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_by_dilation,
};

DRUA_OP(reconstruction_by_erosion) = {
    .name = "reconstruction_by_erosion",
    .category = "filter",
    .menu = true,
    .summary = "Lets dark values of a marker spread as far as a mask allows: keeps the dark places of the mask that "
               "the marker touches.",
    .source = FLOODED,
    DRUA_PARAMS(MARKER, DRUA_IMAGE_IN("mask", "image that limits the flood: no result is darker"), RESULT,
                CONNECTIVITY),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_by_erosion,
};

DRUA_OP(fill_holes) = {
    .name = "fill_holes",
    .category = "filter",
    .menu = true,
    .summary =
        "Fills dark places that do not reach the image's border, up to the lowest value around each. Fills holes "
        "of binary images and of label images too.",
    .source = "reconstruction by erosion from the border; Soille 2004",
    .before_example =
        "Ext.Drua_drawSphere(mask, 33, 25, 7, 4, 4, 20, 0);\nExt.Drua_drawSphere(mask, 55, 85, 7, 4, 4, 20, 0);",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "image without holes"), CONNECTIVITY),
    DRUA_ALIASES("CLIJx morphoLibJFillHoles: source, &destination, connectivity=6"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_fill,
};

DRUA_OP(kill_borders) = {
    .name = "kill_borders",
    .category = "filter",
    .menu = true,
    .summary = "Removes bright structures that touch the image's border.",
    .source = "image minus its reconstruction by dilation from the border; Soille 2004",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "image without the objects that touch the border"), CONNECTIVITY),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_kill,
};
