/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours, distances, matrices of labels, meshes. */
#include "rows.h"

/* Who is whose neighbour, by parameters of the call. Graphs are freed by whoever takes them. */

static reference_graph proximal(const reference_image *labels, double low, double high)
{
    reference_image points = reference_centroids(labels, false), distances = reference_distances(&points, &points);
    reference_graph graph = reference_graph_of_range(&distances, low, high);
    reference_free(&points);
    reference_free(&distances);
    return graph;
}

static reference_graph nearest(const reference_image *labels, int64_t n)
{
    reference_image points = reference_centroids(labels, false), distances = reference_distances(&points, &points);
    reference_graph graph = reference_graph_of_nearest(&distances, n);
    reference_free(&points);
    reference_free(&distances);
    return graph;
}

static reference_image vector_of(const reference_image *labels)
{
    return reference_make(DRUA_FLOAT32, reference_plane((int64_t)reference_reduce(labels, REFERENCE_MAXIMUM) + 1, 1));
}

/* ---- vectors and matrices */

static void vector(call *c, const reference_image *values, const reference_image *matrix, reference_statistic statistic)
{
    reference_graph graph = reference_graph_of_matrix(matrix);
    reference_neighbours(&graph, values, statistic, OUT(0));
    reference_graph_free(&graph);
}

static void distance_vector(call *c, reference_statistic statistic)
{
    reference_graph graph = reference_graph_of_matrix(IN(1));
    reference_neighbour_distances(&graph, IN(0), statistic, OUT(0));
    reference_graph_free(&graph);
}

static void store(call *c, reference_graph graph)
{
    reference_graph_store(&graph, OUT(0));
    reference_graph_free(&graph);
}

static void two_steps(call *c)
{
    reference_graph graph = reference_graph_of_matrix(IN(0));
    reference_graph_square(&graph);
    store(c, graph);
}

/* An entry on either side of the diagonal, or the sum of both. */
static void other_matrix(call *c, bool symmetric)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double one = reference_at(IN(0), x, y, 0), other = reference_at(IN(0), y, x, 0);
        reference_put(OUT(0), x, y, z, symmetric ? one + other : x < y && (one > 0 || other > 0));
    }
}

static void distance_matrix(call *c)
{
    reference_image distances = reference_distances(IN(0), IN(1));
    reference_copy(&distances, OUT(0));
    reference_free(&distances);
}

/* The n nearest rows of each column, the background and the column's own included; `distances` and `indices` may be NULL. */
static void list_nearest(call *c, int64_t n, int64_t first, reference_image *distances, reference_image *indices)
{
    int64_t *rows = reference_allocate((size_t)IN(0)->shape.height, sizeof *rows);
    for (int64_t x = 0; x < IN(0)->shape.width; x++) {
        const int64_t found = (int64_t)reference_nearest(IN(0), x, first, true, 1, rows);
        for (int64_t k = 0; k < n; k++) {
            if (distances)
                reference_put(distances, x, k, 0, k < found ? reference_at(IN(0), x, rows[k], 0) : 0);
            if (indices)
                reference_put(indices, x, k, 0, k < found ? (double)rows[k] : 0);
        }
    }
    free(rows);
}

typedef enum overlap { ANY, JACCARD } overlap;

/* Pixels of label x in the first and y in the second map. */
static void overlap_matrix(call *c, overlap what)
{
    const int64_t columns = OUT(0)->shape.width, rows = OUT(0)->shape.height;
    double *both = reference_allocate((size_t)(columns * rows), sizeof *both), *one = reference_allocate((size_t)columns, sizeof *one),
           *other = reference_allocate((size_t)rows, sizeof *other);
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const int64_t a = (int64_t)reference_at(IN(0), x, y, z), b = (int64_t)reference_at(IN(1), x, y, z);
        both[b * columns + a]++;
        one[a]++;
        other[b]++;
    }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, a, b, none) {
        const double shared = both[b * columns + a];
        reference_put(OUT(0), a, b, none, what == ANY ? shared > 0 : shared > 0 ? shared / (one[a] + other[b] - shared) : 0);
    }
    free(both);
    free(one);
    free(other);
}

/* Pairs of pixels that share a side, of each two labels. */
static void touch_counts(const reference_image *labels, reference_image *matrix)
{
    REFERENCE_EACH_PIXEL(matrix->shape, x, y, z)
        reference_put(matrix, x, y, z, 0);
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z)
        for (int axis = 0; axis < 3; axis++) {
            const int64_t a = (int64_t)reference_at(labels, x, y, z),
                          b = (int64_t)reference_at(labels, x + (axis == 0), y + (axis == 1), z + (axis == 2));
            const int64_t low = a < b ? a : b, high = a < b ? b : a;
            if (a != b)
                reference_put(matrix, low, high, 0, reference_at(matrix, low, high, 0) + 1);
        }
}

/* Of all pixel sides of a label, those that it shares with each other label. */
static void touch_portions(call *c)
{
    const int64_t count = OUT(0)->shape.width;
    reference_image counts = reference_make(DRUA_FLOAT32, reference_plane(count, count));
    touch_counts(IN(0), &counts);
    for (int64_t x = 0; x < count; x++) {
        double sum = 0;
        for (int64_t y = 0; y < count; y++)
            sum += reference_at(&counts, x < y ? x : y, x < y ? y : x, 0);
        for (int64_t y = 0; y < count; y++)
            reference_put(OUT(0), x, y, 0, sum == 0 ? 0 : (float)(reference_at(&counts, x < y ? x : y, x < y ? y : x, 0) / sum));
    }
    reference_free(&counts);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void median_portions(call *c)
{
    const int64_t count = (int64_t)reference_reduce(IN(0), REFERENCE_MAXIMUM) + 1;
    reference_image counts = reference_make(DRUA_FLOAT32, reference_plane(count, count));
    double *shares = reference_allocate((size_t)count, sizeof *shares);
    touch_counts(IN(0), &counts);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const int64_t label = (int64_t)reference_at(IN(0), x, y, z);
        double sum = 0;
        size_t found = 0;
        for (int64_t other = 0; other < count; other++) {
            const double sides = reference_at(&counts, label < other ? label : other, label < other ? other : label, 0);
            sum += sides;
            if (sides > 0)
                shares[found++] = sides;
        }
        qsort(shares, found, sizeof *shares, by_size);
        reference_put(OUT(0), x, y, z, found ? shares[found / 2] / sum : 0);
    }
    free(shares);
    reference_free(&counts);
}

/* Walks over all sides of all pixels of a label, and says how many lie at each other one. */
static double share_of(const reference_image *labels, int64_t label, int64_t other)
{
    double here = 0, all = 0;
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z)
        REFERENCE_EACH_AROUND(dx, dy, dz) {
            if (abs(dx) + abs(dy) + abs(dz) != 1 || reference_at(labels, x, y, z) != (double)label)
                continue;
            const double beside = reference_at(labels, x + dx, y + dy, z + dz);
            all += beside != (double)label;
            here += beside == (double)other && other != label;
        }
    return here > 0 ? here / all : 0;
}

/* Of each label the mean share, or the number of labels that have as much as the least one. */
static void shares(call *c, bool mean, double least)
{
    reference_image made = vector_of(IN(0));
    for (int64_t label = !mean; label < made.shape.width; label++) {
        double sum = 0, number = 0;
        for (int64_t other = !mean; other < made.shape.width; other++) {
            const double share = share_of(IN(0), label, other);
            if (share > 0 && (float)share >= (float)least)
                sum += share, number++;
        }
        reference_put(&made, label, 0, 0, !mean ? number : number > 0 ? sum / number : 0);
    }
    reference_replace_intensities(IN(0), &made, OUT(0));
    reference_free(&made);
}

static void read_values(call *c)
{
    reference_image values = reference_values_of_labels(IN(0), IN(1));
    reference_copy(&values, OUT(0));
    reference_free(&values);
}

static void multiply(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double sum = 0;
        for (int64_t k = 0; k < IN(0)->shape.width; k++)
            sum += reference_at(IN(0), k, y, 0) * reference_at(IN(1), x, k, 0);
        reference_put(OUT(0), x, y, z, sum);
    }
}

/* ---- maps: what a graph makes of values, painted into the labels */

static void paint_neighbours(call *c, const reference_image *labels, reference_graph graph, const reference_image *values,
                             reference_statistic statistic)
{
    reference_image made = vector_of(labels);
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

/* Each radius above 1 goes to neighbours of neighbours; below 1 nothing changes. */
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

static void least_distance(call *c, reference_image *made)
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
    reference_image made = vector_of(IN(0));
    make(c, &made);
    reference_paint(IN(0), &made, OUT(0));
    reference_free(&made);
}

/* Among labels that touch. */
static void local(call *c, maker *make, reference_statistic statistic)
{
    reference_image values = vector_of(IN(0));
    make(c, &values);
    paint_neighbours(c, IN(0), reference_graph_of_touching(IN(0), false), &values, statistic);
    reference_free(&values);
}

/* Labels of the second map near each label of the first. */
static void proximal_of_other(call *c)
{
    reference_image points = reference_centroids(IN(0), false), others = reference_centroids(IN(1), false);
    reference_image distances = reference_distances(&points, &others), counts = vector_of(IN(0));
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
    reference_image columns = vector_of(IN(0)), rows = vector_of(IN(1));
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

/* ---- meshes */

static void mesh(call *c, reference_graph graph, const reference_image *values)
{
    reference_mesh(IN(0), &graph, values, OUT(0));
    reference_graph_free(&graph);
}

/* Lines from each column's point to those that it lists; the first column stands for the background. */
static void list_mesh(call *c)
{
    const int64_t count = IN(0)->shape.width;
    for (int64_t x = 1; x < IN(1)->shape.width && x <= count; x++)
        for (int64_t y = 0; y < IN(1)->shape.height; y++) {
            const int64_t other = (int64_t)reference_at(IN(1), x, y, 0);
            if (other > 0 && other <= count)
                reference_line(IN(0), x - 1, other - 1, 1, OUT(0));
        }
}

static void label_mesh(call *c, reference_graph graph, bool lengths)
{
    reference_image points = reference_centroids(IN(0), false), distances = reference_distances(&points, &points);
    for (size_t i = 0; i < reference_count(OUT(0)); i++)
        OUT(0)->pixels[i] = 0;
    reference_mesh(&points, &graph, lengths ? &distances : NULL, OUT(0));
    reference_graph_free(&graph);
    reference_free(&points);
    reference_free(&distances);
}

static void touch_count_mesh(call *c, bool shares)
{
    const int64_t count = (int64_t)reference_reduce(IN(0), REFERENCE_MAXIMUM) + 1;
    reference_image points = reference_centroids(IN(0), false), counts = reference_make(DRUA_FLOAT32, reference_plane(count, count));
    reference_graph graph = reference_graph_of_touching(IN(0), false);
    touch_counts(IN(0), &counts);
    for (int64_t y = 0; y < count; y++)
        for (int64_t x = 0; x < y; x++)
            reference_put(&counts, y, x, 0, reference_at(&counts, x, y, 0));
    reference_image values = reference_duplicate(&counts);
    for (int64_t y = 0; shares && y < count; y++)
        for (int64_t x = 0; x < y; x++) {
            double sum = 0;
            for (int64_t other = 0; other < count; other++)
                sum += reference_at(&counts, x, other, 0);
            reference_put(&values, x, y, 0, reference_at(&counts, x, y, 0) / fmax(sum, 1));
            reference_put(&values, y, x, 0, reference_at(&values, x, y, 0));
        }
    for (size_t i = 0; i < reference_count(OUT(0)); i++)
        OUT(0)->pixels[i] = 0;
    reference_mesh(&points, &graph, &values, OUT(0));
    reference_graph_free(&graph);
    reference_free(&values);
    reference_free(&points);
    reference_free(&counts);
}

/* Just below a number, in float32: nearer than it. */
static double below(double number)
{
    return nextafterf((float)number, -INFINITY);
}

#define ALL_NEIGHBOURHOODS(X, name, statistic, contents)                                                                         \
    X(name##_of_touching_neighbors_map, contents, touching_map(c, REFERENCE_##statistic))                                        \
    X(name##_of_proximal_neighbors_map, contents, map(c, proximal(IN(1), S(0), S(1)), REFERENCE_##statistic))                    \
    X(name##_of_n_nearest_neighbors_map, contents, map(c, nearest(IN(1), N(0)), REFERENCE_##statistic))

#define ALL_LOCAL(X, name, statistic)                                                                                            \
    X(local_##name##_average_distance_of_n_closest_neighbors_map, "l", local(c, nearest_distance, REFERENCE_##statistic))        \
    X(local_##name##_average_neighbor_distance_map, "l", local(c, mean_distance, REFERENCE_##statistic))                         \
    X(local_##name##_touching_neighbor_count_map, "l", local(c, count_touching, REFERENCE_##statistic))

#define ROWS(X)                                                                                                                  \
    X(generate_touch_matrix, "=l", reference_generate_touch_matrix(IN(0), OUT(0)))                                               \
    X(generate_touch_portion_matrix, "^l", touch_portions(c))                                                                    \
    X(generate_touch_count_matrix, "^l", touch_counts(IN(0), OUT(0)))                                                                        \
    X(generate_distance_matrix, "^q", distance_matrix(c))                                                                        \
    X(generate_proximal_neighbors_matrix, "^d", store(c, reference_graph_of_range(IN(0), S(0), S(1))))                           \
    X(generate_n_nearest_neighbors_matrix, "^d", store(c, reference_graph_of_nearest(IN(0), N(0))))                              \
    X(generate_binary_overlap_matrix, "^l", overlap_matrix(c, ANY))                                                              \
    X(generate_jaccard_index_matrix, "^~l", overlap_matrix(c, JACCARD))                                                          \
    X(neighbors_of_neighbors, "^m", two_steps(c))                                                                                \
    X(point_index_list_to_touch_matrix, "^i", store(c, reference_graph_of_list(IN(0))))                                          \
    X(touch_matrix_to_adjacency_matrix, "^m", other_matrix(c, true))                                                             \
    X(adjacency_matrix_to_touch_matrix, "^m", other_matrix(c, false))                                                            \
    X(multiply_matrix, "^m", multiply(c))                                                                                        \
    X(n_closest_points, "^d", list_nearest(c, N(0), 0, NULL, OUT(0)))                                                            \
    X(n_closest_distances, "^d", list_nearest(c, N(0), 0, OUT(0), OUT(1)))                                                       \
    X(shortest_distances, "^d", list_nearest(c, 1, 1, OUT(0), NULL))                                                             \
    X(average_distance_of_n_closest_points, "^d", reference_mean_of_nearest(IN(0), N(0), 1, OUT(0)))                             \
    X(average_distance_of_n_far_off_points, "^d", reference_mean_of_nearest(IN(0), N(0), -1, OUT(0)))                            \
    X(count_touching_neighbors, "^m", vector(c, NULL, IN(0), REFERENCE_COUNT))                                                   \
    X(mean_of_touching_neighbors, "^vm", vector(c, IN(0), IN(1), REFERENCE_AVERAGE))                                             \
    X(minimum_of_touching_neighbors, "^vm", vector(c, IN(0), IN(1), REFERENCE_SMALLEST))                                         \
    X(maximum_of_touching_neighbors, "^vm", vector(c, IN(0), IN(1), REFERENCE_LARGEST))                                          \
    X(median_of_touching_neighbors, "^vm", vector(c, IN(0), IN(1), REFERENCE_MEDIAN))                                            \
    X(standard_deviation_of_touching_neighbors, "^vm", vector(c, IN(0), IN(1), REFERENCE_SCATTER))                               \
    X(mode_of_touching_neighbors, "^Lm", vector(c, IN(0), IN(1), REFERENCE_MODE))                                                \
    X(average_distance_of_touching_neighbors, "^dm", distance_vector(c, REFERENCE_AVERAGE))                                      \
    X(minimum_distance_of_touching_neighbors, "^dm", distance_vector(c, REFERENCE_SMALLEST))                                     \
    X(maximum_distance_of_touching_neighbors, "^dm", distance_vector(c, REFERENCE_LARGEST))                                      \
    X(read_values_from_map, "^lg", read_values(c))                                                                               \
    X(touching_neighbor_count_map, "l", own(c, count_touching))                                                                  \
    X(average_neighbor_distance_map, "l", own(c, mean_distance))                                                                 \
    X(minimum_touching_neighbor_distance_map, "l", own(c, least_distance))                                                       \
    X(maximum_touching_neighbor_distance_map, "l", own(c, largest_distance))                                                     \
    X(average_distance_of_n_closest_neighbors_map, "l", own(c, nearest_distance))                                                \
    X(proximal_neighbor_count_map, "l", paint_neighbours(c, IN(0), proximal(IN(0), S(0), S(1)), NULL, REFERENCE_COUNT))          \
    X(label_proximal_neighbor_count_map, "l", proximal_of_other(c))                                                              \
    X(label_overlap_count_map, "l", overlapping(c))                                                                              \
    ALL_LOCAL(X, mean, AVERAGE)                                                                                                  \
    ALL_LOCAL(X, median, MEDIAN)                                                                                                 \
    ALL_LOCAL(X, minimum, SMALLEST)                                                                                              \
    ALL_LOCAL(X, maximum, LARGEST)                                                                                               \
    ALL_LOCAL(X, standard_deviation, SCATTER)                                                                                    \
    ALL_NEIGHBOURHOODS(X, mean, AVERAGE, "gl")                                                                                   \
    ALL_NEIGHBOURHOODS(X, minimum, SMALLEST, "gl")                                                                               \
    ALL_NEIGHBOURHOODS(X, maximum, LARGEST, "gl")                                                                                \
    ALL_NEIGHBOURHOODS(X, standard_deviation, SCATTER, "gl")                                                                     \
    ALL_NEIGHBOURHOODS(X, mode, MODE, "l")                                                                                       \
    ALL_NEIGHBOURHOODS(X, median, MEDIAN, "l")                                                                                       \
    X(touch_matrix_to_mesh, "qm", mesh(c, reference_graph_of_matrix(IN(1)), IN(1)))                                              \
    X(distance_matrix_to_mesh, "qd", mesh(c, reference_graph_of_range(IN(1), -INFINITY, below(S(0))), NULL))                     \
    X(point_index_list_to_mesh, "qi", list_mesh(c))                                                                              \
    X(draw_mesh_between_touching_labels, "^l", label_mesh(c, reference_graph_of_touching(IN(0), false), false))                  \
    X(draw_distance_mesh_between_touching_labels, "^l", label_mesh(c, reference_graph_of_touching(IN(0), false), true))          \
    X(draw_touch_count_mesh_between_touching_labels, "^l", touch_count_mesh(c, false))                                                \
    X(draw_touch_portion_mesh_between_touching_labels, "^l", touch_count_mesh(c, true)) \
    X(median_touch_portion_map, "^l", median_portions(c)) \
    X(local_mean_touch_portion_map, "^~l", shares(c, true, 0)) \
    X(neighbor_count_with_touch_portion_above_threshold_map, "^l", shares(c, false, S(0))) \
    X(draw_mesh_between_n_nearest_labels, "^l", label_mesh(c, nearest(IN(0), N(0)), false))                                      \
    X(draw_mesh_between_proximal_labels, "^l", label_mesh(c, proximal(IN(0), 0, below(S(0))), false))

DEFINE_ROWS(graph)
