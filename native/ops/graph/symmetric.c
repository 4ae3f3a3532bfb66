/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric matrices from touch matrices, which have entries only on one side of the diagonal. */
#include "label_graph.h"

#include "../labels/labels.h"

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
    plan_return(p, "destination",
                CALL(p, "add_images_weighted", plan_type(p, "destination"), matrix, turned, NUMBER(0.5), NUMBER(0.5)));
}

#define SYMMETRIC(name_, function, words_)                                                                             \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .numeric = DRUA_EXACT, .build = function,                                 \
        .source = "the matrix combined with its transpose",                                                            \
        .summary = "Makes a matrix symmetric: each entry becomes the " words_                                          \
                   " of itself and the entry across the diagonal.",                                                    \
        DRUA_PARAMS(DRUA_IMAGE_IN("matrix", "square matrix"), DRUA_IMAGE_OUT("destination", "symmetric matrix"))       \
    }

DRUA_OP(symmetric_maximum_matrix) = SYMMETRIC(symmetric_maximum_matrix, build_maximum, "larger");
DRUA_OP(symmetric_minimum_matrix) = SYMMETRIC(symmetric_minimum_matrix, build_minimum, "smaller");
DRUA_OP(symmetric_sum_matrix) = SYMMETRIC(symmetric_sum_matrix, build_sum, "sum");
DRUA_OP(symmetric_mean_matrix) = SYMMETRIC(symmetric_mean_matrix, build_mean, "mean");

/* ---- shares of a label's outline that touch each of the other labels */

/* Returns the grid for kernels that compute one number from each row of a symmetric matrix. */
static drua_grid grid_of_rows(drua_plan *p, drua_view sides)
{
    const int64_t lanes = plan_device(p)->is_gpu ? 256 : 1;
    return GRID(sides.layout.width * lanes, 1, 1, lanes, 1, 1);
}

static drua_view of_rows(drua_plan *p, const char *kernel, drua_view sides)
{
    drua_view made = graph_vector(p, (uint32_t)sides.layout.width - 1);
    LAUNCH(p, kernel, grid_of_rows(p, sides), POINTER(sides), INT(sides.layout.width), POINTER(made));
    return made;
}

drua_view graph_row_sums(drua_plan *p, drua_view sides)
{
    return of_rows(p, "row_sums", sides);
}

/* Returns the median of the entries of each row, each divided by the row's sum. */
static drua_view median_shares(drua_plan *p, drua_view sides)
{
    return of_rows(p, "median_shares", sides);
}

static drua_view sides_of_labels(drua_plan *p)
{
    return graph_touch_sides(p, plan_image(p, "labels"), (uint32_t)plan_largest_label(p, "labels"));
}

static void launch_portion(drua_plan *p)
{
    drua_view sides = sides_of_labels(p), sums = graph_row_sums(p, sides), out = plan_image(p, "destination");
    LAUNCH(p, "column_shares", plan_grid(out.layout), POINTER(sides), POINTER(sums), INT(sides.layout.width), ARG(out));
}

static void square_of_labels(drua_plan *p, drua_shape *shape)
{
    int64_t labels = plan_largest_label(p, "labels") + 1;
    *shape = (drua_shape){labels, labels, 1, 2};
}

DRUA_OP(generate_touch_portion_matrix) = {
    .name = "generate_touch_portion_matrix",
    .category = "graph",
    .summary =
        "Measures the share of each label's outline that touches each of the other labels: one column per label; "
        "each column adds up to 1.",
    .source = "generateTouchCountMatrix on both sides of the diagonal, divided by the sums of its columns",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "shares; row and column 0 are the background's",
                               .shape = square_of_labels, .type = DRUA_FLOAT32)),
    .numeric = DRUA_EXACT,
    .launch = launch_portion,
};

/* Paints all labels and the background. */
static void paint_all(drua_plan *p, drua_view numbers)
{
    for (drua_tiles t = {.inputs = {plan_image(p, "labels")}, .output = "destination"}; plan_next_tile(p, &t);) {
        const bool vec4 = labels_are_vec4(t.from[0], t.to);
        const drua_grid grid = vec4 ? labels_march_grid(t.to.layout, 1) : plan_grid(t.to.layout);
        LAUNCH(p, vec4 ? "replace_intensities_vec4" : "replace_intensities", plan_tile_grid(grid, &t), ARG(t.from[0]),
               ARG(numbers), ARG(t.to));
    }
}

static void launch_median_portion(drua_plan *p)
{
    paint_all(p, median_shares(p, sides_of_labels(p)));
}

static void paint_shares(drua_plan *p, int first, double min, bool mean)
{
    drua_view sides = sides_of_labels(p), numbers = graph_vector(p, (uint32_t)sides.layout.width - 1);
    LAUNCH(p, "count_shares", grid_of_rows(p, sides), POINTER(sides), INT(sides.layout.width), POINTER(numbers),
           INT(first), REAL(min), INT(mean));
    paint_all(p, numbers);
}

static void launch_mean_portion(drua_plan *p)
{
    paint_shares(p, 0, 0, true);
}
static void launch_count_portions(drua_plan *p)
{
    paint_shares(p, 1, plan_number(p, "minimum_touch_portion"), false);
}

DRUA_OP(median_touch_portion_map) = {
    .name = "median_touch_portion_map",
    .category = "graph",
    .summary =
        "Paints every label, and the background, with the median share of its outline that touches another label.",
    .source = "generateTouchPortionMatrix; shares of 0 do not count",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "map of the medians", .type = DRUA_FLOAT32, .by_tiles = true)),
    DRUA_ALIASES("CLIJx medianTouchPortionMap: labels, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_median_portion,
};

DRUA_OP(local_mean_touch_portion_map) = {
    .name = "local_mean_touch_portion_map",
    .category = "graph",
    .summary = "Paints every label, and the background, with the mean share of its outline that touches another label.",
    .source = "generateTouchPortionMatrix; shares of 0 do not count",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "map of the means", .type = DRUA_FLOAT32, .by_tiles = true)),
    DRUA_ALIASES("CLIJx localMeanTouchPortionMap: labels, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_mean_portion,
};

DRUA_OP(neighbor_count_with_touch_portion_above_threshold_map) = {
    .name = "neighbor_count_with_touch_portion_above_threshold_map",
    .category = "graph",
    .summary = "Paints every label with the number of labels that touch at least a share of its outline; the "
               "background does not count.",
    .source = "generateTouchPortionMatrix; entries that reach the share are counted",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("labels", "label map"),
        DRUA_IMAGE_OUT("destination", "map of the numbers; background is 0", .type = DRUA_FLOAT32, .by_tiles = true),
        DRUA_NUMBER("minimum_touch_portion", "smallest share of the outline", DRUA_RANGE(0, 1), .default_value = 0.1)),
    DRUA_ALIASES("CLIJx neighborCountWithTouchPortionAboveThresholdMap: labels, &destination, minimum_touch_portion"),
    .numeric = DRUA_EXACT,
    .launch = launch_count_portions,
};
