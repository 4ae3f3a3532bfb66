/* SPDX-License-Identifier: BSD-3-Clause */
#include "chamfer.h"

static void launch_dilate(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination"),
                    keys = chamfer_keys(p, source.layout);
    const chamfer_metric metric = chamfer_metric_of(CHAMFER_CHESSKNIGHT, source.layout.depth == 1);
    LAUNCH(p, "chamfer_begin_growth", plan_grid(source.layout), ARG(source), POINTER(keys));
    chamfer_spread(p, keys, source.layout, &metric, true, (float)plan_number(p, "distance") * metric.unit);
    LAUNCH(p, "chamfer_end_labels", plan_grid(to.layout), POINTER(keys), EXTENT_OF(source.layout), ARG(to));
}

DRUA_OP(dilate_labels_chamfer) = {
    .name = "dilate_labels_chamfer",
    .category = "labels",
    .menu = true,
    .summary =
        "Grows each label over the background by a distance in steps between pixels. Labels stop where they meet.",
    .source = "Dilate Labels of MorphoLibJ: pixels nearer than the distance, with the steps chessknight of "
              "chamferDistanceMap; a pixel equally near to two labels gets the smaller number",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_LABELS_OUT("destination", "label map with larger labels", .type = DRUA_TYPE_OF_SOURCE),
                DRUA_NUMBER("distance", "pixels nearer than this distance get a label", .unit = "pixel",
                            DRUA_RANGE(0, 10000), .default_value = 2)),
    DRUA_ALIASES("CLIJx morphoLibJDilateLabels: source, &destination, distance"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE | DRUA_KEEPS_LABELS,
    .launch = launch_dilate,
};
