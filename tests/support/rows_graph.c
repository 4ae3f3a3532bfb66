/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations on distances, label matrices and meshes. */
#include "rows.h"

reference_graph row_graph_of_proximal(const reference_image *labels, double low, double high)
{
    reference_image points = reference_centroids(labels, false), distances = reference_distances(&points, &points);
    reference_graph graph = reference_graph_of_range(&distances, low, high);
    reference_free(&points);
    reference_free(&distances);
    return graph;
}

reference_graph row_graph_of_nearest(const reference_image *labels, int64_t n)
{
    reference_image points = reference_centroids(labels, false), distances = reference_distances(&points, &points);
    reference_graph graph = reference_graph_of_nearest(&distances, n);
    reference_free(&points);
    reference_free(&distances);
    return graph;
}

reference_image row_vector_of(const reference_image *labels)
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

static void store_matrix(call *c, reference_graph graph)
{
    reference_graph_store(&graph, OUT(0));
    reference_graph_free(&graph);
}

static void two_steps(call *c)
{
    reference_graph graph = reference_graph_of_matrix(IN(0));
    reference_graph_square(&graph);
    store_matrix(c, graph);
}

/*
 * If `symmetric`, adds the entries on both sides of the diagonal. Otherwise, marks each entry on one side whose value
 * on either side is above 0.
 */
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

/*
 * The n nearest rows of each column, including the background and the column itself; `distances` and `indices` may be
 * NULL.
 */
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

/* The number of pixels with label x in the first map and label y in the second. */
static void overlap_matrix(call *c, overlap what)
{
    const int64_t columns = OUT(0)->shape.width, rows = OUT(0)->shape.height;
    double *both = reference_allocate((size_t)(columns * rows), sizeof *both),
           *one = reference_allocate((size_t)columns, sizeof *one),
           *other = reference_allocate((size_t)rows, sizeof *other);
    REFERENCE_EACH_PIXEL(IN(0)->shape, x, y, z) {
        const int64_t a = (int64_t)reference_at(IN(0), x, y, z), b = (int64_t)reference_at(IN(1), x, y, z);
        both[b * columns + a]++;
        one[a]++;
        other[b]++;
    }
    REFERENCE_EACH_PIXEL(OUT(0)->shape, a, b, none) {
        const double shared = both[b * columns + a];
        reference_put(OUT(0), a, b, none,
                      what == ANY  ? shared > 0
                      : shared > 0 ? shared / (one[a] + other[b] - shared)
                                   : 0);
    }
    free(both);
    free(one);
    free(other);
}

/* For each two labels, the number of pairs of pixels that share a side. */
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

/* The share of a label's pixel sides that it has in common with each other label. */
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
            reference_put(OUT(0), x, y, 0,
                          sum == 0 ? 0 : (float)(reference_at(&counts, x < y ? x : y, x < y ? y : x, 0) / sum));
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

/* Visits all sides of all pixels of a label and returns the share that lies at the other label. */
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

/* For each label, the mean share, or the number of neighbours with at least the least share. */
static void shares(call *c, bool mean, double min)
{
    reference_image made = row_vector_of(IN(0));
    for (int64_t label = !mean; label < made.shape.width; label++) {
        double sum = 0, number = 0;
        for (int64_t other = !mean; other < made.shape.width; other++) {
            const double share = share_of(IN(0), label, other);
            if (share > 0 && (float)share >= (float)min)
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

/* ---- meshes */

static void mesh(call *c, reference_graph graph, const reference_image *values)
{
    reference_mesh(IN(0), &graph, values, OUT(0));
    reference_graph_free(&graph);
}

/* Draws lines from each column's point to the points that the column lists; the first column is the background. */
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
    reference_image points = reference_centroids(IN(0), false),
                    counts = reference_make(DRUA_FLOAT32, reference_plane(count, count));
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

/* The largest float32 below the number. */
static double below(double number)
{
    return nextafterf((float)number, -INFINITY);
}

static void run_generate_touch_matrix(call *c) { reference_generate_touch_matrix(IN(0), OUT(0)); }
static void run_generate_touch_count_matrix(call *c) { touch_counts(IN(0), OUT(0)); }
static void run_generate_proximal_neighbors_matrix(call *c)
{
    store_matrix(c, reference_graph_of_range(IN(0), S(0), S(1)));
}
static void run_generate_n_nearest_neighbors_matrix(call *c)
{
    store_matrix(c, reference_graph_of_nearest(IN(0), N(0)));
}
static void run_generate_binary_overlap_matrix(call *c) { overlap_matrix(c, ANY); }
static void run_generate_jaccard_index_matrix(call *c) { overlap_matrix(c, JACCARD); }
static void run_point_index_list_to_touch_matrix(call *c)
{
    store_matrix(c, reference_graph_of_list(IN(0)));
}
static void run_touch_matrix_to_adjacency_matrix(call *c) { other_matrix(c, true); }
static void run_adjacency_matrix_to_touch_matrix(call *c) { other_matrix(c, false); }
static void run_n_closest_points(call *c) { list_nearest(c, N(0), 0, NULL, OUT(0)); }
static void run_n_closest_distances(call *c) { list_nearest(c, N(0), 0, OUT(0), OUT(1)); }
static void run_shortest_distances(call *c) { list_nearest(c, 1, 1, OUT(0), NULL); }
static void run_average_distance_of_n_closest_points(call *c) { reference_mean_of_nearest(IN(0), N(0), 1, OUT(0)); }
static void run_average_distance_of_n_far_off_points(call *c) { reference_mean_of_nearest(IN(0), N(0), -1, OUT(0)); }
static void run_count_touching_neighbors(call *c) { vector(c, NULL, IN(0), REFERENCE_COUNT); }
static void run_mean_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_AVERAGE); }
static void run_minimum_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_SMALLEST); }
static void run_maximum_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_LARGEST); }
static void run_median_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_MEDIAN); }
static void run_standard_deviation_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_SCATTER); }
static void run_mode_of_touching_neighbors(call *c) { vector(c, IN(0), IN(1), REFERENCE_MODE); }
static void run_average_distance_of_touching_neighbors(call *c) { distance_vector(c, REFERENCE_AVERAGE); }
static void run_minimum_distance_of_touching_neighbors(call *c) { distance_vector(c, REFERENCE_SMALLEST); }
static void run_maximum_distance_of_touching_neighbors(call *c) { distance_vector(c, REFERENCE_LARGEST); }
static void run_touch_matrix_to_mesh(call *c) { mesh(c, reference_graph_of_matrix(IN(1)), IN(1)); }
static void run_distance_matrix_to_mesh(call *c)
{
    mesh(c, reference_graph_of_range(IN(1), -INFINITY, below(S(0))), NULL);
}
static void run_draw_mesh_between_touching_labels(call *c)
{
    label_mesh(c, reference_graph_of_touching(IN(0), false), false);
}
static void run_draw_distance_mesh_between_touching_labels(call *c)
{
    label_mesh(c, reference_graph_of_touching(IN(0), false), true);
}
static void run_draw_touch_count_mesh_between_touching_labels(call *c) { touch_count_mesh(c, false); }
static void run_draw_touch_portion_mesh_between_touching_labels(call *c) { touch_count_mesh(c, true); }
static void run_local_mean_touch_portion_map(call *c) { shares(c, true, 0); }
static void run_neighbor_count_with_touch_portion_above_threshold_map(call *c) { shares(c, false, S(0)); }
static void run_draw_mesh_between_n_nearest_labels(call *c) { label_mesh(c, row_graph_of_nearest(IN(0), N(0)), false); }
static void run_draw_mesh_between_proximal_labels(call *c)
{
    label_mesh(c, row_graph_of_proximal(IN(0), 0, below(S(0))), false);
}

const call_row rows_graph[] = {
    ROW(generate_touch_matrix, "=l", run_generate_touch_matrix),
    ROW(generate_touch_portion_matrix, "^l", touch_portions),
    ROW(generate_touch_count_matrix, "^l", run_generate_touch_count_matrix),
    ROW(generate_distance_matrix, "^q", distance_matrix),
    ROW(generate_proximal_neighbors_matrix, "^d", run_generate_proximal_neighbors_matrix),
    ROW(generate_n_nearest_neighbors_matrix, "^d", run_generate_n_nearest_neighbors_matrix),
    ROW(generate_binary_overlap_matrix, "^l", run_generate_binary_overlap_matrix),
    ROW(generate_jaccard_index_matrix, "^~l", run_generate_jaccard_index_matrix),
    ROW(neighbors_of_neighbors, "^m", two_steps),
    ROW(point_index_list_to_touch_matrix, "^i", run_point_index_list_to_touch_matrix),
    ROW(touch_matrix_to_adjacency_matrix, "^m", run_touch_matrix_to_adjacency_matrix),
    ROW(adjacency_matrix_to_touch_matrix, "^m", run_adjacency_matrix_to_touch_matrix),
    ROW(multiply_matrix, "^m", multiply),
    ROW(n_closest_points, "^d", run_n_closest_points),
    ROW(n_closest_distances, "^d", run_n_closest_distances),
    ROW(shortest_distances, "^d", run_shortest_distances),
    ROW(average_distance_of_n_closest_points, "^d", run_average_distance_of_n_closest_points),
    ROW(average_distance_of_n_far_off_points, "^d", run_average_distance_of_n_far_off_points),
    ROW(count_touching_neighbors, "^m", run_count_touching_neighbors),
    ROW(mean_of_touching_neighbors, "^vm", run_mean_of_touching_neighbors),
    ROW(minimum_of_touching_neighbors, "^vm", run_minimum_of_touching_neighbors),
    ROW(maximum_of_touching_neighbors, "^vm", run_maximum_of_touching_neighbors),
    ROW(median_of_touching_neighbors, "^vm", run_median_of_touching_neighbors),
    ROW(standard_deviation_of_touching_neighbors, "^vm", run_standard_deviation_of_touching_neighbors),
    ROW(mode_of_touching_neighbors, "^Lm", run_mode_of_touching_neighbors),
    ROW(average_distance_of_touching_neighbors, "^dm", run_average_distance_of_touching_neighbors),
    ROW(minimum_distance_of_touching_neighbors, "^dm", run_minimum_distance_of_touching_neighbors),
    ROW(maximum_distance_of_touching_neighbors, "^dm", run_maximum_distance_of_touching_neighbors),
    ROW(read_values_from_map, "^lg", read_values),
    ROW(touch_matrix_to_mesh, "qm", run_touch_matrix_to_mesh),
    ROW(distance_matrix_to_mesh, "qd", run_distance_matrix_to_mesh),
    ROW(point_index_list_to_mesh, "qi", list_mesh),
    ROW(draw_mesh_between_touching_labels, "^l", run_draw_mesh_between_touching_labels),
    ROW(draw_distance_mesh_between_touching_labels, "^l", run_draw_distance_mesh_between_touching_labels),
    ROW(draw_touch_count_mesh_between_touching_labels, "^l", run_draw_touch_count_mesh_between_touching_labels),
    ROW(draw_touch_portion_mesh_between_touching_labels, "^l", run_draw_touch_portion_mesh_between_touching_labels),
    ROW(median_touch_portion_map, "^l", median_portions),
    ROW(local_mean_touch_portion_map, "^~l", run_local_mean_touch_portion_map),
    ROW(neighbor_count_with_touch_portion_above_threshold_map, "^l",
        run_neighbor_count_with_touch_portion_above_threshold_map),
    ROW(draw_mesh_between_n_nearest_labels, "^l", run_draw_mesh_between_n_nearest_labels),
    ROW(draw_mesh_between_proximal_labels, "^l", run_draw_mesh_between_proximal_labels),
    {NULL, NULL, NULL, NULL},
};
