/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges touching labels and shrinks labels. */
#include "labels.h"

static void launch_join(drua_plan *p)
{
    drua_view labels = plan_image(p, "source");
    uint32_t largest = labels_largest(p, "source");
    drua_view parent = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    LAUNCH(p, "labels_alone", LINE((int64_t)largest + 1, 64), POINTER(parent), INT(largest));
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);)
        LAUNCH(p, "labels_join", plan_tile_grid(plan_grid(t.from[0].layout), &t), ARG(t.from[0]), POINTER(parent),
               INT(largest));
    LAUNCH(p, "labels_flatten", LINE((int64_t)largest + 1, 64), POINTER(parent), INT(largest));
    labels_gather(p, labels, parent, largest);
}

static void build_merge(drua_plan *p)
{
    drua_operand joined = CALL(p, "join_touching_labels", DRUA_UINT32, plan_operand(p, "source"));
    plan_return(p, "destination", CALL(p, "close_index_gaps_in_label_map", plan_type(p, "destination"), joined));
}

/* One pass that sets each pixel to the smallest label of its neighbours. */
static void shrink_once(drua_plan *p, drua_view from, bool box, bool own, drua_view to)
{
    const int32_t slices = labels_march(from.layout);
    if (labels_are_vec4(from, to))
        LAUNCH(p, "shrink_step", labels_march_grid(from.layout, slices), ARG(from), ARG(to), INT(box), INT(own),
               INT(slices));
    else
        LAUNCH(p, "smallest_label", plan_grid(to.layout), ARG(from), INT(box), INT(own), ARG(to));
}

static void launch_peel(drua_plan *p)
{
    shrink_once(p, plan_image(p, "source"), true, true, plan_image(p, "destination"));
}

static void trim_edges(drua_plan *p, drua_view labels, bool keep, drua_view out)
{
    bool vec4 = labels_are_vec4(labels, out);
    LAUNCH(p, vec4 ? "edges_vec4" : "label_edges", vec4 ? labels_march_grid(out.layout, 1) : plan_grid(out.layout),
           ARG(labels), INT(keep), ARG(out));
}

static void launch_trim(drua_plan *p)
{
    trim_edges(p, plan_image(p, "source"), plan_flag(p, "keep"), plan_image(p, "destination"));
}

/*
 * Cuts gaps between labels, then runs `radius` minimum passes, alternately with crosses and boxes. Radius 1 only cuts
 * the gaps.
 */
static void launch_shrink(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), destination = plan_image(p, "destination");
    const int64_t extent =
        (int64_t)from.layout.width + from.layout.height + from.layout.depth; /* further passes change nothing */
    int64_t radius = plan_integer(p, "radius"), passes = radius < 2 ? 0 : radius < extent ? radius : extent;
    drua_view middle[2] = {{0}};
    for (int i = 0; i < 2 && i < passes; i++)
        middle[i] = plan_scratch_like(p, destination.layout, DRUA_UINT32);
    for (int64_t i = -1; i < passes && !plan_failed(p); i++) {
        drua_view to = i == passes - 1 ? destination : middle[i & 1];
        if (i < 0)
            trim_edges(p, from, false, to);
        else
            shrink_once(p, from, i & 1, false, to);
        from = to;
    }
}

static void parts_of_shrink(drua_plan *p, drua_parts *parts)
{
    const int64_t radius = plan_integer(p, "radius");
    parts->halo[0] = parts->halo[1] = parts->halo[2] = radius < 1 ? 2 : radius + 1;
    parts->columns = true;
}

static void build_erode(drua_plan *p)
{
    drua_type type = plan_type(p, "destination");
    if (plan_integer(p, "radius") < 1) {
        plan_return(p, "destination", CALL(p, "copy", type, plan_operand(p, "source")));
        return;
    }
    drua_operand shrunk =
        CALL(p, "shrink_labels", DRUA_UINT32, plan_operand(p, "source"), NUMBER((double)plan_integer(p, "radius")));
    plan_return(p, "destination",
                CALL(p,
                     plan_flag(p, "relabel_islands") ? "connected_components_diamond" : "close_index_gaps_in_label_map",
                     type, shrunk));
}

#define LABELS DRUA_IMAGE_IN("source", "label map")
#define RADIUS                                                                                                         \
    DRUA_INTEGER("radius",                                                                                             \
                 "1: makes gaps between labels; n: makes gaps, then replaces each pixel n times by its smallest "      \
                 "neighbour",                                                                                          \
                 .unit = "pixel", DRUA_RANGE(-10000, 10000), .default_value = 1)

DRUA_OP(join_touching_labels) = {
    .name = "join_touching_labels",
    .category = "labels",
    .summary = "Gives labels that touch by side, directly or through others, the smallest of their numbers.",
    .source = "union-find; Komura 2015",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map with gaps", .by_tiles = true)),
    .numeric = DRUA_EXACT,
    .launch = launch_join,
};

DRUA_OP(merge_touching_labels) = {
    .name = "merge_touching_labels",
    .category = "labels",
    .summary = "Merges labels that touch by side, directly or through others, and renumbers them in the order in which "
               "they appear.",
    .source = "components of the graph of labels that share a side",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map, renumbered")),
    DRUA_ALIASES("CLIJ2/CLIJx mergeTouchingLabels: source, &destination"),
    .numeric = DRUA_EXACT,
    .build = build_merge,
};

DRUA_OP(reduce_labels_to_label_edges) = {
    .name = "reduce_labels_to_label_edges",
    .category = "labels",
    .menu = true,
    .summary = "Keeps, or removes, the pixels of labels that have a side neighbour of another label.",
    .source = "pixels with a neighbour of another label",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map of the edges"),
                DRUA_BOOLEAN("keep", "on: keeps the edges; off: keeps the rest", .default_value = 1)),
    DRUA_ALIASES("CLIJ2/CLIJx reduceLabelsToLabelEdges: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_trim,
    .parts = plan_parts_neighbours,
};

DRUA_OP(shrink_labels) = {
    .name = "shrink_labels",
    .category = "labels",
    .summary = "Removes pixels from the edges of labels; labels keep their numbers.",
    .source = "gaps between labels, then passes of the smallest neighbour",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map"), RADIUS),
    .numeric = DRUA_EXACT,
    .launch = launch_shrink,
    .parts = parts_of_shrink,
};

DRUA_OP(peel_labels) = {
    .name = "peel_labels",
    .category = "labels",
    .summary =
        "Removes label pixels that touch a smaller label or background by side or corner; labels keep their numbers.",
    .source = "pixels whose label is the smallest among all neighbours",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map")),
    .numeric = DRUA_EXACT,
    .launch = launch_peel,
    .parts = plan_parts_neighbours,
};

DRUA_OP(erode_labels) = {
    .name = "erode_labels",
    .category = "labels",
    .menu = true,
    .summary = "Shrinks labels so that there are gaps between them, and renumbers the remaining labels.",
    .source = "gaps between labels, then passes of the smallest neighbour",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map, renumbered"), RADIUS,
                DRUA_BOOLEAN("relabel_islands", "whether parts of a split label get separate numbers",
                             .default_value = 0)),
    DRUA_ALIASES("CLIJ2 erodeLabels: source, &destination, radius, relabel_islands",
                 "CLIJ2/CLIJx shrinkLabels: source, &destination, radius, relabel_islands"),
    .numeric = DRUA_EXACT,
    .build = build_erode,
};
