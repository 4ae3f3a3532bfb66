/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps of the shape of labels, for which no intensities are needed. */
#include "plan.h"

static void build_shape_map(drua_plan *p)
{
    const drua_operand labels = plan_operand(p, "labels");
    plan_return(p, "destination",
                CALL(p, "measure_labels_map", DRUA_FLOAT32, labels, labels, TEXT(plan_text(p, "column")),
                     TEXT(plan_text(p, "options"))));
}

/* In these commands MorphoLibJ measures in pixels, because CLIJ passes it images without calibration. */
#define MAP_OF(command, column_)                                                                                       \
    "CLIJx morphoLibJ" command "Map: labels, &destination, column=" column_ ", options=units=pixels"

DRUA_OP(label_shape_map) = {
    .name = "label_shape_map",
    .category = "measurement",
    .menu = true,
    .summary = "Paints each label with one measure of its shape, such as its perimeter.",
    .source =
        "a column of measure_labels, with Crofton's formula, Euler numbers and inertia ellipsoids as in MorphoLibJ",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "map of the column, 0 in the background", .type = DRUA_FLOAT32),
                DRUA_TEXT("column", "name of a column of measure_labels, such as PERIMETER",
                          .default_text = "PIXEL_COUNT", .example_text = "ELONGATION"),
                {.name = "options",
                 .doc = "settings of measure_labels_map, such as \"units=pixels\"",
                 .kind = DRUA_KIND_TEXT,
                 .default_text = ""}),
    DRUA_ALIASES(MAP_OF("Area", "AREA"), MAP_OF("Perimeter", "PERIMETER"), MAP_OF("Circularity", "CIRCULARITY"),
                 MAP_OF("EulerNumber", "EULER_NUMBER_4"), MAP_OF("ConvexArea", "CONVEX_AREA"),
                 MAP_OF("Convexity", "SOLIDITY"), MAP_OF("EllipseElongation", "ASPECT_RATIO"),
                 MAP_OF("EllipseMajorAxisLength", "ELLIPSE_RADIUS_1"),
                 MAP_OF("EllipseMinorAxisLength", "ELLIPSE_RADIUS_2"), MAP_OF("EllipseOrientation", "ELLIPSE_ANGLE"),
                 MAP_OF("MaximumFeret", "FERET_MAX"), MAP_OF("MaximumFeretAngle", "FERET_MAX_ANGLE"),
                 MAP_OF("GeodesicDiameter", "GEODESIC_DIAMETER"), MAP_OF("Tortuosity", "TORTUOSITY"),
                 MAP_OF("GeodesicElongation", "GEODESIC_ELONGATION"), MAP_OF("AverageThickness", "AVERAGE_THICKNESS"),
                 MAP_OF("InscribedDiscRadius", "INSCRIBED_RADIUS"), MAP_OF("Volume", "VOLUME"),
                 MAP_OF("SurfaceArea", "SURFACE_AREA"), MAP_OF("Sphericity", "SPHERICITY"),
                 MAP_OF("MeanBreadth", "MEAN_BREADTH"), MAP_OF("EulerNumber3D", "EULER_NUMBER_6"),
                 MAP_OF("EllipsoidMajorAxisLength", "ELLIPSOID_RADIUS_1"),
                 MAP_OF("EllipsoidSecondMajorAxisLength", "ELLIPSOID_RADIUS_2"),
                 MAP_OF("EllipsoidMinorAxisLength", "ELLIPSOID_RADIUS_3"),
                 MAP_OF("InscribedBallRadius", "INSCRIBED_RADIUS")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_shape_map,
};
