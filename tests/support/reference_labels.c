/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation, cleaning, renumbering and adjacency of label maps. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- connected components */

static bool are_neighbours(reference_neighbourhood neighbourhood, int64_t dx, int64_t dy, int64_t dz)
{
    const int64_t steps = llabs(dx) + llabs(dy) + llabs(dz);
    return neighbourhood == REFERENCE_BOX ? steps > 0 : steps == 1;
}

/* Gives the label to every pixel connected with `start`; the queue has room for the index of every pixel. */
static void flood_label(const reference_image *binary, reference_neighbourhood neighbourhood, int64_t start,
                        double label, double *found, int64_t *queue)
{
    const drua_shape s = binary->shape;
    size_t head = 0, tail = 0;
    found[start] = label;
    queue[tail++] = start;
    while (head < tail) {
        const int64_t index = queue[head++];
        const int64_t x = index % s.width, y = index / s.width % s.height, z = index / s.width / s.height;
        for (int64_t dz = -1; dz <= 1; dz++)
            for (int64_t dy = -1; dy <= 1; dy++)
                for (int64_t dx = -1; dx <= 1; dx++) {
                    if (!are_neighbours(neighbourhood, dx, dy, dz) || !reference_is_inside(s, x + dx, y + dy, z + dz))
                        continue;
                    const int64_t next = index + dx + s.width * (dy + s.height * dz);
                    if (binary->pixels[next] != 0 && found[next] == 0) {
                        found[next] = label;
                        queue[tail++] = next;
                    }
                }
    }
}

void reference_connected_components(const reference_image *binary, reference_neighbourhood neighbourhood,
                                    reference_image *labels)
{
    const size_t count = reference_count(binary);
    double *found = reference_allocate(count, sizeof *found);
    int64_t *queue = reference_allocate(count, sizeof *queue);
    double label = 0;
    for (size_t i = 0; i < count; i++)
        if (binary->pixels[i] != 0 && found[i] == 0)
            flood_label(binary, neighbourhood, (int64_t)i, ++label, found, queue);
    for (size_t i = 0; i < count; i++)
        labels->pixels[i] = reference_store(labels->type, found[i]);
    free(queue);
    free(found);
}

void reference_label_spots(const reference_image *spots, reference_image *labels)
{
    double label = 0;
    for (size_t i = 0; i < reference_count(spots); i++)
        labels->pixels[i] = reference_store(labels->type, spots->pixels[i] != 0 ? ++label : 0);
}

/* ---------------------------------------------------------------- renumbering */

/* One number, initially 0, for each label 0..largest. The caller frees the numbers. */
static double *new_numbers(const reference_image *labels, size_t *count)
{
    *count = (size_t)reference_reduce(labels, REFERENCE_MAXIMUM) + 1;
    return reference_allocate(*count, sizeof(double));
}

static void renumber(const reference_image *labels, const double *numbers, reference_image *output)
{
    for (size_t i = 0; i < reference_count(labels); i++)
        output->pixels[i] = reference_store(output->type, numbers[(size_t)labels->pixels[i]]);
}

static bool on_border(drua_shape s, int64_t x, int64_t y, int64_t z)
{
    return x == 0 || x == s.width - 1 || y == 0 || y == s.height - 1 || (s.depth > 1 && (z == 0 || z == s.depth - 1));
}

void reference_exclude_labels_on_edges(const reference_image *labels, reference_image *output)
{
    const drua_shape s = labels->shape;
    size_t count;
    double *numbers = new_numbers(labels, &count);
    bool *touches = reference_allocate(count, sizeof *touches);
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        if (on_border(s, x, y, z))
            touches[(size_t)reference_at(labels, x, y, z)] = true;
    }
    double next = 0;
    for (size_t label = 1; label < count; label++)
        numbers[label] = touches[label] ? 0 : ++next;
    renumber(labels, numbers, output);
    free(touches);
    free(numbers);
}

void reference_flag_edges(const reference_image *labels, reference_image *vector)
{
    const drua_shape s = labels->shape;
    for (size_t i = 0; i < reference_count(vector); i++)
        vector->pixels[i] = 0;
    REFERENCE_EACH_PIXEL(s, x, y, z)
        if (on_border(s, x, y, z))
            reference_put(vector, (int64_t)fmax(reference_at(labels, x, y, z), 0), 0, 0, 1);
}

void reference_keep_labels(const reference_image *labels, const reference_image *kept, reference_image *output)
{
    size_t count;
    double *numbers = new_numbers(labels, &count), next = 0;
    for (size_t label = 1; label < count; label++)
        numbers[label] = reference_at(kept, (int64_t)label, 0, 0) != 0 ? ++next : 0;
    renumber(labels, numbers, output);
    free(numbers);
}

void reference_close_index_gaps(const reference_image *labels, reference_image *output)
{
    size_t count;
    double *numbers = new_numbers(labels, &count);
    double next = 0;
    for (size_t i = 0; i < reference_count(labels); i++) {
        const size_t label = (size_t)labels->pixels[i];
        if (label > 0 && numbers[label] == 0)
            numbers[label] = ++next;
    }
    renumber(labels, numbers, output);
    free(numbers);
}

void reference_replace_intensities(const reference_image *source, const reference_image *values,
                                   reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const int64_t index = (int64_t)reference_at(source, x, y, z);
        reference_put(output, x, y, z, reference_at(values, index, 0, 0));
    }
}

/* ---------------------------------------------------------------- adjacency */

void reference_generate_touch_matrix(const reference_image *labels, reference_image *matrix)
{
    static const int64_t steps[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const drua_shape s = labels->shape;
    for (size_t i = 0; i < reference_count(matrix); i++)
        matrix->pixels[i] = 0;
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const int64_t one = (int64_t)reference_at(labels, x, y, z);
        for (int axis = 0; axis < 3; axis++) {
            const int64_t *step = steps[axis];
            const int64_t other = (int64_t)reference_at(labels, x + step[0], y + step[1], z + step[2]);
            if (one < other)
                reference_put(matrix, one, other, 0, 1);
            if (other < one)
                reference_put(matrix, other, one, 0, 1);
        }
    }
}

void reference_join_touching_labels(const reference_image *labels, reference_image *output)
{
    reference_graph graph = reference_graph_of_touching(labels, false);
    reference_image smallest = reference_make(DRUA_FLOAT32, reference_plane(graph.count, 1));
    for (int64_t label = 0; label < graph.count; label++)
        reference_put(&smallest, label, 0, 0, (double)label);
    for (int64_t round = 0; round < graph.count; round++) {
        reference_image before = reference_duplicate(&smallest);
        reference_neighbours(&graph, &before, REFERENCE_SMALLEST, &smallest);
        reference_free(&before);
    }
    reference_paint(labels, &smallest, output);
    reference_free(&smallest);
    reference_graph_free(&graph);
}

/* ---------------------------------------------------------------- edges */

static bool on_edge(const reference_image *labels, int64_t x, int64_t y, int64_t z)
{
    const double label = reference_at(labels, x, y, z);
    return reference_at(labels, x - 1, y, z) != label || reference_at(labels, x + 1, y, z) != label ||
           reference_at(labels, x, y - 1, z) != label || reference_at(labels, x, y + 1, z) != label ||
           reference_at(labels, x, y, z - 1) != label || reference_at(labels, x, y, z + 1) != label;
}

void reference_label_edges(const reference_image *labels, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, on_edge(labels, x, y, z));
}

void reference_cut_label_edges(const reference_image *labels, bool keep_edges, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, on_edge(labels, x, y, z) == keep_edges ? reference_at(labels, x, y, z) : 0);
}

void reference_shrink_labels(const reference_image *labels, int64_t radius, reference_image *output)
{
    reference_cut_label_edges(labels, false, output);
    for (int64_t pass = 0; radius > 1 && pass < radius; pass++) {
        reference_image before = reference_duplicate(output);
        reference_window(&before, REFERENCE_WINDOW_MINIMUM, pass % 2 == 0, (const int64_t[]){1, 1, 1}, output);
        reference_free(&before);
    }
}

void reference_fill_holes(const reference_image *binary, reference_image *output)
{
    const drua_shape s = binary->shape;
    const int64_t rim = s.dimension == 3 ? 1 : 0;
    reference_image holes =
        reference_make(DRUA_FLOAT32, (drua_shape){s.width + 2, s.height + 2, s.depth + 2 * rim, s.dimension});
    reference_image components = reference_make(DRUA_FLOAT32, holes.shape);
    REFERENCE_EACH_PIXEL(holes.shape, x, y, z)
        reference_put(&holes, x, y, z,
                      !reference_is_inside(s, x - 1, y - 1, z - rim) ||
                          reference_at(binary, x - 1, y - 1, z - rim) == 0);
    reference_connected_components(&holes, REFERENCE_DIAMOND, &components);
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, reference_at(&components, x + 1, y + 1, z + rim) != 1);
    reference_free(&holes);
    reference_free(&components);
}
