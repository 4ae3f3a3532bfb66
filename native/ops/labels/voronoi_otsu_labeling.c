/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static drua_operand build_blur(drua_plan *p, const char *sigma_name)
{
    double sigma = plan_number(p, sigma_name), sigma_z = plan_shape(p, "source").dimension == 3 ? sigma : 0;
    return CALL(p, "gaussian_blur", DRUA_FLOAT32, plan_operand(p, "source"), NUMBER(sigma), NUMBER(sigma),
                NUMBER(sigma_z));
}

/* Seeds are the local maxima of a blurred image, inside the objects of a thresholded, differently blurred image. */
static void build_voronoi_otsu_labeling(drua_plan *p)
{
    drua_operand spots =
        CALL(p, "detect_maxima", DRUA_UINT8, build_blur(p, "spot_sigma"), NUMBER(0), NUMBER(0), NUMBER(0));
    drua_operand mask = CALL(p, "automatic_threshold", DRUA_UINT8, build_blur(p, "outline_sigma"), TEXT("Otsu"));
    drua_operand seeds = CALL(p, "binary_and", DRUA_UINT8, spots, mask);
    plan_return(p, "destination", CALL(p, "masked_voronoi_labeling", plan_type(p, "destination"), seeds, mask));
}

#define SIGMA(name, doc) DRUA_NUMBER(name, doc, .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 2)

DRUA_OP(voronoi_otsu_labeling) = {
    .name = "voronoi_otsu_labeling",
    .category = "labels",
    .menu = true,
    .summary = "Segments bright blobs: one label for each local maximum, as far as Otsu's threshold reaches.",
    .source = "Gaussian blur, local maxima, Otsu's threshold, octagonal growth inside the mask",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image with bright objects"),
                DRUA_LABELS_OUT("destination", "label map", .type = DRUA_FLOAT32),
                SIGMA("spot_sigma", "how close objects may be: blur before the search for maxima"),
                SIGMA("outline_sigma", "how smooth outlines are: blur before the threshold")),
    DRUA_ALIASES("CLIJ2/CLIJx voronoiOtsuLabeling: source, &destination, spot_sigma, outline_sigma"),
    .numeric = DRUA_DEVICE,
    .build = build_voronoi_otsu_labeling,
};
