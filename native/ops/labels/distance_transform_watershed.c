/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/* Floods the objects from the pixels farthest from the background. */
static void build_watershed(drua_plan *p)
{
    static const char *const weights[] = {"chessboard", "city-block", "quasi-euclidean", "borgefors", "chessknight"};
    const int64_t neighbours = plan_integer(p, "connectivity");
    const drua_operand connectivity = NUMBER((double)neighbours), source = plan_operand(p, "source");
    const drua_operand inside = CALL(p, "greater_constant", DRUA_UINT8, source, NUMBER(0));
    const drua_operand distance = CALL(p, "chamfer_distance_map", DRUA_FLOAT32, inside,
                                       TEXT(weights[plan_choice(p, "weights")]), NUMBER(plan_flag(p, "normalized")));
    const drua_operand depth = CALL(p, "multiply_image_and_scalar", DRUA_FLOAT32, distance, NUMBER(-1));
    plan_release_image(p, distance);
    const drua_operand minima =
        CALL(p, "extended_minima", DRUA_UINT8, depth, NUMBER(plan_number(p, "dynamic")), connectivity, NUMBER(1));
    const drua_operand markers =
        CALL(p, neighbours == 8 || neighbours == 26 ? "connected_components_box" : "connected_components_diamond",
             DRUA_FLOAT32, CALL(p, "mask", DRUA_UINT8, minima, inside));
    const drua_operand imposed = CALL(p, "impose_minima", DRUA_FLOAT32, depth, minima, connectivity);
    const drua_operand basins = CALL(p, "marker_controlled_watershed", DRUA_FLOAT32, imposed, markers, inside,
                                     connectivity, NUMBER(plan_flag(p, "dams")), NUMBER(0));
    plan_return(p, "destination", CALL(p, "mask", DRUA_FLOAT32, basins, inside));
}

DRUA_OP(distance_transform_watershed) = {
    .name = "distance_transform_watershed",
    .category = "labels",
    .menu = true,
    .summary = "Separates and labels objects of a binary image that touch each other at narrow places.",
    .source = "MorphoLibJ's Distance Transform Watershed: extended_minima of the negative chamfer_distance_map, "
              "impose_minima, marker_controlled_watershed; the background stays 0",
    .before_example =
        "Ext.Drua_drawSphere(mask, 33, 25, 7, 14, 14, 14, 1);\nExt.Drua_drawSphere(mask, 55, 25, 7, 14, 14, 14, 1);",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "binary image"),
        DRUA_LABELS_OUT("destination", "label map of the objects", .type = DRUA_FLOAT32),
        DRUA_CHOICE("weights", "lengths of steps, as in chamfer_distance_map",
                    DRUA_CHOICES("chessboard", "city-block", "quasi-euclidean", "borgefors", "chessknight"),
                    .default_text = "borgefors"),
        DRUA_BOOLEAN("normalized", "on: distances in pixels, divided by the first weight; off: sums of weights",
                     .default_value = 1),
        DRUA_NUMBER("dynamic",
                    "parts stay together if the distance rises less than this above the narrow place between them",
                    .unit = "pixel", DRUA_RANGE(0, 10000), .default_value = 1),
        DRUA_INTEGER("connectivity", "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",
                     DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 6),
        DRUA_BOOLEAN("dams", "pixels where parts meet become 0", .default_value = 1)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_watershed,
};
