/* SPDX-License-Identifier: BSD-3-Clause */
#include "label_graph.h"

/* A row and a column for each label and the background. */
static void shape_of_matrix(drua_plan *p, drua_shape *shape)
{
    int64_t size = plan_largest_label(p, "source") + 1;
    *shape = (drua_shape){size, size, 1, 2};
}

static void launch_generate_touch_matrix(drua_plan *p)
{
    drua_view labels = plan_image(p, "source"), destination = plan_image(p, "destination");
    plan_clear(p, destination);
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);)
        if (t.from[0].buffer == labels.buffer && drua_layout_is_vec4(&labels.layout))
            LAUNCH(p, "touch_matrix_vec4", graph_march_grid(labels.layout), ARG(labels), ARG(destination),
                   INT(GRAPH_SLICES));
        else
            LAUNCH(p, "touch_matrix", plan_tile_grid(plan_grid(t.from[0].layout), &t), ARG(t.from[0]),
                   ARG(destination));
}

DRUA_OP(generate_touch_matrix) = {
    .name = "generate_touch_matrix",
    .category = "graph",
    .summary =
        "Shows which labels touch: the entry at x = smaller label, y = larger label is 1. Background is label 0.",
    .source = "labels touch where pixels share a side",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_IMAGE_OUT("destination", "touch matrix, 0 and 1", .shape = shape_of_matrix, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx generateTouchMatrix: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_generate_touch_matrix,
};
