/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scales images to a given mean, and maps the mean of the Laplacian of labels. The mean is an image of one pixel, which
 * an operation combines with every pixel of another image.
 */
#include "plan.h"

#define FLOATS(name, ...) CALL(p, name, DRUA_FLOAT32, __VA_ARGS__)

/* The sum of all pixels, as an image. */
static drua_operand sum_of(drua_plan *p, drua_operand image)
{
    const bool flat = plan_shape(p, "source").depth == 1;
    drua_operand plane = flat ? image : FLOATS("sum_z_projection", image, NUMBER(0), NUMBER(2147483647)),
                 rows = FLOATS("sum_x_projection", plane);
    return FLOATS("sum_x_projection", FLOATS("transpose_xy", rows));
}

static void scale_to(drua_plan *p, drua_operand mean)
{
    const drua_operand one = NUMBER(1);
    drua_operand factor = FLOATS("divide_scalar_by_image", mean, NUMBER(plan_number(p, "reference_mean_intensity")));
    factor = FLOATS("replace_undefined", factor, one, one, one);
    drua_operand scaled = FLOATS("multiply_images", plan_operand(p, "source"), factor);
    plan_return(p, "destination",
                /*
                 * In a destination of integers, `power` moves values that rounding errors put just below an integer up
                 * to it (STORE_SNAPPED); multiply_images does not. The exponent 1 changes nothing else.
                 */
                CALL(p, "power", plan_type(p, "destination"), scaled, NUMBER(1)));
}

static void build_correction(drua_plan *p)
{
    drua_shape s = plan_shape(p, "source");
    double pixels = (double)s.width * (double)s.height * (double)s.depth;
    scale_to(p, FLOATS("multiply_image_and_scalar", sum_of(p, plan_operand(p, "source")), NUMBER(1 / pixels)));
}

static void build_above_otsu(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"),
                 marks = CALL(p, "automatic_threshold", DRUA_UINT8, source, TEXT("Otsu"));
    scale_to(p, FLOATS("divide_images", sum_of(p, FLOATS("mask", source, marks)), sum_of(p, marks)));
}

static void build_laplacian_map(drua_plan *p)
{
    drua_operand contrast = CALL(p, "laplace_box", plan_type(p, "source"), plan_operand(p, "source"));
    plan_return(p, "destination",
                CALL(p, "mean_intensity_map", plan_type(p, "destination"), contrast, plan_operand(p, "labels")));
}

#define IMAGES DRUA_IMAGE_IN("source", "image to correct"), DRUA_IMAGE_OUT("destination", "image with that mean")
#define MEAN                                                                                                           \
    DRUA_NUMBER("reference_mean_intensity", "mean that the image gets", .unit = "grey value", .default_value = 1000,   \
                .example = 60)

DRUA_OP(intensity_correction) = {
    .name = "intensity_correction",
    .category = "math",
    .summary = "Makes an image brighter or darker so that its mean becomes a given number.",
    .source = "pixel x reference / mean; an image whose mean is 0 or not a number keeps its values",
    DRUA_PARAMS(IMAGES, MEAN),
    DRUA_ALIASES("CLIJx intensityCorrection: source, &destination, reference_mean_intensity"),
    .numeric = DRUA_DEVICE,
    .build = build_correction,
};

DRUA_OP(intensity_correction_above_threshold_otsu) = {
    .name = "intensity_correction_above_threshold_otsu",
    .category = "math",
    .summary = "Makes an image brighter or darker so that the mean of its bright pixels becomes a given number.",
    .source =
        "pixel x reference / mean of the pixels that Otsu's threshold marks; without such pixels, or if their mean "
        "is 0, an image keeps its values",
    DRUA_PARAMS(IMAGES, MEAN),
    DRUA_ALIASES("CLIJx intensityCorrectionAboveThresholdOtsu: source, &destination, reference_mean_intensity"),
    .numeric = DRUA_DEVICE,
    .build = build_above_otsu,
};

DRUA_OP(mean_of_laplacian_map) = {
    .name = "mean_of_laplacian_map",
    .category = "measurement",
    .summary = "Paints every label with the mean of the Laplacian over its pixels, a measure of local contrast.",
    .source = "laplaceBox in the image's type, then meanIntensityMap",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "map of the means", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx labelMeanOfLaplacianMap: source, labels, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_laplacian_map,
};
