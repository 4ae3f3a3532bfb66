/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests neighbours of more labels than the parts, local memory and slots of the kernels hold. Each test also runs as on
 * a GPU.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static reference_image numbers(harness_random *chance, drua_shape shape, int limit, int zeros_of_10)
{
    reference_image image = reference_make(DRUA_FLOAT32, shape);
    REFERENCE_EACH_PIXEL(shape, x, y, z)
        image.pixels[(z * shape.height + y) * shape.width + x] =
            harness_below(chance, 10) < zeros_of_10 ? 0 : harness_below(chance, limit);
    return image;
}

static void agree(const char *what, const reference_image *expected, drua_context *context, drua_image image,
                  double allowed)
{
    reference_image result = harness_pull(context, image);
    ck_assert_int_eq(reference_count(expected), reference_count(&result));
    for (size_t i = 0; i < reference_count(expected); i++)
        ck_assert_msg(fabs(expected->pixels[i] - result.pixels[i]) <= allowed, "%s: pixel %d is %g instead of %g", what,
                      (int)i, result.pixels[i], expected->pixels[i]);
    reference_free(&result);
}

/* Calls an operation of one or two images; its output is the last image argument, before the numbers. */
static drua_image made_of(drua_context *context, const char *operation, const reference_image *first,
                          const reference_image *second, double number)
{
    drua_argument arguments[4] = {IMAGE(harness_push(context, first)), NEW, NEW, NEW};
    if (second)
        arguments[1] = IMAGE(harness_push(context, second));
    const int output = second ? 2 : 1;
    arguments[output + 1] = number > 0 ? NUMBER(number) : NEW;
    REQUIRE(drua_invoke(context, operation, arguments, (size_t)output + 1 + (number > 0), NULL));
    return arguments[output].image;
}

/* Many distances are equal; among equal distances, the first row must come first. */
static void check_nearest(drua_context *context, int slots)
{
    enum { WIDTH = 150, HEIGHT = 400 };
    harness_random chance = {(uint64_t)slots};
    reference_image matrix = numbers(&chance, reference_plane(WIDTH, HEIGHT), 90, 0),
                    distances = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, slots)),
                    indices = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, slots));
    for (int x = 0; x < WIDTH; x++) {
        double keys[HEIGHT];
        for (int y = 0; y < HEIGHT; y++)
            keys[y] = matrix.pixels[y * WIDTH + x] * HEIGHT + y;
        qsort(keys, HEIGHT, sizeof *keys, by_size);
        for (int slot = 0; slot < slots && slot < HEIGHT; slot++) {
            distances.pixels[slot * WIDTH + x] = floor(keys[slot] / HEIGHT);
            indices.pixels[slot * WIDTH + x] = fmod(keys[slot], HEIGHT);
        }
    }
    drua_argument arguments[] = {IMAGE(harness_push(context, &matrix)), NEW, NEW, NUMBER(slots)};
    REQUIRE(drua_invoke(context, "n_closest_distances", arguments, 4, NULL));
    agree("n_closest_distances", &distances, context, arguments[1].image, 0);
    agree("n_closest_distances, indices", &indices, context, arguments[2].image, 0);
    reference_free(&matrix);
    reference_free(&distances);
    reference_free(&indices);
}

/* Every label has one pixel. */
static void check_nearest_labels(drua_context *context, int slots)
{
    enum { WIDTH = 60, HEIGHT = 50 };
    harness_random chance = {7};
    reference_image labels = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, HEIGHT)),
                    map = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, HEIGHT));
    int at[WIDTH * HEIGHT], count = 0;
    double distances[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (harness_below(&chance, 5) == 0) {
            at[count++] = i;
            labels.pixels[i] = count;
        }
    for (int a = 0; a < count; a++) {
        double sum = 0;
        for (int b = 0; b < count; b++)
            distances[b] = hypot(at[a] % WIDTH - at[b] % WIDTH, at[a] / WIDTH - at[b] / WIDTH);
        qsort(distances, (size_t)count, sizeof *distances, by_size);
        for (int slot = 1; slot <= slots; slot++)
            sum += distances[slot];
        map.pixels[at[a]] = sum / slots;
    }
    agree("average_distance_of_n_closest_neighbors_map", &map, context,
          made_of(context, "average_distance_of_n_closest_neighbors_map", &labels, NULL, slots), 1e-4);
    reference_free(&labels);
    reference_free(&map);
}

/* Upper medians of up to about 800 values. */
static void check_medians(drua_context *context)
{
    enum { COUNT = 1100 };
    harness_random chance = {3};
    reference_image values = numbers(&chance, (drua_shape){COUNT, 1, 1, 3}, 5000, 1),
                    matrix = numbers(&chance, reference_plane(COUNT, COUNT), 2, 1),
                    medians = reference_make(DRUA_FLOAT32, (drua_shape){COUNT, 1, 1, 3});
    double *found = reference_allocate(COUNT, sizeof *found);
    for (int i = 0; i < COUNT; i++) {
        size_t number = 1;
        found[0] = values.pixels[i];
        for (int j = 0; j < COUNT; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            if (i < 400 && j < 1000 && low < high)
                matrix.pixels[high * COUNT + low] = 1;
            if (low < high && matrix.pixels[high * COUNT + low] > 0)
                found[number++] = values.pixels[j];
        }
        qsort(found, number, sizeof *found, by_size);
        medians.pixels[i] = found[number / 2];
    }
    agree("median_of_touching_neighbors", &medians, context,
          made_of(context, "median_of_touching_neighbors", &values, &matrix, 0), 0);
    free(found);
    reference_free(&values);
    reference_free(&matrix);
    reference_free(&medians);
}

/* On a chessboard the background touches more than a thousand labels, and each label touches only the background. */
static void check_portions(drua_context *context)
{
    enum { WIDTH = 70, HEIGHT = 60, LARGEST = 1400 };
    harness_random chance = {5};
    reference_image labels = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, HEIGHT)),
                    map = reference_make(DRUA_FLOAT32, reference_plane(WIDTH, HEIGHT));
    double *sides = reference_allocate(LARGEST + 1, sizeof *sides), sum = 0;
    size_t found = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH, label = (x + y) % 2 ? 1 + harness_below(&chance, LARGEST) : 0,
                  own = (x > 0) + (y > 0) + (x + 1 < WIDTH) + (y + 1 < HEIGHT);
        labels.pixels[i] = label;
        sides[label] += label ? own : 0;
        sum += label ? own : 0;
    }
    for (int label = 1; label <= LARGEST; label++)
        if (sides[label] > 0)
            sides[found++] = sides[label];
    ck_assert_int_gt((int)found, 1024);
    qsort(sides, found, sizeof *sides, by_size);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        map.pixels[i] = labels.pixels[i] > 0 ? 1 : (float)(sides[found / 2] / sum);
    agree("median_touch_portion_map", &map, context, made_of(context, "median_touch_portion_map", &labels, NULL, 0), 0);
    free(sides);
    reference_free(&labels);
    reference_free(&map);
}

/* More pairs of grey values than a work-group has slots for. */
static void check_pairs(drua_context *context)
{
    enum { WIDTH = 200, HEIGHT = 130, LEVELS = 700 };
    harness_random chance = {6};
    reference_image image = numbers(&chance, reference_plane(WIDTH, HEIGHT), LEVELS, 4),
                    pairs = reference_make(DRUA_FLOAT32, reference_plane(LEVELS, LEVELS));
    image.pixels[0] = LEVELS - 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    if ((i || j) && x + i >= 0 && x + i < WIDTH && y + j >= 0 && y + j < HEIGHT)
                        pairs.pixels[(int)image.pixels[y * WIDTH + x] * LEVELS +
                                     (int)image.pixels[(y + j) * WIDTH + x + i]]++;
    agree("generate_cooccurrence_count_matrix_box", &pairs, context,
          made_of(context, "generate_cooccurrence_count_matrix_box", &image, NULL, 0), 0);
    reference_free(&image);
    reference_free(&pairs);
}

static void check_all(void)
{
    drua_context *context = harness_open();
    check_nearest(context, 7);
    check_nearest(context, 50);
    check_nearest(context, 500);
    check_nearest_labels(context, 1);
    check_nearest_labels(context, 120);
    check_medians(context);
    check_portions(context);
    check_pairs(context);
    drua_close(context);
}

START_TEST(many_neighbors) { check_all(); }
END_TEST

START_TEST(many_neighbors_as_gpu)
{
    harness_as_gpu();
    check_all();
}
END_TEST

/* Drawing a line to a point far away must end, although float32 cannot tell the steps of such a line apart. */
START_TEST(points_far_away)
{
    drua_context *context = harness_open();
    reference_image points = reference_make(DRUA_FLOAT32, reference_plane(3, 3)),
                    distances = reference_make(DRUA_FLOAT32, reference_plane(4, 4)),
                    mesh = reference_make(DRUA_FLOAT32, reference_plane(8, 8));
    reference_put(&points, 1, 0, 0, 5);
    reference_put(&points, 2, 0, 0, 1e10);
    for (int i = 0; i < 5; i++)
        reference_put(&mesh, i, 0, 0, 1);
    drua_image drawn = harness_push(context, &mesh);
    const drua_image zeros = harness_push(context, &distances);
    REQUIRE(INVOKE(context, "set", IMAGE(drawn), NUMBER(0)));
    REQUIRE(INVOKE(context, "distance_matrix_to_mesh", IMAGE(harness_push(context, &points)), IMAGE(zeros),
                   IMAGE(drawn), NUMBER(50)));
    agree("far", &mesh, context, drawn, 0);
    reference_free(&points);
    reference_free(&distances);
    reference_free(&mesh);
    drua_close(context);
}
END_TEST

/* Points in and around a small image, a third of the positions up to `far` pixels away on either side. */
static reference_image scattered(harness_random *chance, int count, int far)
{
    reference_image points = reference_make(DRUA_FLOAT32, reference_plane(count, 3));
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            reference_put(&points, i, axis, 0,
                          harness_below(chance, 3) ? 0.25 + harness_below(chance, 20)
                                                   : harness_below(chance, 2 * far) - far + 0.25);
    return points;
}

/*
 * Compares lines that are clipped to the image with those of the reference, which draws all steps. Returns the number
 * of pixels on lines. A device may round a position differently, hence the two percent.
 */
static int check_lines(drua_context *context, harness_random *chance, int far)
{
    enum { COUNT = 8 };
    const drua_shape shape = {17, 13, 9, 3};
    reference_image points = scattered(chance, COUNT, far),
                    matrix = reference_make(DRUA_FLOAT32, reference_plane(COUNT + 1, COUNT + 1)),
                    none = reference_make(DRUA_FLOAT32, shape),
                    lines[2] = {reference_make(DRUA_FLOAT32, shape), reference_make(DRUA_FLOAT32, shape)};
    for (int a = 1; a <= COUNT; a++)
        for (int b = a + 1; b <= COUNT; b++) {
            reference_put(&matrix, a, b, 0, a * 100 + b);
            reference_line(&points, a - 1, b - 1, 1, &lines[0]);
            reference_line(&points, a - 1, b - 1, a * 100 + b, &lines[1]);
        }
    static const char *const operations[] = {"distance_matrix_to_mesh", "touch_matrix_to_mesh"};
    const drua_image where = harness_push(context, &points), joined = harness_push(context, &matrix);
    int inside = 0;
    for (int kind = 0; kind < 2; kind++) {
        const drua_image drawn = harness_push(context, &none);
        drua_argument arguments[] = {IMAGE(where), IMAGE(joined), IMAGE(drawn), NUMBER(1e9)};
        REQUIRE(drua_invoke(context, operations[kind], arguments, kind ? 3 : 4, NULL));
        reference_image result = harness_pull(context, drawn);
        int others = 0;
        inside = 0;
        for (size_t i = 0; i < reference_count(&result); i++) {
            inside += lines[kind].pixels[i] != 0;
            others += lines[kind].pixels[i] != result.pixels[i];
        }
        ck_assert_msg(others * 50 <= inside, "%s to points up to %d pixels away: %d of %d pixels differ",
                      operations[kind], far, others, inside);
        reference_free(&result);
        reference_free(&lines[kind]);
    }
    reference_free(&points);
    reference_free(&matrix);
    reference_free(&none);
    return inside;
}

START_TEST(lines_beyond_the_image)
{
    drua_context *context = harness_open();
    harness_random chance = {7};
    int inside = 0;
    for (int trial = 0; trial < 40; trial++)
        inside += check_lines(context, &chance, (const int[]){30, 400, 3000, 100000}[trial % 4]);
    ck_assert_int_gt(inside, 1000);
    drua_close(context);
}
END_TEST

/*
 * Each of about 80,000 lines has millions of steps outside the image. Drawing all steps would take hours. Two lines
 * cross the image: along its row 3 and its diagonal.
 */
START_TEST(many_points_far_away)
{
    enum { COUNT = 400, ENDS = 4, SIDE = 8, ROW = 3 };
    static const double ends[ENDS][2] = {{-1e6, ROW}, {1e6, ROW}, {-3e6, -3e6}, {3e6, 3e6}};
    drua_context *context = harness_open();
    harness_random chance = {8};
    reference_image points = scattered(&chance, COUNT, 4000000),
                    distances = reference_make(DRUA_FLOAT32, reference_plane(COUNT + 1, COUNT + 1)),
                    none = reference_make(DRUA_FLOAT32, reference_plane(SIDE, SIDE)),
                    mesh = reference_make(DRUA_FLOAT32, none.shape);
    for (int i = 0; i < COUNT; i++)
        for (int axis = 0; axis < 3; axis++)
            if (i < ENDS)
                reference_put(&points, i, axis, 0, axis < 2 ? ends[i][axis] : 0);
            else
                points.pixels[axis * COUNT + i] += 10000000;
    for (int i = 0; i < SIDE; i++) {
        reference_put(&mesh, i, ROW, 0, 1);
        reference_put(&mesh, i, i, 0, 1);
    }
    const drua_image drawn = harness_push(context, &none), zeros = harness_push(context, &distances);
    REQUIRE(INVOKE(context, "distance_matrix_to_mesh", IMAGE(harness_push(context, &points)), IMAGE(zeros),
                   IMAGE(drawn), NUMBER(50)));
    agree("many far", &mesh, context, drawn, 0);
    reference_free(&points);
    reference_free(&distances);
    reference_free(&none);
    reference_free(&mesh);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("neighbors");
    TCase *tests = tcase_create("neighbors");
    tcase_set_timeout(tests, 600);
    harness_add(tests, many_neighbors, 1);
    harness_add(tests, many_neighbors_as_gpu, 1);
    harness_add(tests, points_far_away, 1);
    harness_add(tests, lines_beyond_the_image, 1);
    harness_add(tests, many_points_far_away, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
