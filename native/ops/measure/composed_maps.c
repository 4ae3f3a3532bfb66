/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements that are composed of other operations. */
#include "plan.h"

static void build_range_ratio(drua_plan *p)
{
    drua_operand labels = plan_operand(p, "source"),
                 far = CALL(p, "maximum_touching_neighbor_distance_map", DRUA_FLOAT32, labels);
    drua_operand near = CALL(p, "minimum_touching_neighbor_distance_map", DRUA_FLOAT32, labels);
    plan_return(
        p, "destination",
        CALL(p, "undefined_to_zero", plan_type(p, "destination"), CALL(p, "divide_images", DRUA_FLOAT32, far, near)));
}

static void build_mean_above(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"),
                 marks = CALL(p, "greater_constant", DRUA_UINT8, source, NUMBER(plan_number(p, "threshold")));
    plan_set_number(p, "mean", plan_call_number(p, "mean_of_masked_pixels", (drua_operand[]){source, marks}, 2));
}

DRUA_OP(touching_neighbor_distance_range_ratio_map) = {
    .name = "touching_neighbor_distance_range_ratio_map",
    .category = "graph",
    .summary = "Paints every label with the ratio of the distances to its farthest and its nearest touching neighbour; "
               "0 without neighbours.",
    .source = "maximumTouchingNeighborDistanceMap / minimumTouchingNeighborDistanceMap",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_IMAGE_OUT("destination", "image of the ratios", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2 touchingNeighborDistanceRangeRatioMap: source, &destination",
                 "CLIJx neighborDistanceRangeRatioMap: source, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_range_ratio,
};

DRUA_OP(mean_of_pixels_above_threshold) = {
    .name = "mean_of_pixels_above_threshold",
    .category = "measurement",
    .summary = "Takes the mean of all pixels above a grey value; NaN without such pixels.",
    .source = "sum of the pixels above the threshold / their number",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"),
                DRUA_NUMBER("threshold", "only pixels above this value are used", .unit = "grey value",
                            .default_value = 0, .example = 40),
                DRUA_NUMBER_OUT("mean", "mean")),
    DRUA_ALIASES("CLIJ2/CLIJx meanOfPixelsAboveThreshold: source, threshold; Mean_of_pixels_above_threshold=mean"),
    .numeric = DRUA_DEVICE,
    .build = build_mean_above,
};
