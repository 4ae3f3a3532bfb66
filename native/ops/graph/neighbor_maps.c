/* SPDX-License-Identifier: BSD-3-Clause */
/* Label maps painted with a statistic of the values of each label's neighbours. */
#include "label_graph.h"

static void paint_statistic(drua_plan *p, drua_graph graph, uint32_t largest, int statistic)
{
    drua_view labels = plan_image(p, "labels"), values = graph_values(p, labels, plan_image(p, "map"), largest);
    drua_view made = graph_vector(p, largest);
    graph_statistic(p, graph, values, statistic, made);
    graph_paint(p, labels, made);
}

/* Each increase of the radius squares the graph, as in CLIJ2: it joins labels two edges apart, then four. */
static void paint_touching(drua_plan *p, int statistic)
{
    int64_t radius = plan_integer(p, "radius");
    if (radius < 1) {
        for (drua_tiles t = {.inputs = {plan_image(p, "map")}, .output = "destination"}; plan_next_tile(p, &t);)
            LAUNCH(p, "copy_window", plan_tile_grid(plan_grid(t.to.layout), &t), ARG(t.from[0]), ARG(t.to), INT(0),
                   INT(0), INT(0));
        return;
    }
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels");
    drua_graph graph =
        graph_mirror(p, graph_of_touching(p, plan_image(p, "labels"), largest, plan_flag(p, "ignore_background")));
    for (int64_t i = 1; i < radius && i < 32; i++)
        graph = graph_two_steps(p, graph);
    paint_statistic(p, graph, largest, statistic);
}

static void paint_proximal(drua_plan *p, int statistic)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels");
    drua_view points = graph_centroids(p, plan_image(p, "labels"), largest);
    drua_graph graph =
        graph_of_proximal(p, points, plan_number(p, "minimum_distance"), plan_number(p, "maximum_distance"));
    paint_statistic(p, graph_mirror(p, graph), largest, statistic);
}

static void paint_nearest(drua_plan *p, int statistic)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels");
    drua_view points = graph_centroids(p, plan_image(p, "labels"), largest);
    drua_nearest list =
        graph_nearest(p, points, true, plan_integer(p, "n"), NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND);
    paint_statistic(p, graph_mirror(p, graph_of_nearest(p, list)), largest, statistic);
}

#define MAPS                                                                                                           \
    DRUA_IMAGE_IN("map", "map of the labels' values; the value at a label's last pixel is used"),                      \
        DRUA_IMAGE_IN("labels", "label map"),                                                                          \
        DRUA_IMAGE_OUT("destination", "map of the statistic; background is 0", .by_tiles = true)
#define TOUCHING                                                                                                       \
    DRUA_PARAMS(                                                                                                       \
        MAPS,                                                                                                          \
        DRUA_INTEGER("radius",                                                                                         \
                     "1: labels that touch; 2: labels up to 2 steps away; 3: up to 4, and so on; 0: the map itself",   \
                     DRUA_RANGE_ANY, .default_value = 1),                                                              \
        DRUA_BOOLEAN("ignore_background", "on: the background does not count as a neighbour", .default_value = 1))
#define PROXIMAL                                                                                                       \
    DRUA_PARAMS(                                                                                                       \
        MAPS,                                                                                                          \
        DRUA_NUMBER("minimum_distance", "smallest distance between centroids", .unit = "pixel", .default_value = 0),   \
        DRUA_NUMBER("maximum_distance", "largest distance between centroids", .example = 40, .unit = "pixel",          \
                    .default_value = 10))
#define NEAREST                                                                                                        \
    DRUA_PARAMS(MAPS, DRUA_INTEGER("n", "number of nearest labels; 0 counts as 1", DRUA_RANGE(0, 2147483647),          \
                                   .default_value = 1))

#define SOURCE                                                                                                         \
    "statistics over the neighbours of each label; labels touch where pixels share a side, distances are those of "    \
    "centroids"
#define MAP(name_, plan_, numeric_, summary_, params_, ...)                                                            \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }
#define PLANS(STATISTIC, which)                                                                                        \
    static void plan_touching_##which(drua_plan *p)                                                                    \
    {                                                                                                                  \
        paint_touching(p, STATISTIC);                                                                                  \
    }                                                                                                                  \
    static void plan_proximal_##which(drua_plan *p)                                                                    \
    {                                                                                                                  \
        paint_proximal(p, STATISTIC);                                                                                  \
    }                                                                                                                  \
    static void plan_nearest_##which(drua_plan *p)                                                                     \
    {                                                                                                                  \
        paint_nearest(p, STATISTIC);                                                                                   \
    }
PLANS(NEIGHBOR_MEAN, mean)
PLANS(NEIGHBOR_MINIMUM, minimum)
PLANS(NEIGHBOR_MAXIMUM, maximum)
PLANS(NEIGHBOR_MODE, mode)
PLANS(NEIGHBOR_MEDIAN, median)
PLANS(NEIGHBOR_DEVIATION, deviation)

DRUA_OP(mean_of_touching_neighbors_map) =
    MAP(mean_of_touching_neighbors_map, plan_touching_mean, DRUA_DEVICE,
        "Paints every label with the mean value of the label itself and the labels that touch it.", TOUCHING,
        "CLIJ2/CLIJx meanOfTouchingNeighborsMap: map, labels, &destination, radius, ignore_background");
DRUA_OP(minimum_of_touching_neighbors_map) =
    MAP(minimum_of_touching_neighbors_map, plan_touching_minimum, DRUA_EXACT,
        "Paints every label with the smallest value of the label itself and the labels that touch it.", TOUCHING,
        "CLIJ2/CLIJx minimumOfTouchingNeighborsMap: map, labels, &destination, radius, ignore_background");
DRUA_OP(maximum_of_touching_neighbors_map) =
    MAP(maximum_of_touching_neighbors_map, plan_touching_maximum, DRUA_EXACT,
        "Paints every label with the largest value of the label itself and the labels that touch it.", TOUCHING,
        "CLIJ2/CLIJx maximumOfTouchingNeighborsMap: map, labels, &destination, radius, ignore_background");
DRUA_OP(mode_of_touching_neighbors_map) =
    MAP(mode_of_touching_neighbors_map, plan_touching_mode, DRUA_EXACT,
        "Paints every label with the most frequent integer value, 0 to 255, of the labels that touch it.", TOUCHING,
        "CLIJ2/CLIJx modeOfTouchingNeighborsMap: map, labels, &destination, radius, ignore_background");
DRUA_OP(standard_deviation_of_touching_neighbors_map) = MAP(
    standard_deviation_of_touching_neighbors_map, plan_touching_deviation, DRUA_DEVICE,
    "Paints every label with the standard deviation of the values of the label itself and the labels that touch it.",
    TOUCHING,
    "CLIJ2/CLIJx standardDeviationOfTouchingNeighborsMap: map, labels, &destination, radius, ignore_background");
DRUA_OP(mean_of_proximal_neighbors_map) =
    MAP(mean_of_proximal_neighbors_map, plan_proximal_mean, DRUA_DEVICE,
        "Paints every label with the mean value of the label itself and the labels that are near it.", PROXIMAL,
        "CLIJ2/CLIJx meanOfProximalNeighborsMap: map, labels, &destination, minimum_distance, maximum_distance");
DRUA_OP(minimum_of_proximal_neighbors_map) =
    MAP(minimum_of_proximal_neighbors_map, plan_proximal_minimum, DRUA_EXACT,
        "Paints every label with the smallest value of the label itself and the labels that are near it.", PROXIMAL,
        "CLIJ2/CLIJx minimumOfProximalNeighborsMap: map, labels, &destination, minimum_distance, maximum_distance");
DRUA_OP(maximum_of_proximal_neighbors_map) =
    MAP(maximum_of_proximal_neighbors_map, plan_proximal_maximum, DRUA_EXACT,
        "Paints every label with the largest value of the label itself and the labels that are near it.", PROXIMAL,
        "CLIJ2/CLIJx maximumOfProximalNeighborsMap: map, labels, &destination, minimum_distance, maximum_distance");
DRUA_OP(mode_of_proximal_neighbors_map) =
    MAP(mode_of_proximal_neighbors_map, plan_proximal_mode, DRUA_EXACT,
        "Paints every label with the most frequent integer value, 0 to 255, of the labels that are near it.", PROXIMAL,
        "CLIJ2/CLIJx modeOfProximalNeighborsMap: map, labels, &destination, minimum_distance, maximum_distance");
DRUA_OP(standard_deviation_of_proximal_neighbors_map) = MAP(
    standard_deviation_of_proximal_neighbors_map, plan_proximal_deviation, DRUA_DEVICE,
    "Paints every label with the standard deviation of the values of the label itself and the labels that are near it.",
    PROXIMAL,
    "CLIJ2/CLIJx standardDeviationOfProximalNeighborsMap: map, labels, &destination, minimum_distance, "
    "maximum_distance");
DRUA_OP(mean_of_n_nearest_neighbors_map) =
    MAP(mean_of_n_nearest_neighbors_map, plan_nearest_mean, DRUA_DEVICE,
        "Paints every label with the mean value of the label itself and the labels that are nearest to it.", NEAREST,
        "CLIJ2/CLIJx meanOfNNearestNeighborsMap: map, labels, &destination, n");
DRUA_OP(minimum_of_n_nearest_neighbors_map) =
    MAP(minimum_of_n_nearest_neighbors_map, plan_nearest_minimum, DRUA_EXACT,
        "Paints every label with the smallest value of the label itself and the labels that are nearest to it.",
        NEAREST, "CLIJ2/CLIJx minimumOfNNearestNeighborsMap: map, labels, &destination, n");
DRUA_OP(maximum_of_n_nearest_neighbors_map) =
    MAP(maximum_of_n_nearest_neighbors_map, plan_nearest_maximum, DRUA_EXACT,
        "Paints every label with the largest value of the label itself and the labels that are nearest to it.", NEAREST,
        "CLIJ2/CLIJx maximumOfNNearestNeighborsMap: map, labels, &destination, n");
DRUA_OP(mode_of_n_nearest_neighbors_map) =
    MAP(mode_of_n_nearest_neighbors_map, plan_nearest_mode, DRUA_EXACT,
        "Paints every label with the most frequent integer value, 0 to 255, of the labels that are nearest to it.",
        NEAREST, "CLIJ2/CLIJx modeOfNNearestNeighborsMap: map, labels, &destination, n");
DRUA_OP(standard_deviation_of_n_nearest_neighbors_map) = MAP(
    standard_deviation_of_n_nearest_neighbors_map, plan_nearest_deviation, DRUA_DEVICE,
    "Paints every label with the standard deviation of the values of the label itself and the labels that are nearest "
    "to it.",
    NEAREST, "CLIJ2/CLIJx standardDeviationOfNNearestNeighborsMap: map, labels, &destination, n");
DRUA_OP(median_of_touching_neighbors_map) =
    MAP(median_of_touching_neighbors_map, plan_touching_median, DRUA_EXACT,
        "Paints every label with the median value of the label itself and the labels that touch it.", TOUCHING, NULL);
DRUA_OP(median_of_proximal_neighbors_map) = MAP(
    median_of_proximal_neighbors_map, plan_proximal_median, DRUA_EXACT,
    "Paints every label with the median value of the label itself and the labels that are near it.", PROXIMAL, NULL);
DRUA_OP(median_of_n_nearest_neighbors_map) =
    MAP(median_of_n_nearest_neighbors_map, plan_nearest_median, DRUA_EXACT,
        "Paints every label with the median value of the label itself and the labels that are nearest to it.", NEAREST,
        NULL);
