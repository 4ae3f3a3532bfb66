/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations that write statistics of neighbours to the pixels of each label. */
#include "rows.h"

static void paint_neighbours(call *c, const reference_image *labels, reference_graph graph,
                             const reference_image *values, reference_statistic statistic)
{
    reference_image made = row_vector_of(labels);
    reference_neighbours(&graph, values, statistic, &made);
    reference_paint(labels, &made, OUT(0));
    reference_free(&made);
    reference_graph_free(&graph);
}

static void map(call *c, reference_graph graph, reference_statistic statistic)
{
    reference_image values = reference_values_of_labels(IN(1), IN(0));
    paint_neighbours(c, IN(1), graph, &values, statistic);
    reference_free(&values);
}

/* Each step of the radius above 1 adds the neighbours of neighbours. A radius below 1 copies the input. */
static void touching_map(call *c, reference_statistic statistic)
{
    if (N(0) < 1) {
        reference_copy(IN(0), OUT(0));
        return;
    }
    reference_graph graph = reference_graph_of_touching(IN(1), S(1) == 0);
    for (int64_t i = 1; i < N(0); i++)
        reference_graph_square(&graph);
    map(c, graph, statistic);
}

typedef void maker(call *c, reference_image *vector);

static void count_touching(call *c, reference_image *made)
{
    reference_graph graph = reference_graph_of_touching(IN(0), false);
    reference_neighbours(&graph, NULL, REFERENCE_COUNT, made);
    reference_graph_free(&graph);
}

static void touching_distance(call *c, reference_image *made, reference_statistic statistic)
{
    reference_image points = reference_centroids(IN(0), false), distances = reference_distances(&points, &points);
    reference_graph graph = reference_graph_of_touching(IN(0), false);
    reference_neighbour_distances(&graph, &distances, statistic, made);
    reference_graph_free(&graph);
    reference_free(&points);
    reference_free(&distances);
}

static void mean_distance(call *c, reference_image *made)
{
    touching_distance(c, made, REFERENCE_AVERAGE);
}

static void min_distance(call *c, reference_image *made)
{
    touching_distance(c, made, REFERENCE_SMALLEST);
}

static void largest_distance(call *c, reference_image *made)
{
    touching_distance(c, made, REFERENCE_LARGEST);
}

static void nearest_distance(call *c, reference_image *made)
{
    reference_image points = reference_centroids(IN(0), false), distances = reference_distances(&points, &points);
    reference_mean_of_nearest(&distances, N(0), 1, made);
    reference_free(&points);
    reference_free(&distances);
}

static void own(call *c, maker *make)
{
    reference_image made = row_vector_of(IN(0));
    make(c, &made);
    reference_paint(IN(0), &made, OUT(0));
    reference_free(&made);
}

/* Statistic over the labels that touch each label. */
static void local(call *c, maker *make, reference_statistic statistic)
{
    reference_image values = row_vector_of(IN(0));
    make(c, &values);
    paint_neighbours(c, IN(0), reference_graph_of_touching(IN(0), false), &values, statistic);
    reference_free(&values);
}

/* Labels of the second map near each label of the first. */
static void proximal_of_other(call *c)
{
    reference_image points = reference_centroids(IN(0), false), others = reference_centroids(IN(1), false);
    reference_image distances = reference_distances(&points, &others), counts = row_vector_of(IN(0));
    for (int64_t label = 1; label < counts.shape.width; label++)
        for (int64_t other = 1; other < distances.shape.height; other++) {
            const double distance = reference_at(&distances, label, other, 0);
            if (distance >= S(0) && distance <= S(1))
                reference_put(&counts, label, 0, 0, reference_at(&counts, label, 0, 0) + 1);
        }
    reference_paint(IN(0), &counts, OUT(0));
    reference_free(&points);
    reference_free(&others);
    reference_free(&distances);
    reference_free(&counts);
}

/* Labels of the second map that share a pixel with each label of the first. */
static void overlapping(call *c)
{
    reference_image columns = row_vector_of(IN(0)), rows = row_vector_of(IN(1));
    bool *share = reference_allocate((size_t)(columns.shape.width * rows.shape.width), sizeof *share);
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const int64_t a = (int64_t)reference_at(IN(0), x, y, z), b = (int64_t)reference_at(IN(1), x, y, z);
        bool *pair = &share[a * rows.shape.width + b];
        if (b > 0 && !*pair)
            reference_put(&columns, a, 0, 0, reference_at(&columns, a, 0, 0) + 1);
        *pair = true;
    }
    reference_paint(IN(0), &columns, OUT(0));
    free(share);
    reference_free(&columns);
    reference_free(&rows);
}

#define NEIGHBOURHOODS(name, statistic)                                                                                \
    static void run_##name##_of_touching(call *c) { touching_map(c, REFERENCE_##statistic); }                          \
    static void run_##name##_of_proximal(call *c)                                                                      \
    {                                                                                                                  \
        map(c, row_graph_of_proximal(IN(1), S(0), S(1)), REFERENCE_##statistic);                                       \
    }                                                                                                                  \
    static void run_##name##_of_nearest(call *c) { map(c, row_graph_of_nearest(IN(1), N(0)), REFERENCE_##statistic); }
#define NEIGHBOURHOOD_ROWS(name, contents)                                                                             \
    ROW(name##_of_touching_neighbors_map, contents, run_##name##_of_touching),                                         \
        ROW(name##_of_proximal_neighbors_map, contents, run_##name##_of_proximal),                                     \
        ROW(name##_of_n_nearest_neighbors_map, contents, run_##name##_of_nearest)

#define LOCAL_STATISTICS(name, statistic)                                                                              \
    static void run_local_##name##_of_nearest(call *c) { local(c, nearest_distance, REFERENCE_##statistic); }          \
    static void run_local_##name##_of_distances(call *c) { local(c, mean_distance, REFERENCE_##statistic); }           \
    static void run_local_##name##_of_counts(call *c) { local(c, count_touching, REFERENCE_##statistic); }
#define LOCAL_ROWS(name)                                                                                               \
    ROW(local_##name##_average_distance_of_n_closest_neighbors_map, "l", run_local_##name##_of_nearest),               \
        ROW(local_##name##_average_neighbor_distance_map, "l", run_local_##name##_of_distances),                       \
        ROW(local_##name##_touching_neighbor_count_map, "l", run_local_##name##_of_counts)

static void run_touching_neighbor_count_map(call *c) { own(c, count_touching); }
static void run_average_neighbor_distance_map(call *c) { own(c, mean_distance); }
static void run_minimum_touching_neighbor_distance_map(call *c)
{
    own(c, min_distance);
}
static void run_maximum_touching_neighbor_distance_map(call *c) { own(c, largest_distance); }
static void run_average_distance_of_n_closest_neighbors_map(call *c) { own(c, nearest_distance); }
static void run_proximal_neighbor_count_map(call *c)
{
    paint_neighbours(c, IN(0), row_graph_of_proximal(IN(0), S(0), S(1)), NULL, REFERENCE_COUNT);
}
LOCAL_STATISTICS(mean, AVERAGE)
LOCAL_STATISTICS(median, MEDIAN)
LOCAL_STATISTICS(minimum, SMALLEST)
LOCAL_STATISTICS(maximum, LARGEST)
LOCAL_STATISTICS(standard_deviation, SCATTER)
NEIGHBOURHOODS(mean, AVERAGE)
NEIGHBOURHOODS(minimum, SMALLEST)
NEIGHBOURHOODS(maximum, LARGEST)
NEIGHBOURHOODS(standard_deviation, SCATTER)
NEIGHBOURHOODS(mode, MODE)
NEIGHBOURHOODS(median, MEDIAN)

const call_row rows_maps[] = {
    ROW(touching_neighbor_count_map, "l", run_touching_neighbor_count_map),
    ROW(average_neighbor_distance_map, "l", run_average_neighbor_distance_map),
    ROW(minimum_touching_neighbor_distance_map, "l", run_minimum_touching_neighbor_distance_map),
    ROW(maximum_touching_neighbor_distance_map, "l", run_maximum_touching_neighbor_distance_map),
    ROW(average_distance_of_n_closest_neighbors_map, "l", run_average_distance_of_n_closest_neighbors_map),
    ROW(proximal_neighbor_count_map, "l", run_proximal_neighbor_count_map),
    ROW(label_proximal_neighbor_count_map, "l", proximal_of_other),
    ROW(label_overlap_count_map, "l", overlapping),
    LOCAL_ROWS(mean),
    LOCAL_ROWS(median),
    LOCAL_ROWS(minimum),
    LOCAL_ROWS(maximum),
    LOCAL_ROWS(standard_deviation),
    NEIGHBOURHOOD_ROWS(mean, "gl"),
    NEIGHBOURHOOD_ROWS(minimum, "gl"),
    NEIGHBOURHOOD_ROWS(maximum, "gl"),
    NEIGHBOURHOOD_ROWS(standard_deviation, "gl"),
    NEIGHBOURHOOD_ROWS(mode, "l"),
    NEIGHBOURHOOD_ROWS(median, "l"),
    {NULL, NULL, NULL, NULL},
};
