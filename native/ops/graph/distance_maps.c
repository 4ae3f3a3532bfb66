/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps in which each label is painted with the number of its neighbours, or with a distance to them. */
#include "label_graph.h"

static void paint_labels(drua_plan *p, const char *labels, drua_view vector)
{
    graph_paint(p, plan_image(p, labels), vector);
}

static drua_view neighbor_counts(drua_plan *p, drua_graph graph, uint32_t largest)
{
    drua_view number = graph_vector(p, largest);
    graph_statistic(p, graph_mirror(p, graph), graph.bits, NEIGHBOR_COUNT, number);
    return number;
}

static drua_view label_centroids(drua_plan *p, const char *labels)
{
    return graph_centroids(p, plan_image(p, labels), (uint32_t)plan_largest_label(p, labels));
}

static void plan_proximal_count(drua_plan *p)
{
    drua_graph graph = graph_of_proximal(p, label_centroids(p, "source"), plan_number(p, "minimum_distance"),
                                         plan_number(p, "maximum_distance"));
    paint_labels(p, "source", neighbor_counts(p, graph, (uint32_t)plan_largest_label(p, "source")));
}

static void plan_count_in_other_map(drua_plan *p)
{
    const bool gpu = plan_device(p)->is_gpu;
    drua_view number = graph_vector(p, (uint32_t)plan_largest_label(p, "labels1"));
    LAUNCH(p, "proximal_counts", GRID(number.layout.width, gpu ? 8 : 1, 1, gpu ? 32 : 64, gpu ? 8 : 1, 1),
           ARG(label_centroids(p, "labels1")), ARG(label_centroids(p, "labels2")),
           REAL(plan_number(p, "minimum_distance")), REAL(plan_number(p, "maximum_distance")), ARG(number));
    paint_labels(p, "labels1", number);
}

static drua_view touching_distances(drua_plan *p, int statistic)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "source");
    drua_graph graph = graph_mirror(p, graph_of_touching(p, plan_image(p, "source"), largest, 1));
    drua_view distance = graph_vector(p, largest);
    graph_distances(p, graph, label_centroids(p, "source"), true, statistic, distance);
    return distance;
}

/* ---- values of a label's own neighbours; a label without neighbours has 0 */

static drua_view mean_distances(drua_plan *p)
{
    return touching_distances(p, NEIGHBOR_MEAN);
}

static drua_view touching_counts(drua_plan *p)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "source");
    return neighbor_counts(p, graph_of_touching(p, plan_image(p, "source"), largest, 1), largest);
}

static drua_view nearest_distances(drua_plan *p)
{
    drua_view distance = graph_vector(p, (uint32_t)plan_largest_label(p, "source"));
    drua_nearest list = graph_nearest(p, label_centroids(p, "source"), true, plan_integer(p, "n"),
                                      NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND);
    graph_nearest_mean(p, list, distance);
    return distance;
}

static void plan_touching_count(drua_plan *p)
{
    paint_labels(p, "source", touching_counts(p));
}
static void plan_mean_distance(drua_plan *p)
{
    paint_labels(p, "source", mean_distances(p));
}
static void plan_minimum_distance(drua_plan *p)
{
    paint_labels(p, "source", touching_distances(p, NEIGHBOR_MINIMUM));
}
static void plan_maximum_distance(drua_plan *p)
{
    paint_labels(p, "source", touching_distances(p, NEIGHBOR_MAXIMUM));
}
static void plan_nearest_distance(drua_plan *p)
{
    paint_labels(p, "source", nearest_distances(p));
}

/* ---- statistics of these values among touching labels */

static void paint_statistic_of_touching(drua_plan *p, drua_view values, int statistic)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "source");
    drua_view statistics = graph_vector(p, largest);
    graph_statistic(p, graph_mirror(p, graph_of_touching(p, plan_image(p, "source"), largest, 1)), values, statistic,
                    statistics);
    paint_labels(p, "source", statistics);
}

static void plan_local_mean_nearest_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, nearest_distances(p), NEIGHBOR_MEAN);
}
static void plan_local_median_nearest_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, nearest_distances(p), NEIGHBOR_MEDIAN);
}
static void plan_local_minimum_nearest_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, nearest_distances(p), NEIGHBOR_MINIMUM);
}
static void plan_local_maximum_nearest_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, nearest_distances(p), NEIGHBOR_MAXIMUM);
}
static void plan_local_standard_deviation_nearest_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, nearest_distances(p), NEIGHBOR_DEVIATION);
}
static void plan_local_mean_mean_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, mean_distances(p), NEIGHBOR_MEAN);
}
static void plan_local_median_mean_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, mean_distances(p), NEIGHBOR_MEDIAN);
}
static void plan_local_minimum_mean_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, mean_distances(p), NEIGHBOR_MINIMUM);
}
static void plan_local_maximum_mean_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, mean_distances(p), NEIGHBOR_MAXIMUM);
}
static void plan_local_standard_deviation_mean_distances(drua_plan *p)
{
    paint_statistic_of_touching(p, mean_distances(p), NEIGHBOR_DEVIATION);
}
static void plan_local_mean_touching_counts(drua_plan *p)
{
    paint_statistic_of_touching(p, touching_counts(p), NEIGHBOR_MEAN);
}
static void plan_local_median_touching_counts(drua_plan *p)
{
    paint_statistic_of_touching(p, touching_counts(p), NEIGHBOR_MEDIAN);
}
static void plan_local_minimum_touching_counts(drua_plan *p)
{
    paint_statistic_of_touching(p, touching_counts(p), NEIGHBOR_MINIMUM);
}
static void plan_local_maximum_touching_counts(drua_plan *p)
{
    paint_statistic_of_touching(p, touching_counts(p), NEIGHBOR_MAXIMUM);
}
static void plan_local_standard_deviation_touching_counts(drua_plan *p)
{
    paint_statistic_of_touching(p, touching_counts(p), NEIGHBOR_DEVIATION);
}

#define RESULT DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32, .by_tiles = true)
#define LABELS DRUA_IMAGE_IN("source", "label map"), RESULT
#define RANGE                                                                                                          \
    DRUA_NUMBER("minimum_distance", "smallest distance between centroids", .unit = "pixel", .default_value = 0),       \
        DRUA_NUMBER("maximum_distance", "largest distance between centroids", .example = 40, .unit = "pixel",          \
                    .default_value = 10)
#define NEAREST DRUA_INTEGER("n", "number of nearest labels", DRUA_RANGE(1, 2147483647), .default_value = 1)
#define SOURCE "labels touch where pixels share a side; distances are Euclidean, between centroids"
#define MAP(name_, plan_, numeric_, summary_, params_, ...)                                                            \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }

DRUA_OP(touching_neighbor_count_map) = MAP(touching_neighbor_count_map, plan_touching_count, DRUA_EXACT,
                                           "Paints every label with the number of labels that touch it.",
                                           DRUA_IN_MENU(DRUA_PARAMS(LABELS)),
                                           "CLIJ2/CLIJx touchingNeighborCountMap: source, &destination");
DRUA_OP(proximal_neighbor_count_map) =
    MAP(proximal_neighbor_count_map, plan_proximal_count, DRUA_DEVICE,
        "Paints every label with the number of labels that are near it.", DRUA_PARAMS(LABELS, RANGE),
        "CLIJ2/CLIJx proximalNeighborCountMap: source, &destination, minimum_distance, maximum_distance");
DRUA_OP(label_proximal_neighbor_count_map) = MAP(
    label_proximal_neighbor_count_map, plan_count_in_other_map, DRUA_DEVICE,
    "Paints every label with the number of labels of another map that are near it.",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels1", "label map to paint"),
                DRUA_IMAGE_IN("labels2", "label map whose labels are counted"), RESULT, RANGE),
    "CLIJ2/CLIJx labelProximalNeighborCountMap: labels1, labels2, &destination, minimum_distance, maximum_distance");
DRUA_OP(average_neighbor_distance_map) = MAP(average_neighbor_distance_map, plan_mean_distance, DRUA_DEVICE,
                                             "Paints every label with its mean distance to the labels that touch it.",
                                             DRUA_PARAMS(LABELS),
                                             "CLIJ2/CLIJx averageNeighborDistanceMap: source, &destination");
DRUA_OP(minimum_touching_neighbor_distance_map) =
    MAP(minimum_touching_neighbor_distance_map, plan_minimum_distance, DRUA_DEVICE,
        "Paints every label with its smallest distance to a label that touches it.", DRUA_PARAMS(LABELS),
        "CLIJ2 minimumTouchingNeighborDistanceMap: source, &destination",
        "CLIJx minimumNeighborDistanceMap: source, &destination");
DRUA_OP(maximum_touching_neighbor_distance_map) =
    MAP(maximum_touching_neighbor_distance_map, plan_maximum_distance, DRUA_DEVICE,
        "Paints every label with its largest distance to a label that touches it.", DRUA_PARAMS(LABELS),
        "CLIJ2 maximumTouchingNeighborDistanceMap: source, &destination",
        "CLIJx maximumNeighborDistanceMap: source, &destination");
DRUA_OP(average_distance_of_n_closest_neighbors_map) =
    MAP(average_distance_of_n_closest_neighbors_map, plan_nearest_distance, DRUA_DEVICE,
        "Paints every label with its mean distance to the n nearest labels.", DRUA_PARAMS(LABELS, NEAREST),
        "CLIJ2/CLIJx averageDistanceOfNClosestNeighborsMap: source, &destination, n");

DRUA_OP(local_mean_average_distance_of_n_closest_neighbors_map) =
    MAP(local_mean_average_distance_of_n_closest_neighbors_map, plan_local_mean_nearest_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to its n nearest labels. Paints every label with the mean of these "
        "values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS, NEAREST), "CLIJx localMeanAverageDistanceOfNClosestNeighborsMap: source, &destination, n");
DRUA_OP(local_median_average_distance_of_n_closest_neighbors_map) = MAP(
    local_median_average_distance_of_n_closest_neighbors_map, plan_local_median_nearest_distances, DRUA_DEVICE,
    "Takes the mean distance of each label to its n nearest labels. Paints every label with the upper median of "
    "these values over itself and the labels that touch it.",
    DRUA_PARAMS(LABELS, NEAREST), "CLIJx localMedianAverageDistanceOfNClosestNeighborsMap: source, &destination, n");
DRUA_OP(local_minimum_average_distance_of_n_closest_neighbors_map) = MAP(
    local_minimum_average_distance_of_n_closest_neighbors_map, plan_local_minimum_nearest_distances, DRUA_DEVICE,
    "Takes the mean distance of each label to its n nearest labels. Paints every label with the minimum of these "
    "values over itself and the labels that touch it.",
    DRUA_PARAMS(LABELS, NEAREST), "CLIJx localMinimumAverageDistanceOfNClosestNeighborsMap: source, &destination, n");
DRUA_OP(local_maximum_average_distance_of_n_closest_neighbors_map) = MAP(
    local_maximum_average_distance_of_n_closest_neighbors_map, plan_local_maximum_nearest_distances, DRUA_DEVICE,
    "Takes the mean distance of each label to its n nearest labels. Paints every label with the maximum of these "
    "values over itself and the labels that touch it.",
    DRUA_PARAMS(LABELS, NEAREST), "CLIJx localMaximumAverageDistanceOfNClosestNeighborsMap: source, &destination, n");
DRUA_OP(local_standard_deviation_average_distance_of_n_closest_neighbors_map) =
    MAP(local_standard_deviation_average_distance_of_n_closest_neighbors_map,
        plan_local_standard_deviation_nearest_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to its n nearest labels. Paints every label with the standard "
        "deviation of these values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS, NEAREST),
        "CLIJx localStandardDeviationAverageDistanceOfNClosestNeighborsMap: source, &destination, n");
DRUA_OP(local_mean_average_neighbor_distance_map) =
    MAP(local_mean_average_neighbor_distance_map, plan_local_mean_mean_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to the labels that it touches. Paints every label with the mean of "
        "these values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMeanAverageNeighborDistanceMap: source, &destination");
DRUA_OP(local_median_average_neighbor_distance_map) =
    MAP(local_median_average_neighbor_distance_map, plan_local_median_mean_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to the labels that it touches. Paints every label with the upper "
        "median of these values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMedianAverageNeighborDistanceMap: source, &destination");
DRUA_OP(local_minimum_average_neighbor_distance_map) =
    MAP(local_minimum_average_neighbor_distance_map, plan_local_minimum_mean_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to the labels that it touches. Paints every label with the minimum "
        "of these values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMinimumAverageNeighborDistanceMap: source, &destination");
DRUA_OP(local_maximum_average_neighbor_distance_map) =
    MAP(local_maximum_average_neighbor_distance_map, plan_local_maximum_mean_distances, DRUA_DEVICE,
        "Takes the mean distance of each label to the labels that it touches. Paints every label with the maximum "
        "of these values over itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMaximumAverageNeighborDistanceMap: source, &destination");
DRUA_OP(local_standard_deviation_average_neighbor_distance_map) = MAP(
    local_standard_deviation_average_neighbor_distance_map, plan_local_standard_deviation_mean_distances, DRUA_DEVICE,
    "Takes the mean distance of each label to the labels that it touches. Paints every label with the standard "
    "deviation of these values over itself and the labels that touch it.",
    DRUA_PARAMS(LABELS), "CLIJx localStandardDeviationAverageNeighborDistanceMap: source, &destination");
DRUA_OP(local_mean_touching_neighbor_count_map) =
    MAP(local_mean_touching_neighbor_count_map, plan_local_mean_touching_counts, DRUA_DEVICE,
        "Counts the labels that each label touches. Paints every label with the mean of these numbers over itself "
        "and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMeanTouchingNeighborCountMap: source, &destination");
DRUA_OP(local_median_touching_neighbor_count_map) =
    MAP(local_median_touching_neighbor_count_map, plan_local_median_touching_counts, DRUA_DEVICE,
        "Counts the labels that each label touches. Paints every label with the upper median of these numbers over "
        "itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMedianTouchingNeighborCountMap: source, &destination");
DRUA_OP(local_minimum_touching_neighbor_count_map) =
    MAP(local_minimum_touching_neighbor_count_map, plan_local_minimum_touching_counts, DRUA_DEVICE,
        "Counts the labels that each label touches. Paints every label with the minimum of these numbers over "
        "itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMinimumTouchingNeighborCountMap: source, &destination");
DRUA_OP(local_maximum_touching_neighbor_count_map) =
    MAP(local_maximum_touching_neighbor_count_map, plan_local_maximum_touching_counts, DRUA_DEVICE,
        "Counts the labels that each label touches. Paints every label with the maximum of these numbers over "
        "itself and the labels that touch it.",
        DRUA_PARAMS(LABELS), "CLIJx localMaximumTouchingNeighborCountMap: source, &destination");
DRUA_OP(local_standard_deviation_touching_neighbor_count_map) = MAP(
    local_standard_deviation_touching_neighbor_count_map, plan_local_standard_deviation_touching_counts, DRUA_DEVICE,
    "Counts the labels that each label touches. Paints every label with the standard deviation of these numbers "
    "over itself and the labels that touch it.",
    DRUA_PARAMS(LABELS), "CLIJx localStandardDeviationTouchingNeighborCountMap: source, &destination");
