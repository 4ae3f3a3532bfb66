/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors with one value for each label, computed from touch matrices and other vectors. */
#include "label_graph.h"

static drua_graph of_touch_matrix(drua_plan *p)
{
    return graph_mirror(p, graph_of_matrix(p, plan_image(p, "touch_matrix")));
}

static void set_statistic(drua_plan *p, const char *values, int which)
{
    graph_statistic(p, of_touch_matrix(p), plan_image(p, values), which, plan_image(p, "destination"));
}

static void set_distances(drua_plan *p, int which)
{
    graph_distances(p, of_touch_matrix(p), plan_image(p, "distance_matrix"), false, which,
                    plan_image(p, "destination"));
}

static void plan_count(drua_plan *p)
{
    set_statistic(p, "touch_matrix", NEIGHBOR_COUNT);
}
static void plan_mean(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_MEAN);
}
static void plan_minimum(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_MINIMUM);
}
static void plan_maximum(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_MAXIMUM);
}
static void plan_median(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_MEDIAN);
}
static void plan_mode(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_MODE);
}
static void plan_deviation(drua_plan *p)
{
    set_statistic(p, "values", NEIGHBOR_DEVIATION);
}
static void plan_mean_distance(drua_plan *p)
{
    set_distances(p, NEIGHBOR_MEAN);
}
static void plan_minimum_distance(drua_plan *p)
{
    set_distances(p, NEIGHBOR_MINIMUM);
}
static void plan_maximum_distance(drua_plan *p)
{
    set_distances(p, NEIGHBOR_MAXIMUM);
}

#define TOUCH_MATRIX DRUA_IMAGE_IN("touch_matrix", "touch matrix; entries above 0 left of the diagonal are touches")
#define RESULT GRAPH_VECTOR("destination", "vector: one value for each label, the first for background")
#define SOURCE "statistics along the rows and columns of a touch matrix"
#define VECTOR(name_, plan_, numeric_, summary_, params_, ...)                                                         \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }
#define VALUES                                                                                                         \
    DRUA_PARAMS(DRUA_IMAGE_IN("values", "vector: one value for each label, the first for background"), TOUCH_MATRIX,   \
                RESULT)
#define DISTANCES                                                                                                      \
    DRUA_PARAMS(DRUA_IMAGE_IN("distance_matrix", "distances of labels, the background first"), TOUCH_MATRIX, RESULT)

DRUA_OP(count_touching_neighbors) =
    VECTOR(count_touching_neighbors, plan_count, DRUA_EXACT,
           "Counts the labels that each label touches; the background counts if its column has touches.",
           DRUA_PARAMS(TOUCH_MATRIX, RESULT), "CLIJ2/CLIJx countTouchingNeighbors: touch_matrix, &destination");
DRUA_OP(mean_of_touching_neighbors) = VECTOR(mean_of_touching_neighbors, plan_mean, DRUA_DEVICE,
                                             "Takes the mean value of each label and the labels that it touches.",
                                             VALUES,
                                             "CLIJ2 meanOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(minimum_of_touching_neighbors) =
    VECTOR(minimum_of_touching_neighbors, plan_minimum, DRUA_EXACT,
           "Takes the smallest value of each label and the labels that it touches.", VALUES,
           "CLIJ2 minimumOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(maximum_of_touching_neighbors) = VECTOR(maximum_of_touching_neighbors, plan_maximum, DRUA_EXACT,
                                                "Takes the largest value of each label and the labels that it touches.",
                                                VALUES,
                                                "CLIJ2 maximumOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(median_of_touching_neighbors) =
    VECTOR(median_of_touching_neighbors, plan_median, DRUA_EXACT,
           "Takes the upper median of the values of each label and the labels that it touches.", VALUES,
           "CLIJ2 medianOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(mode_of_touching_neighbors) = VECTOR(
    mode_of_touching_neighbors, plan_mode, DRUA_EXACT,
    "Takes the most frequent integer value, 0 to 255, of the labels that each label touches; in a tie, the smallest "
    "value.",
    VALUES, "CLIJ2/CLIJx modeOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(standard_deviation_of_touching_neighbors) =
    VECTOR(standard_deviation_of_touching_neighbors, plan_deviation, DRUA_DEVICE,
           "Measures how the values of each label and the labels that it touches scatter: for n values, sqrt(sum of "
           "squared deviations / (2 n - 1)).",
           VALUES, "CLIJ2 standardDeviationOfTouchingNeighbors: values, touch_matrix, &destination");
DRUA_OP(average_distance_of_touching_neighbors) =
    VECTOR(average_distance_of_touching_neighbors, plan_mean_distance, DRUA_DEVICE,
           "Takes the mean distance of each label to the labels that it touches.", DISTANCES,
           "CLIJ2/CLIJx averageDistanceOfTouchingNeighbors: distance_matrix, touch_matrix, &destination");
DRUA_OP(minimum_distance_of_touching_neighbors) =
    VECTOR(minimum_distance_of_touching_neighbors, plan_minimum_distance, DRUA_EXACT,
           "Takes the smallest distance of each label to the labels that it touches.", DISTANCES,
           "CLIJ2/CLIJx minimumDistanceOfTouchingNeighbors: distance_matrix, touch_matrix, &destination");
DRUA_OP(maximum_distance_of_touching_neighbors) =
    VECTOR(maximum_distance_of_touching_neighbors, plan_maximum_distance, DRUA_EXACT,
           "Takes the largest distance of each label to the labels that it touches.", DISTANCES,
           "CLIJ2/CLIJx maximumDistanceOfTouchingNeighbors: distance_matrix, touch_matrix, &destination");
