/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/* Finds the basins of the minima that have at least the given depth; only these minima start floods. */
static void build_segmentation(drua_plan *p)
{
    const double radius = (double)plan_integer(p, "gradient_radius");
    const drua_operand connectivity = NUMBER((double)plan_integer(p, "connectivity"));
    drua_operand image = plan_operand(p, "source");
    if (radius > 0)
        image = CALL(p, "morphological_gradient", plan_type(p, "source"), image, NUMBER(radius), NUMBER(radius),
                     NUMBER(radius));
    const drua_operand minima =
        CALL(p, "extended_minima", DRUA_UINT8, image, NUMBER(plan_number(p, "tolerance")), connectivity, NUMBER(1));
    const double neighbours = connectivity.number;
    const bool box = neighbours == 8 || neighbours == 26;
    const drua_operand markers =
        CALL(p, box ? "connected_components_box" : "connected_components_diamond", DRUA_FLOAT32, minima);
    const drua_operand everywhere = CALL(p, "not_equal_constant", DRUA_UINT8, minima, NUMBER(2));
    const drua_operand imposed = CALL(p, "impose_minima", plan_type(p, "source"), image, minima, connectivity);
    plan_return(p, "destination",
                CALL(p, "marker_controlled_watershed", DRUA_FLOAT32, imposed, markers, everywhere, connectivity,
                     NUMBER(plan_flag(p, "dams")), NUMBER(0)));
}

DRUA_OP(morphological_segmentation) = {
    .name = "morphological_segmentation",
    .category = "labels",
    .menu = true,
    .summary = "Divides an image into basins: one for each minimum that is deeper than a tolerance. A gradient turns "
               "objects into basins.",
    .source = "MorphoLibJ's Morphological Segmentation: extended_minima, impose_minima, connected components, "
              "marker_controlled_watershed",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose borders are bright; with a gradient, image of objects"),
                DRUA_LABELS_OUT("destination", "label map of the basins", .type = DRUA_FLOAT32),
                DRUA_NUMBER("tolerance", "basins less deep than this are merged with a neighbour", .unit = "grey value",
                            DRUA_RANGE(0, 4294967040.0), .default_value = 10),
                DRUA_INTEGER("gradient_radius",
                             "half width of the box whose range of grey values is segmented; 0: segments the image "
                             "itself",
                             .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 0),
                DRUA_INTEGER("connectivity",
                             "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",
                             DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 6),
                DRUA_BOOLEAN("dams", "pixels where basins meet become 0")),
    DRUA_ALIASES("CLIJx morphoLibJMorphologicalSegmentationLabelBorderImage: source, &destination, tolerance, "
                 "gradient_radius=0, connectivity=6, dams=0",
                 "CLIJx morphoLibJMorphologicalSegmentationLabelObjectImage: source, &destination, gradient_radius, "
                 "tolerance, connectivity=6, dams=0"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_segmentation,
};
