/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices and what lies across the diagonal: touch matrices have their entries on one side only. */
#include "plan.h"

static void both_sides(drua_plan *p, const char *operation)
{
    drua_operand matrix = plan_operand(p, "matrix"), turned = CALL(p, "transpose_xy", DRUA_NO_TYPE, matrix);
    plan_return(p, "destination", CALL(p, operation, plan_type(p, "destination"), matrix, turned));
}

static void build_maximum(drua_plan *p) { both_sides(p, "maximum_images"); }
static void build_minimum(drua_plan *p) { both_sides(p, "minimum_images"); }
static void build_sum(drua_plan *p) { both_sides(p, "add_images"); }

static void build_mean(drua_plan *p)
{
    drua_operand matrix = plan_operand(p, "matrix"), turned = CALL(p, "transpose_xy", DRUA_NO_TYPE, matrix);
    plan_return(p, "destination", CALL(p, "add_images_weighted", plan_type(p, "destination"), matrix, turned, NUMBER(0.5), NUMBER(0.5)));
}

#define SYMMETRIC(name_, function, words_)                                                                                       \
    const drua_op drua_op_##name_ = {                                                                                            \
        .name = #name_, .category = "graph", .numeric = DRUA_EXACT, .build = function, .source = "the matrix and the matrix turned over", \
        .summary = "Makes a matrix symmetric: each entry becomes the " words_ " of itself and the one across the diagonal.",     \
        DRUA_PARAMS(DRUA_IMAGE_IN("matrix", "square matrix"), DRUA_IMAGE_OUT("destination", "symmetric matrix"))};

SYMMETRIC(symmetric_maximum_matrix, build_maximum, "larger")
SYMMETRIC(symmetric_minimum_matrix, build_minimum, "smaller")
SYMMETRIC(symmetric_sum_matrix, build_sum, "sum")
SYMMETRIC(symmetric_mean_matrix, build_mean, "mean")

static void build_portion(drua_plan *p)
{
    drua_operand counts = CALL(p, "generate_touch_count_matrix", DRUA_FLOAT32, plan_operand(p, "labels"));
    drua_operand both = CALL(p, "symmetric_maximum_matrix", DRUA_FLOAT32, counts), sums = CALL(p, "sum_y_projection", DRUA_FLOAT32, both);
    drua_operand shares = CALL(p, "divide_images", DRUA_FLOAT32, both, sums);
    plan_return(p, "destination", CALL(p, "undefined_to_zero", plan_type(p, "destination"), shares));
}

static void square_of_labels(drua_plan *p, drua_shape *shape)
{
    int64_t labels = plan_largest_label(p, "labels") + 1;
    *shape = (drua_shape){labels, labels, 1, 2};
}

const drua_op drua_op_generate_touch_portion_matrix = {
    .name = "generate_touch_portion_matrix",
    .category = "graph",
    .summary = "Measures which share of a label's outline touches each other label: a column for each label, which adds up to 1.",
    .source = "generateTouchCountMatrix on both sides of the diagonal, divided by the sums of its columns",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "shares; row and column 0 are the background's", .shape = square_of_labels, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .build = build_portion,
};

static void build_median_portion(drua_plan *p)
{
    drua_operand labels = plan_operand(p, "labels"), shares = CALL(p, "generate_touch_portion_matrix", DRUA_FLOAT32, labels);
    drua_operand columns = CALL(p, "transpose_yz", DRUA_NO_TYPE, shares);
    drua_operand medians = CALL(p, "median_z_projection_of_nonzero", DRUA_FLOAT32, columns);
    plan_return(p, "destination", CALL(p, "replace_intensities", plan_type(p, "destination"), labels, medians));
}

const drua_op drua_op_median_touch_portion_map = {
    .name = "median_touch_portion_map",
    .category = "graph",
    .summary = "Paints every label, and the background, with the median of the shares of its outline that touch each of the others.",
    .source = "generateTouchPortionMatrix; shares of 0 do not count",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"), DRUA_IMAGE_OUT("destination", "map of the medians", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx medianTouchPortionMap: labels, &destination"),
    .numeric = DRUA_EXACT,
    .build = build_median_portion,
};
