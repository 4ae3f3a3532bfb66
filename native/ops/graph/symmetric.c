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
