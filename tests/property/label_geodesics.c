/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the geodesic diameters of measure_labels with distances that go through the image until none changes, and
 * with numbers that MorphoLibJ's public tests expect.
 */
#include "measured.h"

#include <math.h>
#include <stdlib.h>

/* The first of a label's pixels with the largest number; -1 if the label has no pixels. */
static int64_t farthest(const reference_image *labels, int label, const float *numbers)
{
    int64_t found = -1;
    for (size_t i = 0; i < reference_count(labels); i++)
        if ((int)labels->pixels[i] == label && (found < 0 || numbers[i] > numbers[found]))
            found = (int64_t)i;
    return found;
}

/* Square distances to the nearest pixel with another label; infinity without such a pixel. */
static void squares_to_others(const reference_image *labels, int label, const double size[3], float *squares)
{
    const drua_shape s = labels->shape;
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const int64_t at = (z * s.height + y) * s.width + x;
        squares[at] = INFINITY;
        if ((int)labels->pixels[at] != label)
            continue;
        for (int64_t i = 0; i < (int64_t)reference_count(labels); i++) {
            const double dx = (double)(i % s.width - x) * size[0], dy = (double)(i / s.width % s.height - y) * size[1],
                         dz = (double)(i / s.width / s.height - z) * size[2];
            if ((int)labels->pixels[i] != label)
                squares[at] = fminf(squares[at], (float)(dx * dx + dy * dy + dz * dz));
        }
    }
}

static float step_length(const int step[3], const double size[3], bool borgefors)
{
    double square = 0;
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += step[axis] * size[axis] * step[axis] * size[axis];
        axes += step[axis] != 0;
    }
    return borgefors ? (float)(size[0] * (2 + axes) / 3) : (float)sqrt(square);
}

/* Lowers the distance of one pixel by all its neighbours. */
static bool lower(const reference_image *labels, int64_t at, const double size[3], bool borgefors, float *ways)
{
    const drua_shape s = labels->shape;
    const int64_t x = at % s.width, y = at / s.width % s.height, z = at / s.width / s.height;
    const float before = ways[at];
    for (int i = 0; i < 27; i++) {
        const int step[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const int64_t a = x + step[0], b = y + step[1], c = z + step[2], beside = (c * s.height + b) * s.width + a;
        if (i != 13 && a >= 0 && b >= 0 && c >= 0 && a < s.width && b < s.height && c < s.depth &&
            labels->pixels[beside] == labels->pixels[at])
            ways[at] = fminf(ways[at], ways[beside] + step_length(step, size, borgefors));
    }
    return ways[at] < before;
}

/* Shortest ways from one pixel to all pixels of its label. */
static void find_ways(const reference_image *labels, int64_t from, const double size[3], bool borgefors, float *ways)
{
    const int64_t count = (int64_t)reference_count(labels);
    for (int64_t i = 0; i < count; i++)
        ways[i] = INFINITY;
    ways[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t i = 0; i < count; i++)
            if (labels->pixels[i] == labels->pixels[from])
                changed |= lower(labels, i, size, borgefors, ways);
    }
}

static void check_label(const drua_table *table, const reference_image *labels, int label, const double size[3],
                        bool borgefors)
{
    static const char *const ends[2][3] = {{"GEODESIC_X1", "GEODESIC_Y1", "GEODESIC_Z1"},
                                           {"GEODESIC_X2", "GEODESIC_Y2", "GEODESIC_Z2"}};
    const drua_shape s = labels->shape;
    const int axes = s.depth > 1 ? 3 : 2;
    float *numbers = reference_allocate(reference_count(labels), sizeof *numbers);
    int64_t at[2] = {-1, -1};
    double longest = NAN;
    squares_to_others(labels, label, size, numbers);
    const int64_t centre = farthest(labels, label, numbers);
    const double radius = centre < 0 || isinf(numbers[centre]) ? NAN : sqrt((double)numbers[centre]);
    if (centre >= 0) {
        find_ways(labels, centre, size, borgefors, numbers);
        at[0] = farthest(labels, label, numbers);
        find_ways(labels, at[0], size, borgefors, numbers);
        at[1] = farthest(labels, label, numbers);
        longest = isinf(numbers[at[1]]) ? NAN : (double)numbers[at[1]];
    }
    const double thickness = sqrt(size[0] * size[0] + size[1] * size[1] + (axes == 3 ? size[2] * size[2] : 0));
    measured_check(table, label, "GEODESIC_DIAMETER", longest + thickness, 1e-9);
    measured_check(table, label, "TORTUOSITY", (longest + thickness) / measured_cell(table, label, "FERET_MAX"), 1e-9);
    measured_check(table, label, "GEODESIC_ELONGATION", (longest + thickness) / (2 * radius), 1e-9);
    for (int end = 0; end < 2; end++) {
        const int64_t place[3] = {at[end] % s.width, at[end] / s.width % s.height, at[end] / s.width / s.height};
        for (int axis = 0; axis < axes; axis++)
            measured_check(table, label, ends[end][axis],
                           isnan(longest) ? NAN : size[axis] * ((double)place[axis] + 0.5), 1e-9);
    }
    free(numbers);
}

/* Labels 1 and 2 wind through the image; random blobs follow. */
static reference_image make_labels(harness_random *chance, drua_shape shape, drua_type type)
{
    reference_image image = measured_labels(chance, shape, type, 5);
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        if (z % 4 < 2 && harness_below(chance, 40)) {
            if (y % 4 == 0 || (y % 4 == 2 ? x == 0 : x == shape.width - 1 && y % 8 == 1))
                reference_put(&image, x, y, z, 1);
            else if (y % 4 == 2 && y > 4)
                reference_put(&image, x, y, z, 2);
        }
    return image;
}

START_TEST(random_labels)
{
    enum { TYPES = 7 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {9, 1, 1, 2}, {13, 11, 9, 3}, {5, 6, 2, 3}};
    static const char *const options[] = {"geodesic units=pixels", "all voxel=1,2,3",
                                          "geodesic geodesic_steps=borgefors voxel=2,2,2"};
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}, {2, 2, 2}};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 101};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int which = harness_below(&chance, 3);
        const drua_type type = harness_types[(i + (size_t)_i) % TYPES];
        reference_image labels = _i % 2 ? make_labels(&chance, shapes[i], type)
                                        : measured_labels(&chance, shapes[i], type, 5);
        drua_table *table = measured_table(context, &labels, options[which]);
        for (int label = 1; label <= (int)table->rows; label++)
            check_label(table, &labels, label, sizes[which], which == 2);
        drua_table_free(table);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

static void fill_box(reference_image *image, int x, int y, int width, int height, int label)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            reference_put(image, column, row, 0, label);
}

START_TEST(published_numbers)
{
    static const double expected[] = {NAN, 4.08, 4.08, NAN, 5.74};
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(17, 11));
    fill_box(&image, 1, 1, 3, 9, 1);
    fill_box(&image, 4, 1, 9, 3, 2);
    fill_box(&image, 4, 4, 9, 3, 3);
    fill_box(&image, 4, 7, 9, 3, 4);
    fill_box(&image, 13, 1, 3, 9, 5);
    drua_table *table = measured_table(context, &image, "geodesic geodesic_steps=borgefors");
    for (int label = 1; label <= 5; label++)
        measured_check(table, label, "GEODESIC_DIAMETER", 26.0 / 3 + sqrt(2), 1e-5);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_plane(10, 8));
    fill_box(&image, 2, 0, 2, 2, 1);
    fill_box(&image, 6, 0, 2, 2, 1);
    fill_box(&image, 1, 3, 3, 3, 2);
    fill_box(&image, 5, 2, 3, 3, 3);
    fill_box(&image, 5, 6, 5, 2, 5);
    table = measured_table(context, &image, "geodesic geodesic_steps=borgefors");
    for (int label = 1; label <= 5; label++)
        measured_check(table, label, "GEODESIC_DIAMETER", expected[label - 1], 0.1);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_stack(12, 12, 12));
    REFERENCE_EACH_PIXEL (image.shape, x, y, z)
        reference_put(&image, x, y, z, x > 0 && y > 0 && z > 0 && x < 10 && y < 10 && z < 10);
    table = measured_table(context, &image, "geodesic geodesic_steps=borgefors");
    measured_check(table, 1, "GEODESIC_DIAMETER", 8 * 5.0 / 3 + sqrt(3), 1e-5);
    drua_table_free(table);
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW,
                                 NAME("geodesic geodesic_steps=borgefors voxel=1,1,3")};
    arguments[1] = arguments[0];
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "measure_labels",
            "geodesic_steps", "1 and 3");
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* A spiral of one pixel, whose diameter is its length, and a line. */
START_TEST(known_ways)
{
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT16, reference_plane(70, 70));
    int x = 34, y = 34, steps = 0;
    for (int side = 2, turn = 0; side < 60; side += 2, turn++)
        for (int i = 0; i < side; i++, steps++) {
            reference_put(&image, x, y, 0, 3);
            x += turn % 4 == 0 ? 1 : turn % 4 == 2 ? -1 : 0;
            y += turn % 4 == 1 ? 1 : turn % 4 == 3 ? -1 : 0;
        }
    fill_box(&image, 0, 69, 40, 1, 4);
    drua_table *table = measured_table(context, &image, "geodesic");
    /* at each of the turns, a diagonal step replaces two steps */
    measured_check(table, 3, "GEODESIC_DIAMETER", steps - 1 + (sqrt(2) - 2) * 28 + sqrt(2), 1e-3);
    measured_check(table, 4, "GEODESIC_DIAMETER", 39 + sqrt(2), 1e-5);
    measured_check(table, 4, "TORTUOSITY", (39 + sqrt(2)) / sqrt(40 * 40 + 1), 1e-6);
    measured_check(table, 1, "GEODESIC_DIAMETER", NAN, 0);
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_geodesics");
    TCase *tests = tcase_create("label_geodesics");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, published_numbers, 1);
    harness_add(tests, known_ways, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
