/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests labels and distances in images larger than the tiles and blocks of their kernels. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static reference_image mask(harness_random *chance, drua_shape shape, int of_1000)
{
    reference_image image = reference_make(DRUA_UINT8, shape);
    REFERENCE_EACH_PIXEL(shape, x, y, z)
        image.pixels[(z * shape.height + y) * shape.width + x] = harness_below(chance, 1000) < of_1000;
    return image;
}

/* Compares an operation on one image or, unless `second` is NULL, on two. */
static void check_pair(drua_context *context, const char *operation, const reference_image *source,
                       const reference_image *second, const reference_image *expected)
{
    const int output = second ? 2 : 1;
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), NEW, NEW};
    if (second)
        arguments[1] = IMAGE(harness_push(context, second));
    REQUIRE(drua_invoke(context, operation, arguments, (size_t)output + 1, NULL));
    reference_image result = harness_pull(context, arguments[output].image);
    const drua_shape s = source->shape;
    int64_t different = 0;
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const int64_t at = (z * s.height + y) * s.width + x;
        different += !(result.pixels[at] == expected->pixels[at]);
    }
    ck_assert_msg(different == 0, "%s of %d x %d x %d: %d pixels differ", operation, (int)s.width, (int)s.height,
                  (int)s.depth, (int)different);
    reference_free(&result);
    REQUIRE(drua_clear(context));
}

static void compare_with_reference(drua_context *context, const char *operation, const reference_image *source,
                                   const reference_image *expected)
{
    check_pair(context, operation, source, NULL, expected);
}

/* Widths that are multiples of 16, of 4, or of neither. Tiles have 64 x 16 x 16 or 64 x 128 pixels. */
static const drua_shape shapes[] = {
    {144, 37, 35, 3}, {132, 33, 18, 3}, {131, 18, 33, 3}, {208, 150, 1, 2}, {67, 261, 1, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(components)
{
    static const int densities[] = {60, 300, 500};
    drua_context *context = harness_open();
    harness_random chance = {1};
    for (int i = 0; i < SHAPES; i++)
        for (int k = 0; k < 3; k++) {
            reference_image source = mask(&chance, shapes[i], densities[k]),
                            labels = reference_make(DRUA_FLOAT32, shapes[i]);
            reference_connected_components(&source, REFERENCE_BOX, &labels);
            compare_with_reference(context, "connected_components_box", &source, &labels);
            reference_connected_components(&source, REFERENCE_DIAMOND, &labels);
            compare_with_reference(context, "connected_components_diamond", &source, &labels);
            reference_free(&labels);
            reference_free(&source);
        }
    drua_close(context);
}
END_TEST

/* The number of erosions that reach this offset. Erosions alternate between neighbours at a side and all neighbours. */
static double steps_between(int64_t dx, int64_t dy, int64_t dz)
{
    const int64_t offset[] = {llabs(dx), llabs(dy), llabs(dz)};
    for (int64_t n = 0;; n++) {
        int64_t by_side = 0;
        for (int i = 0; i < 3; i++)
            by_side += offset[i] > n / 2 ? offset[i] - n / 2 : 0;
        if (by_side <= n - n / 2)
            return (double)n;
    }
}

/*
 * Background of one or several pixels. The nearest background pixel in a slice differs from the nearest one in the
 * volume.
 */
START_TEST(distances)
{
    static const int counts[] = {1, 4, 30};
    static const drua_shape sizes[] = {{70, 41, 38, 3}, {64, 40, 33, 3}, {100, 70, 1, 2}};
    drua_context *context = harness_open();
    harness_random chance = {2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const drua_shape s = sizes[i];
            reference_image source = mask(&chance, s, 1000), expected = reference_make(DRUA_FLOAT32, s);
            int64_t where[30][3];
            for (int j = 0; j < counts[k]; j++) { /* outside a block of 32 pixels that makes the object thick */
                where[j][0] = (int64_t)harness_below(&chance, (int)s.width);
                where[j][1] = s.height - 1 - (int64_t)harness_below(&chance, (int)s.height - 32);
                where[j][2] = (int64_t)harness_below(&chance, (int)s.depth);
                source.pixels[(where[j][2] * s.height + where[j][1]) * s.width + where[j][0]] = 0;
            }
            REFERENCE_EACH_PIXEL(s, x, y, z) {
                double min = INFINITY;
                for (int j = 0; j < counts[k]; j++)
                    min = fmin(min, steps_between(x - where[j][0], y - where[j][1], z - where[j][2]));
                expected.pixels[(z * s.height + y) * s.width + x] = min;
            }
            compare_with_reference(context, "distance_map", &source, &expected);
            reference_free(&expected);
            reference_free(&source);
        }
    drua_close(context);
}
END_TEST

/* ---- propagation over the longest distances */

static bool is_inside(drua_shape s, int64_t x, int64_t y, int64_t z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth;
}

/* Unmarks pixels that are not a maximum: a neighbour is higher, or equal and unmarked. Returns whether a mark changed.
 */
static bool take_away(const reference_image *image, reference_image *maxima)
{
    const drua_shape s = image->shape;
    bool changed = false;
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const int64_t at = (z * s.height + y) * s.width + x;
        bool stays = maxima->pixels[at] != 0;
        for (int i = 0; i < 27 && stays; i++) {
            const int64_t dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1,
                          next = at + (dz * s.height + dy) * s.width + dx;
            if (is_inside(s, x + dx, y + dy, z + dz))
                stays = !(image->pixels[next] > image->pixels[at]) &&
                        (image->pixels[next] != image->pixels[at] || maxima->pixels[next] != 0);
        }
        changed = changed || stays != (maxima->pixels[at] != 0);
        maxima->pixels[at] = stays;
    }
    return changed;
}

/* Few grey values make large plateaus; NaN and infinities form plateaus too. */
START_TEST(plateaus)
{
    static const double values[] = {0, 1, 1, 2, 2, 2, 3, NAN, -INFINITY, INFINITY};
    static const int choices[] = {2, 4, 7, 10};
    drua_context *context = harness_open();
    harness_random chance = {3};
    for (int i = 0; i < SHAPES; i++)
        for (int k = 0; k < 4; k++) {
            const drua_shape s = shapes[i];
            reference_image source = reference_make(k < 3 && i % 2 ? DRUA_UINT16 : DRUA_FLOAT32, s),
                            maxima = reference_make(DRUA_UINT8, s);
            REFERENCE_EACH_PIXEL(s, x, y, z) {
                const int64_t at = (z * s.height + y) * s.width + x;
                source.pixels[at] = k == 0 ? z > 9 || x + y < 40 : values[harness_below(&chance, choices[k])];
                maxima.pixels[at] = !isnan(source.pixels[at]);
            }
            while (take_away(&source, &maxima))
                ;
            compare_with_reference(context, "regional_maxima", &source, &maxima);
            reference_free(&source);
            reference_free(&maxima);
        }
    drua_close(context);
}
END_TEST

/* The n-th pixel of a path, one pixel wide, that fills every other row of every other slice; false after its end. */
static bool step_along_path(drua_shape s, int64_t n, int64_t *x, int64_t *y, int64_t *z)
{
    const int64_t rows = (s.height + 1) / 2, turn = s.width + 1, slices = (s.depth + 1) / 2, row = n / turn,
                  along = n % turn;
    const bool to_slice = row % rows == rows - 1 && along == s.width;
    const int64_t slice = row / rows, down = slice % 2 == 0 ? row % rows : rows - 1 - row % rows;
    *x = along == s.width ? (row % 2 == 0 ? s.width - 1 : 0) : row % 2 == 0 ? along : s.width - 1 - along;
    *y = 2 * down + (along == s.width && !to_slice ? (slice % 2 == 0 ? 1 : -1) : 0);
    *z = 2 * slice + to_slice;
    return slice < slices && !(to_slice && slice == slices - 1);
}

/* A plateau, an ascent and a mask as long as a path through the whole image. */
START_TEST(serpentines)
{
    static const drua_shape sizes[] = {{36, 9, 7, 3}, {67, 15, 1, 2}, {33, 21, 3, 3}, {70, 40, 1, 2}};
    drua_context *context = harness_open();
    for (int i = 0; i < 4; i++) {
        const drua_shape s = sizes[i];
        reference_image path = reference_make(DRUA_UINT8, s), start = reference_make(DRUA_UINT8, s),
                        ascent = reference_make(DRUA_FLOAT32, s);
        reference_image plateau = reference_make(DRUA_UINT8, s), lines = reference_make(DRUA_UINT8, s);
        int64_t x, y, z, count = 0;
        for (; step_along_path(s, count, &x, &y, &z); count++) {
            ck_assert(reference_at(&path, x, y, z) == 0);
            reference_put(&path, x, y, z, 1);
            reference_put(&plateau, x, y, z, 5);
            reference_put(&ascent, x, y, z, (double)(100000 - count));
            reference_put(&start, x, y, z, count == 0);
        }
        ck_assert(count > s.width * (s.height / 2));
        compare_with_reference(context, "regional_maxima", &plateau, &path);
        reference_skeletonize(&path, &lines);
        compare_with_reference(context, "skeletonize", &path, &lines);
        check_pair(context, "seeded_watershed", &start, &ascent, &path);
        check_pair(context, "masked_voronoi_labeling", &start, &path, &path);
        check_pair(context, "reconstruction_by_dilation", &start, &path, &path);
        reference_put(&plateau, 0, 0, 0, 6);        /* the first pixel of the path */
        compare_with_reference(context, "regional_maxima", &plateau, &start);
        reference_free(&path);
        reference_free(&start);
        reference_free(&ascent);
        reference_free(&plateau);
        reference_free(&lines);
    }
    drua_close(context);
}
END_TEST

/* The images have more words of 32 pixels than one work-group processes. */
START_TEST(skeletons)
{
    static const drua_shape sizes[] = {{70, 21, 18, 3}, {200, 43, 1, 2}, {64, 16, 9, 3}, {260, 140, 1, 2}};
    static const int densities[] = {500, 930, 997, 1000};
    drua_context *context = harness_open();
    harness_random chance = {4};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            reference_image source = mask(&chance, sizes[i], densities[k]),
                            lines = reference_make(DRUA_UINT8, sizes[i]);
            reference_skeletonize(&source, &lines);
            compare_with_reference(context, "skeletonize", &source, &lines);
            reference_free(&source);
            reference_free(&lines);
        }
    drua_close(context);
}
END_TEST

/*
 * Pixels of a plane climb as in a stack with background beyond the plane. On GPUs one launch runs many steps of a
 * plane.
 */
START_TEST(climbs)
{
    static const drua_shape plane = {110, 90, 1, 2}, stack = {110, 90, 2, 3};
    drua_context *context = harness_open();
    harness_random chance = {5};
    for (int i = 0; i < 3; i++) {
        reference_image seeds = mask(&chance, plane, 3 + 5 * i), heights = reference_make(DRUA_FLOAT32, plane);
        reference_image deep_seeds = reference_make(DRUA_FLOAT32, stack),
                        deep_heights = reference_make(DRUA_FLOAT32, stack);
        REFERENCE_EACH_PIXEL(plane, x, y, z) {
            const int64_t at = y * plane.width + x;
            seeds.pixels[at] *= 1 + harness_below(&chance, 200);
            heights.pixels[at] = (double)((x % 50) * (y % 40) + harness_below(&chance, 40));
            deep_seeds.pixels[at] = seeds.pixels[at];
            deep_heights.pixels[at] = heights.pixels[at];
        }
        drua_argument arguments[] = {IMAGE(harness_push(context, &deep_seeds)),
                                     IMAGE(harness_push(context, &deep_heights)), NEW};
        REQUIRE(drua_invoke(context, "seeded_watershed", arguments, 3, NULL));
        reference_image expected = harness_pull(context, arguments[2].image);
        check_pair(context, "seeded_watershed", &seeds, &heights, &expected);
        reference_free(&expected);
        reference_free(&seeds);
        reference_free(&heights);
        reference_free(&deep_seeds);
        reference_free(&deep_heights);
    }
    drua_close(context);
}
END_TEST

/* Sums of distances keep the three decimals that ImageJ shows, also for labels with tens of thousands of pixels. */
static void check_distances(drua_context *context, const reference_image *source, const reference_image *labels,
                            bool with_background)
{
    double *rows;
    drua_table *table = NULL;
    const size_t count = reference_statistics(source, labels, with_background, &rows);
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), IMAGE(harness_push(context, labels))};
    if (with_background)
        REQUIRE(drua_invoke(context, "statistics_of_image", arguments, 1, &table));
    else
        REQUIRE(drua_invoke(context, "statistics_of_labelled_pixels", arguments, 2, &table));
    ck_assert_uint_eq(table->rows, count);
    const char *const names[] = {"SUM_DISTANCE_TO_MASS_CENTER", "SUM_DISTANCE_TO_CENTROID"};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const size_t at = i * REFERENCE_STATISTICS_COLUMNS + reference_statistics_column(names[k]);
            ck_assert_double_eq_tol(table->cells[at], rows[at], 1e-4);
        }
    drua_table_free(table);
    free(rows);
    REQUIRE(drua_clear(context));
}

START_TEST(distance_sums)
{
    static const drua_shape sizes[] = {{256, 254, 1, 2}, {400, 150, 1, 2}, {60, 50, 20, 3}};
    drua_context *context = harness_open();
    harness_random chance = {5};
    for (int i = 0; i < 3; i++) {
        reference_image source = reference_make(DRUA_UINT8, sizes[i]), labels = reference_make(DRUA_FLOAT32, sizes[i]);
        REFERENCE_EACH_PIXEL(sizes[i], x, y, z) {
            reference_put(&source, x, y, z, (double)(harness_below(&chance, 100) + x / 4));
            reference_put(&labels, x, y, z, 1 + (x * x > 90 * y));
        }
        check_distances(context, &source, &labels, false);
        reference_image none = reference_make(DRUA_FLOAT32, sizes[i]);
        check_distances(context, &source, &none, true);
        reference_free(&none);
        reference_free(&source);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("large_labels");
    TCase *tests = tcase_create("large_labels");
    tcase_set_timeout(tests, 600);
    harness_add(tests, components, 1);
    harness_add(tests, distances, 1);
    harness_add(tests, plateaus, 1);
    harness_add(tests, serpentines, 1);
    harness_add(tests, skeletons, 1);
    harness_add(tests, climbs, 1);
    harness_add(tests, distance_sums, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
