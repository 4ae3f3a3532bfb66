/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of neighbour graphs of labels, statistics of neighbours' values, and lines between points. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- points and distances */

reference_image reference_centroids(const reference_image *labels, bool with_background)
{
    const int64_t first = with_background ? 0 : 1,
                  count = (int64_t)reference_reduce(labels, REFERENCE_MAXIMUM) + 1 - first;
    reference_image points = reference_make(DRUA_FLOAT32, reference_plane(count > 0 ? count : 1, 3));
    double *pixels = reference_allocate((size_t)points.shape.width, sizeof *pixels);
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z) {
        const int64_t column = (int64_t)reference_at(labels, x, y, z) - first, position[3] = {x, y, z};
        if (column < 0)
            continue;
        pixels[column]++;
        for (int axis = 0; axis < 3; axis++)
            points.pixels[axis * points.shape.width + column] += (double)position[axis];
    }
    REFERENCE_EACH_PIXEL(points.shape, x, axis, none)
        reference_put(&points, x, axis, none, reference_at(&points, x, axis, none) / pixels[x]);
    free(pixels);
    return points;
}

double reference_distance(const reference_image *points1, int64_t i, const reference_image *points2, int64_t j)
{
    double sum = 0;
    for (int64_t axis = 0; axis < points1->shape.height; axis++) {
        const double difference = reference_at(points1, i, axis, 0) - reference_at(points2, j, axis, 0);
        sum += difference * difference;
    }
    return sqrt(sum);
}

reference_image reference_distances(const reference_image *points1, const reference_image *points2)
{
    reference_image matrix =
        reference_make(DRUA_FLOAT32, reference_plane(points1->shape.width + 1, points2->shape.width + 1));
    for (int64_t j = 1; j < matrix.shape.height; j++)
        for (int64_t i = 1; i < matrix.shape.width; i++)
            reference_put(&matrix, i, j, 0, reference_distance(points1, i - 1, points2, j - 1));
    return matrix;
}

size_t reference_nearest(const reference_image *distances, int64_t column, int64_t first, bool self, double sign,
                         int64_t *rows)
{
    size_t found = 0;
    for (int64_t row = first; row < distances->shape.height; row++) {
        const double distance = sign * reference_at(distances, column, row, 0);
        if (isnan(distance) || (row == column && !self))
            continue;
        size_t at = found++;
        for (; at > 0 && sign * reference_at(distances, column, rows[at - 1], 0) > distance; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
    return found;
}

/* ---------------------------------------------------------------- graphs */

static reference_graph new_graph(int64_t count)
{
    return (reference_graph){count, reference_allocate((size_t)(count * count), sizeof(bool))};
}

void reference_graph_free(reference_graph *graph)
{
    free(graph->joined);
    graph->joined = NULL;
}

static bool are_joined(const reference_graph *graph, int64_t a, int64_t b)
{
    return graph->joined[a * graph->count + b];
}

static void join_labels(reference_graph *graph, int64_t a, int64_t b)
{
    if (a != b && a >= 0 && b >= 0 && a < graph->count && b < graph->count)
        graph->joined[a * graph->count + b] = graph->joined[b * graph->count + a] = true;
}

reference_graph reference_graph_of_matrix(const reference_image *matrix)
{
    reference_graph graph = new_graph(matrix->shape.height);
    for (int64_t y = 0; y < matrix->shape.height; y++)
        for (int64_t x = 0; x < y; x++)
            if (reference_at(matrix, x, y, 0) > 0)
                join_labels(&graph, x, y);
    return graph;
}

reference_graph reference_graph_of_touching(const reference_image *labels, bool with_background)
{
    const int64_t count = (int64_t)reference_reduce(labels, REFERENCE_MAXIMUM) + 1;
    reference_image matrix = reference_make(DRUA_FLOAT32, reference_plane(count, count));
    reference_generate_touch_matrix(labels, &matrix);
    for (int64_t y = 0; y < count && !with_background; y++)
        reference_put(&matrix, 0, y, 0, 0);
    reference_graph graph = reference_graph_of_matrix(&matrix);
    reference_free(&matrix);
    return graph;
}

reference_graph reference_graph_of_range(const reference_image *distances, double low, double high)
{
    reference_graph graph = new_graph(distances->shape.height);
    for (int64_t y = 1; y < graph.count; y++)
        for (int64_t x = 1; x < y; x++)
            if (reference_at(distances, x, y, 0) >= low && reference_at(distances, x, y, 0) <= high)
                join_labels(&graph, x, y);
    return graph;
}

reference_graph reference_graph_of_nearest(const reference_image *distances, int64_t n)
{
    n = n < 1 ? 1 : n;
    reference_graph graph = new_graph(distances->shape.width);
    int64_t *rows = reference_allocate((size_t)distances->shape.height, sizeof *rows);
    for (int64_t x = 1; x < graph.count; x++) {
        const int64_t found = (int64_t)reference_nearest(distances, x, 1, false, 1, rows);
        for (int64_t k = 0; k < n && k < found; k++)
            join_labels(&graph, x, rows[k]);
    }
    free(rows);
    return graph;
}

reference_graph reference_graph_of_list(const reference_image *list)
{
    reference_graph graph = new_graph(list->shape.width + 1);
    REFERENCE_EACH_PIXEL(list->shape, x, y, z)
        if (reference_at(list, x, y, z) >= 1)
            join_labels(&graph, x + 1, (int64_t)reference_at(list, x, y, z));
    return graph;
}

void reference_graph_square(reference_graph *graph)
{
    reference_graph squared = new_graph(graph->count);
    for (int64_t a = 0; a < graph->count; a++)
        for (int64_t between = 0; between < graph->count; between++)
            for (int64_t b = 0; b < a && are_joined(graph, a, between); b++)
                if (are_joined(graph, between, b))
                    join_labels(&squared, a, b);
    reference_graph_free(graph);
    *graph = squared;
}

void reference_graph_store(const reference_graph *graph, reference_image *matrix)
{
    REFERENCE_EACH_PIXEL(matrix->shape, x, y, z)
        reference_put(matrix, x, y, z, x < y && are_joined(graph, x, y));
}

/* ---------------------------------------------------------------- statistics of neighbours */

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The most frequent integer from 0 to 255 (the smallest of several); 0 without values. */
static double mode_of(const double *values, size_t count)
{
    size_t bins[256] = {0}, max = 0;
    for (size_t i = 0; i < count; i++)
        bins[(size_t)fmin(fmax(values[i], 0), 255)]++;
    for (size_t bin = 1; bin < 256; bin++)
        if (bins[bin] > bins[max])
            max = bin;
    return (double)max;
}

static double statistic_of(double *values, size_t count, reference_statistic statistic)
{
    double sum = 0, squares = 0;
    if (statistic == REFERENCE_COUNT)
        return (double)count;
    if (statistic == REFERENCE_MODE)
        return mode_of(values, count);
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare_numbers);
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    const double results[] = {[REFERENCE_SMALLEST] = values[0],
                              [REFERENCE_LARGEST] = values[count - 1],
                              [REFERENCE_AVERAGE] = mean,
                              [REFERENCE_MEDIAN] = values[count / 2],
                              [REFERENCE_SCATTER] = sqrt(squares / (double)(2 * count - 1))};
    return results[statistic];
}

void reference_neighbours(const reference_graph *graph, const reference_image *values, reference_statistic statistic,
                          reference_image *vector)
{
    const bool self = statistic != REFERENCE_COUNT && statistic != REFERENCE_MODE;
    double *around = reference_allocate((size_t)graph->count + 1, sizeof *around);
    for (int64_t label = 0; label < vector->shape.width; label++) {
        size_t count = 0;
        for (int64_t other = 0; other < graph->count; other++)
            if (label < graph->count && (are_joined(graph, label, other) || (self && other == label)))
                around[count++] = values ? reference_at(values, other, 0, 0) : 1;
        reference_put(vector, label, 0, 0, statistic_of(around, count, statistic));
    }
    free(around);
}

void reference_neighbour_distances(const reference_graph *graph, const reference_image *distances,
                                   reference_statistic statistic, reference_image *vector)
{
    double *around = reference_allocate((size_t)graph->count, sizeof *around);
    for (int64_t label = 1; label < vector->shape.width; label++) {
        size_t count = 0;
        for (int64_t other = 1; other < graph->count; other++)
            if (are_joined(graph, label, other))
                around[count++] = reference_at(distances, label, other, 0);
        reference_put(vector, label, 0, 0, statistic_of(around, count, statistic));
    }
    reference_put(vector, 0, 0, 0, 0);
    free(around);
}

void reference_mean_of_nearest(const reference_image *distances, int64_t n, double sign, reference_image *vector)
{
    int64_t *rows = reference_allocate((size_t)distances->shape.height, sizeof *rows);
    for (int64_t x = 1; x < vector->shape.width; x++) {
        double sum = 0;
        const int64_t found = (int64_t)reference_nearest(distances, x, 1, false, sign, rows),
                      taken = found < n ? found : n;
        for (int64_t k = 0; k < taken; k++)
            sum += reference_at(distances, x, rows[k], 0);
        reference_put(vector, x, 0, 0, taken > 0 ? sum / (double)taken : 0);
    }
    reference_put(vector, 0, 0, 0, 0);
    free(rows);
}

/* ---------------------------------------------------------------- between vectors and label maps */

reference_image reference_values_of_labels(const reference_image *labels, const reference_image *map)
{
    reference_image values =
        reference_make(DRUA_FLOAT32, reference_plane((int64_t)reference_reduce(labels, REFERENCE_MAXIMUM) + 1, 1));
    REFERENCE_EACH_PIXEL(labels->shape, x, y, z)
        reference_put(&values, (int64_t)reference_at(labels, x, y, z), 0, 0, reference_at(map, x, y, z));
    return values;
}

void reference_paint(const reference_image *labels, const reference_image *vector, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const int64_t label = (int64_t)reference_at(labels, x, y, z);
        reference_put(output, x, y, z, label > 0 ? reference_at(vector, label, 0, 0) : 0);
    }
}

/* ---------------------------------------------------------------- lines */

void reference_line(const reference_image *points, int64_t from, int64_t to, double value, reference_image *image)
{
    float start[3] = {0}, way[3] = {0}, length = 0;
    for (int axis = 0; axis < 3 && axis < points->shape.height; axis++) {
        start[axis] = (float)reference_at(points, from, axis, 0);
        way[axis] = (float)reference_at(points, to, axis, 0) - start[axis];
        length += way[axis] * way[axis];
    }
    length = sqrtf(length);
    for (float d = 0; d < length && isfinite(length); d += 0.5f)
        reference_put(image, (int64_t)(start[0] + way[0] * d / length), (int64_t)(start[1] + way[1] * d / length),
                      (int64_t)(start[2] + way[2] * d / length), value);
}

void reference_mesh(const reference_image *points, const reference_graph *graph, const reference_image *values,
                    reference_image *image)
{
    for (int64_t a = 1; a < graph->count; a++)
        for (int64_t b = a + 1; b < graph->count; b++)
            if (are_joined(graph, a, b) && b <= points->shape.width)
                reference_line(points, a - 1, b - 1, values ? reference_at(values, a, b, 0) : 1, image);
}
