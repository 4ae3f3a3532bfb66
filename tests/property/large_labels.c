/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and distances in images larger than the tiles and blocks that their kernels work in. */
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

static void check(drua_context *context, const char *operation, const reference_image *source, const reference_image *expected)
{
    drua_argument arguments[] = {IMAGE(harness_push(context, source)), NEW};
    REQUIRE(drua_invoke(context, operation, arguments, 2, NULL));
    reference_image result = harness_pull(context, arguments[1].image);
    const drua_shape s = source->shape;
    int64_t different = 0;
    REFERENCE_EACH_PIXEL(s, x, y, z) {
        const int64_t at = (z * s.height + y) * s.width + x;
        different += !(result.pixels[at] == expected->pixels[at]);
    }
    ck_assert_msg(different == 0, "%s of %d x %d x %d: %d pixels differ", operation, (int)s.width, (int)s.height, (int)s.depth, (int)different);
    reference_free(&result);
    REQUIRE(drua_clear(context));
}

/* Widths of whole vectors of sixteen, of four and of none; tiles are 64 x 16 x 16 and 64 x 128 pixels. */
static const drua_shape shapes[] = {{144, 37, 35, 3}, {132, 33, 18, 3}, {131, 18, 33, 3}, {208, 150, 1, 2}, {67, 261, 1, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(components)
{
    static const int densities[] = {60, 300, 500};
    drua_context *context = harness_open();
    harness_random chance = {1};
    for (int i = 0; i < SHAPES; i++)
        for (int k = 0; k < 3; k++) {
            reference_image source = mask(&chance, shapes[i], densities[k]), labels = reference_make(DRUA_FLOAT32, shapes[i]);
            reference_connected_components(&source, REFERENCE_BOX, &labels);
            check(context, "connected_components_box", &source, &labels);
            reference_connected_components(&source, REFERENCE_DIAMOND, &labels);
            check(context, "connected_components_diamond", &source, &labels);
            reference_free(&labels);
            reference_free(&source);
        }
    drua_close(context);
}
END_TEST

/* How many erosions, by side and by all neighbours in turn, reach so far. */
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

/* Background of one pixel, and of some, between which a slice's nearest one is not the volume's. */
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
            for (int j = 0; j < counts[k]; j++) {       /* apart from a block of 32 pixels that makes the object thick */
                where[j][0] = (int64_t)harness_below(&chance, (int)s.width);
                where[j][1] = s.height - 1 - (int64_t)harness_below(&chance, (int)s.height - 32);
                where[j][2] = (int64_t)harness_below(&chance, (int)s.depth);
                source.pixels[(where[j][2] * s.height + where[j][1]) * s.width + where[j][0]] = 0;
            }
            REFERENCE_EACH_PIXEL(s, x, y, z) {
                double least = INFINITY;
                for (int j = 0; j < counts[k]; j++)
                    least = fmin(least, steps_between(x - where[j][0], y - where[j][1], z - where[j][2]));
                expected.pixels[(z * s.height + y) * s.width + x] = least;
            }
            check(context, "distance_map", &source, &expected);
            reference_free(&expected);
            reference_free(&source);
        }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("large_labels");
    TCase *tests = tcase_create("large_labels");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, components);
    tcase_add_test(tests, distances);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
