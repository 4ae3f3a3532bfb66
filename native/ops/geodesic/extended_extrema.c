/* SPDX-License-Identifier: BSD-3-Clause */
/* Extrema of a minimum height, and extrema that a mask imposes. */
#include "geodesic.h"

static void mark_extrema(drua_plan *p, bool down)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_flood flood = geodesic_make(p, source.layout);
    const drua_view high = plan_scratch_bytes(p, sizeof(uint32_t));
    LAUNCH(p, "geodesic_begin_extrema", plan_grid(source.layout), ARG(source), POINTER(flood.levels),
           POINTER(flood.limits), REAL(plan_number(p, "h")), INT(down));
    geodesic_spread(p, &flood);
    const int64_t count = (int64_t)source.layout.width * source.layout.height * source.layout.depth;
    plan_clear(p, high);
    LAUNCH(p, "geodesic_begin_tops", GRID(count, 1, 1, 256, 1, 1), POINTER(flood.levels), POINTER(flood.limits),
           LONG(count), POINTER(high));
    geodesic_spread(p, &flood);
    LAUNCH(p, "geodesic_end_tops", plan_grid(to.layout), POINTER(flood.levels), POINTER(flood.limits), POINTER(high),
           EXTENT_OF(flood.of), INT(source.layout.type == DRUA_FLOAT32), REAL(plan_number(p, "value")), ARG(to));
}

static void launch_maxima(drua_plan *p)
{
    mark_extrema(p, false);
}

static void launch_minima(drua_plan *p)
{
    mark_extrema(p, true);
}

static void impose_extrema(drua_plan *p, bool down)
{
    plan_check_same_extent(p, "source", "marked");
    const drua_view source = plan_image(p, "source"), highest = plan_scratch_bytes(p, sizeof(uint32_t));
    const drua_flood flood = geodesic_make(p, source.layout);
    plan_clear(p, highest);
    if (source.layout.type == DRUA_FLOAT32)
        LAUNCH(p, "geodesic_highest", plan_grid(source.layout), ARG(source), POINTER(highest), INT(down));
    LAUNCH(p, "geodesic_begin_imposed", plan_grid(source.layout), ARG(source), ARG(plan_image(p, "marked")),
           POINTER(highest), POINTER(flood.levels), POINTER(flood.limits), INT(down));
    geodesic_spread(p, &flood);
    geodesic_finish(p, &flood, (drua_type)source.layout.type, down);
}

static void launch_impose_maxima(drua_plan *p)
{
    impose_extrema(p, false);
}

static void launch_impose_minima(drua_plan *p)
{
    impose_extrema(p, true);
}

#define SOURCE DRUA_IMAGE_IN("source", "image to search")
#define MARKS  DRUA_IMAGE_OUT("destination", "`value` at the extrema, else 0")
#define HEIGHT(kind)                                                                                                   \
    DRUA_NUMBER("h", "smaller " kind " are left out; 0 keeps all", .unit = "grey value", DRUA_RANGE(0, 4294967040.0),  \
                .default_value = 10)
#define VALUE   DRUA_NUMBER("value", "value of the marked pixels", .default_value = 1)
#define CHANGED DRUA_IMAGE_IN("source", "image to change")

DRUA_OP(extended_maxima) = {
    .name = "extended_maxima",
    .category = "detection",
    .menu = true,
    .summary = "Marks bright regions that rise more than h above every path to a brighter region. With h = 0, marks "
               "all flat tops.",
    .source = "flat tops of the reconstruction by dilation, with the image as marker and the image plus h as mask; "
              "Soille 2004",
    DRUA_PARAMS(SOURCE, MARKS, HEIGHT("rises"), CONNECTIVITY, VALUE),
    DRUA_ALIASES("CLIJx morphoLibJExtendedMaxima: source, &destination, h, connectivity=6, value=255"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_maxima,
};

DRUA_OP(extended_minima) = {
    .name = "extended_minima",
    .category = "detection",
    .menu = true,
    .summary = "Marks dark regions that lie more than h below every path to a darker region. With h = 0, marks all "
               "flat bottoms.",
    .source = "flat bottoms of the reconstruction by erosion, with the image plus h as marker and the image as mask; "
              "Soille 2004",
    DRUA_PARAMS(SOURCE, MARKS, HEIGHT("depths"), CONNECTIVITY, VALUE),
    DRUA_ALIASES("CLIJx morphoLibJExtendedMinima: source, &destination, h, connectivity=6, value=255"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_minima,
};

DRUA_OP(impose_minima) = {
    .name = "impose_minima",
    .category = "filter",
    .summary = "Changes an image so that it has minima at marked places and nowhere else, for a watershed.",
    .source = "reconstruction by erosion above the image plus 1; marked pixels become the smallest number of an "
              "integer type; in float32, the image's smallest number if it is below 0, else 0; Soille 2004",
    DRUA_PARAMS(CHANGED, DRUA_IMAGE_IN("marked", "binary image: above 0 at the minima"),
                DRUA_IMAGE_OUT("destination", "image with these minima only"), CONNECTIVITY),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_impose_minima,
};

DRUA_OP(impose_maxima) = {
    .name = "impose_maxima",
    .category = "filter",
    .summary = "Changes an image so that it has maxima at marked places and nowhere else.",
    .source = "reconstruction by dilation below the image minus 1; marked pixels become the largest number of an "
              "integer type; in float32, the image's largest number if it is above 255, else 255; Soille 2004",
    DRUA_PARAMS(CHANGED, DRUA_IMAGE_IN("marked", "binary image: above 0 at the maxima"),
                DRUA_IMAGE_OUT("destination", "image with these maxima only"), CONNECTIVITY),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_impose_maxima,
};
