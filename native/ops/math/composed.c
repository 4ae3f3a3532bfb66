/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic with a number computed from the whole image or from a slice. The number is an image of one pixel, which an
 * operation combines with every pixel of another image.
 */
#include "plan.h"

/* The largest pixel value, as an image. */
static drua_operand build_largest(drua_plan *p, drua_operand image)
{
    const bool flat = plan_shape(p, "source").depth == 1;
    drua_operand plane =
        flat ? image : CALL(p, "maximum_z_projection", DRUA_FLOAT32, image, NUMBER(0), NUMBER(2147483647));
    drua_operand rows = CALL(p, "maximum_x_projection", DRUA_FLOAT32, plane);
    return CALL(p, "maximum_x_projection", DRUA_FLOAT32, CALL(p, "transpose_xy", DRUA_FLOAT32, rows));
}

static void build_gamma(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), max = build_largest(p, source);
    drua_operand share = CALL(p, "divide_images", DRUA_FLOAT32, source, max);
    drua_operand bent = CALL(p, "power", DRUA_FLOAT32, share, NUMBER(plan_number(p, "gamma")));
    plan_return(p, "destination", CALL(p, "multiply_images", plan_type(p, "destination"), bent, max));
}

static void build_outlines(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"),
                 edges = CALL(p, "detect_label_edges", DRUA_UINT8, plan_operand(p, "labels"));
    drua_operand bright = CALL(p, "add_image_and_scalar", DRUA_FLOAT32, build_largest(p, source), NUMBER(1));
    drua_operand inside = CALL(p, "binary_subtract", DRUA_FLOAT32, source, edges),
                 lines = CALL(p, "multiply_images", DRUA_FLOAT32, edges, bright);
    plan_return(p, "destination", CALL(p, "add_images", plan_type(p, "destination"), inside, lines));
}

static void build_equal_slices(drua_plan *p)
{
    int64_t reference = plan_integer(p, "reference_slice"), depth = plan_shape(p, "source").depth;
    if (reference < 0 || reference >= depth)
        plan_fail(p, "reference_slice must be 0 to %lld, got %lld", (long long)depth - 1, (long long)reference);
    drua_operand source = plan_operand(p, "source"), sums = CALL(p, "sum_image_slice_by_slice", DRUA_FLOAT32, source);
    drua_operand wanted = CALL(p, "crop", DRUA_FLOAT32, sums, NUMBER((double)reference), NUMBER(0), NUMBER(0),
                               NUMBER(1), NUMBER(1), NUMBER(1));
    drua_operand scaled = CALL(p, "multiply_images", DRUA_FLOAT32, source, wanted),
                 along_z = CALL(p, "transpose_xz", DRUA_FLOAT32, sums);
    plan_return(p, "destination", CALL(p, "divide_images", plan_type(p, "destination"), scaled, along_z));
}

#define SOURCE DRUA_IMAGE_IN("source", "image to read")
#define RESULT DRUA_IMAGE_OUT("destination", "result")

DRUA_OP(gamma_correction) = {
    .name = "gamma_correction",
    .category = "math",
    .summary = "Brightens (below 1) or darkens the middle grey values; the brightest pixel stays as it is.",
    .source = "maximum x (pixel / maximum) ^ gamma",
    DRUA_PARAMS(SOURCE, RESULT, DRUA_NUMBER("gamma", "exponent", .default_value = 1, .example = 0.5)),
    DRUA_ALIASES("CLIJ2/CLIJx gammaCorrection: source, &destination, gamma"),
    .numeric = DRUA_DEVICE,
    .build = build_gamma,
};

DRUA_OP(visualize_outlines_on_original) = {
    .name = "visualize_outlines_on_original",
    .category = "labels",
    .summary = "Draws the outlines of labels into an image, brighter by 1 than its brightest pixel.",
    .source = "pixels with a side neighbour of another label (detectLabelEdges)",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_IN("labels", "label map"), DRUA_IMAGE_OUT("destination", "image with outlines")),
    DRUA_ALIASES("CLIJ2/CLIJx visualizeOutlinesOnOriginal: source, labels, &destination"),
    .numeric = DRUA_EXACT,
    .build = build_outlines,
};

DRUA_OP(equalize_mean_intensities_of_slices) = {
    .name = "equalize_mean_intensities_of_slices",
    .category = "math",
    .summary = "Scales each slice of a stack so that its mean is that of one slice: evens out bleaching or the loss of "
               "light with depth.",
    .source = "pixel x sum of the reference slice / sum of its slice",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), RESULT,
                DRUA_INTEGER("reference_slice", "slice that stays as it is, counted from 0", .unit = "slice",
                             DRUA_RANGE(0, 2147483646), .example = 8)),
    DRUA_ALIASES("CLIJ2/CLIJx equalizeMeanIntensitiesOfSlices: source, &destination, reference_slice"),
    .numeric = DRUA_DEVICE,
    .build = build_equal_slices,
};
