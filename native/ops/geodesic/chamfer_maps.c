/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of chamfer distances: to the background, to other labels, and from markers inside a mask. */
#include "chamfer.h"

#include <math.h>

static void store_distances(drua_plan *p, drua_view keys, drua_layout of, const chamfer_metric *metric)
{
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "chamfer_end_distances", plan_grid(to.layout), POINTER(keys), EXTENT_OF(of),
           REAL(plan_flag(p, "normalized") ? metric->unit : 1), ARG(to));
}

static void map_distances_to_others(drua_plan *p, bool binary)
{
    const drua_view source = plan_image(p, "source"), keys = chamfer_keys(p, source.layout);
    const chamfer_metric metric = chamfer_metric_of(plan_choice(p, "weights"), source.layout.depth == 1);
    LAUNCH(p, "chamfer_begin_borders", plan_grid(source.layout), ARG(source), INT(binary), STEPS_OF(&metric),
           POINTER(keys));
    chamfer_spread(p, keys, source.layout, &metric, false, INFINITY);
    store_distances(p, keys, source.layout, &metric);
}

static void launch_to_background(drua_plan *p)
{
    map_distances_to_others(p, true);
}

static void launch_to_other_labels(drua_plan *p)
{
    map_distances_to_others(p, false);
}

static void launch_geodesic(drua_plan *p)
{
    plan_check_same_extent(p, "marker", "mask");
    const drua_view marker = plan_image(p, "marker"), keys = chamfer_keys(p, marker.layout);
    const chamfer_metric metric = chamfer_metric_of(plan_choice(p, "weights"), marker.layout.depth == 1);
    LAUNCH(p, "chamfer_begin_markers", plan_grid(marker.layout), ARG(marker), ARG(plan_image(p, "mask")),
           STEPS_OF(&metric), POINTER(keys));
    chamfer_spread(p, keys, marker.layout, &metric, false, INFINITY);
    store_distances(p, keys, marker.layout, &metric);
}

#define DISTANCES(doc) DRUA_IMAGE_OUT("destination", doc, .type = DRUA_FLOAT32)
#define CHAMFER_SOURCE "shortest paths in steps of given weights (Borgefors 1986), as in MorphoLibJ; NaN counts as 0"

DRUA_OP(chamfer_distance_map) = {
    .name = "chamfer_distance_map",
    .category = "binary",
    .menu = true,
    .summary = "Paints each pixel of an object with its distance to the background, in steps between neighbours.",
    .source = CHAMFER_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"),
                DISTANCES("distances, 0 in the background; infinity if the image has no background"), CHAMFER_WEIGHTS,
                CHAMFER_NORMALIZED),
    DRUA_ALIASES("CLIJx morphoLibJChamferDistanceMap: source, &destination, weights=borgefors, normalized=1"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_to_background,
};

DRUA_OP(distance_to_label_border) = {
    .name = "distance_to_label_border",
    .category = "labels",
    .menu = true,
    .summary =
        "Paints each pixel of a label with its distance to the nearest pixel of another label or the background.",
    .source = CHAMFER_SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DISTANCES("distances, 0 in the background; infinity if one label fills the image"), CHAMFER_WEIGHTS,
                CHAMFER_NORMALIZED),
    DRUA_ALIASES("CLIJx morphoLibJDistanceToLabelBorderMap: source, &destination, weights=borgefors, normalized=1"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_to_other_labels,
};

DRUA_OP(geodesic_distance_map) = {
    .name = "geodesic_distance_map",
    .category = "binary",
    .menu = true,
    .summary = "Paints each pixel of a mask with the length of the shortest path to a marker inside the mask.",
    .source = CHAMFER_SOURCE,
    .before_example = "Ext.Drua_drawSphere(marker, 33, 25, 7, 2, 2, 2, 1);",
    DRUA_PARAMS(DRUA_IMAGE_IN("marker", "binary image: not 0 where paths begin"),
                DRUA_IMAGE_IN("mask", "binary image: not 0 where paths may go"),
                DISTANCES("lengths of the shortest paths; infinity where no path leads"), CHAMFER_WEIGHTS,
                CHAMFER_NORMALIZED),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_geodesic,
};
