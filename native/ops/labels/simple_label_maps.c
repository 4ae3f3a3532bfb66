/* SPDX-License-Identifier: BSD-3-Clause */
/* Label maps computed pixel by pixel: values of labels, edges, numbered spots. */
#include "labels.h"

static void launch_replace(drua_plan *p)
{
    labels_replace(p, plan_image(p, "source"), plan_image(p, "values"), plan_image(p, "destination"));
}

static void launch_edges(drua_plan *p)
{
    enum { EDGE_MASK = 2 };
    drua_view labels = plan_image(p, "source"), out = plan_image(p, "destination");
    if (labels_are_vec4(labels, out))
        LAUNCH(p, "edges_vec4", labels_march_grid(out.layout, 1), ARG(labels), INT(EDGE_MASK), ARG(out));
    else
        LAUNCH(p, "detect_label_edges", plan_grid(out.layout), ARG(labels), ARG(out));
}

static void launch_spots(drua_plan *p)
{
    drua_view source = plan_image(p, "source");
    drua_layout l = source.layout;
    drua_bits bits = labels_pack(p, source, 1);
    drua_ranks ranks = labels_rank(p, bits.view, bits.words);
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);)
        LAUNCH(p, "label_spots", plan_tile_grid(plan_grid(t.to.layout), &t), POINTER(bits.view), POINTER(ranks.before),
               INT(bits.row), INT(l.width), INT(l.height), INT(l.depth), ARG(t.to));
}

static void build_voronoi_octagon(drua_plan *p)
{
    drua_operand regions = CALL(p, "voronoi_labeling", DRUA_UINT32, plan_operand(p, "source"));
    plan_return(p, "destination", CALL(p, "detect_label_edges", plan_type(p, "destination"), regions));
}

DRUA_OP(replace_intensities) = {
    .name = "replace_intensities",
    .category = "labels",
    .summary = "Paints every label with its value from a list: the first entry stands for background, the second for "
               "label 1, and so on.",
    .source = "a table of new values",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_IMAGE_WHOLE(
                    "values",
                    "vector: one value for each label, the first for background; larger labels get the last value"),
                DRUA_IMAGE_OUT("destination", "image of the values")),
    DRUA_ALIASES("CLIJ2/CLIJx replaceIntensities: source, values, &destination",
                 "CLIJ2 generateParametricImage: source, values, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_replace,
    .parts = plan_parts_pixels,
};

DRUA_OP(detect_label_edges) = {
    .name = "detect_label_edges",
    .category = "labels",
    .summary = "Marks pixels with a side neighbour of another label, on both sides of an edge.",
    .source = "pixels with a neighbour of another label",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"), DRUA_IMAGE_OUT("destination", "binary image of the edges")),
    DRUA_ALIASES("CLIJ2/CLIJx detectLabelEdges: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_edges,
    .parts = plan_parts_neighbours,
};

DRUA_OP(label_spots) = {
    .name = "label_spots",
    .category = "labels",
    .summary = "Numbers every pixel that is not 0, in raster order.",
    .source = "pixels are counted in raster order by a parallel prefix sum (Blelloch 1990)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image of single pixels"),
                DRUA_LABELS_OUT("destination", "label map; 0 is background", .type = DRUA_FLOAT32, .by_tiles = true)),
    DRUA_ALIASES("CLIJ2/CLIJx labelSpots: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_spots,
};

DRUA_OP(voronoi_octagon) = {
    .name = "voronoi_octagon",
    .category = "binary",
    .summary = "Draws the borders between the regions around spots. Borders are two pixels thick, one on each side.",
    .source = "spots grow alternately by side neighbours and by all neighbours; pixels between two labels are marked",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image of spots"),
                DRUA_IMAGE_OUT("destination", "binary image of the borders")),
    DRUA_ALIASES("CLIJ2/CLIJx voronoiOctagon: source, &destination"),
    .numeric = DRUA_EXACT,
    .build = build_voronoi_octagon,
};
