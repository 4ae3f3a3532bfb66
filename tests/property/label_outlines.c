/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares pieces and holes of labels with components that a search finds, and perimeters with numbers that ImageJ
 * 1.54p measured ("Analyze Particles" of one label).
 */
#include "measured.h"
#include "reference_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int components(const reference_image *mask, reference_neighbourhood neighbourhood)
{
    reference_image found = reference_make(DRUA_FLOAT32, mask->shape);
    double count = 0;
    reference_connected_components(mask, neighbourhood, &found);
    for (size_t i = 0; i < reference_count(&found); i++)
        count = fmax(count, found.pixels[i]);
    reference_free(&found);
    return (int)count;
}

/* Counts the pixels of a mask that are not joined with its first pixel. */
static int64_t enclosed_pixels(const reference_image *mask)
{
    reference_image found = reference_make(DRUA_FLOAT32, mask->shape);
    int64_t count = 0;
    reference_connected_components(mask, REFERENCE_DIAMOND, &found);
    for (size_t i = 0; i < reference_count(&found); i++)
        count += mask->pixels[i] != 0 && found.pixels[i] != found.pixels[0];
    reference_free(&found);
    return count;
}

/*
 * Counts the components of everything outside one label that do not touch the image's border: holes of planes, cavities
 * of stacks.
 */
static int holes_of(const reference_image *labels, int label, int64_t *pixels)
{
    const drua_shape s = labels->shape;
    const int more = s.depth > 1;
    reference_image others = reference_make(DRUA_UINT8, (drua_shape){s.width + 2, s.height + 2, s.depth + 2 * more, 3});
    REFERENCE_EACH_PIXEL (others.shape, x, y, z)
        reference_put(&others, x, y, z,
                      !reference_is_inside(s, x - 1, y - 1, z - more) ||
                          (int)reference_at(labels, x - 1, y - 1, z - more) != label);
    const int count = components(&others, REFERENCE_DIAMOND) - 1;
    *pixels = enclosed_pixels(&others);
    reference_free(&others);
    return count;
}

enum { RIGHT, DOWN, LEFT, UP };

/* Marks the pixels outside the label's outer outline: background around the image, and what touches it by sides. */
static reference_image outside_of(const reference_image *alone)
{
    const int64_t width = alone->shape.width + 2, height = alone->shape.height + 2;
    reference_image outside = reference_make(DRUA_UINT8, reference_plane(width, height));
    int64_t *waiting = reference_allocate((size_t)(width * height), sizeof *waiting), count = 1;
    waiting[0] = 0;
    outside.pixels[0] = 1;
    while (count) {
        const int64_t at = waiting[--count], x = at % width, y = at / width;
        const int64_t beside[4][2] = {{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}};
        for (int k = 0; k < 4; k++) {
            const int64_t a = beside[k][0], b = beside[k][1];
            if (!reference_is_inside(outside.shape, a, b, 0) || outside.pixels[b * width + a] != 0 ||
                (reference_is_inside(alone->shape, a - 1, b - 1, 0) && reference_at(alone, a - 1, b - 1, 0) != 0))
                continue;
            outside.pixels[b * width + a] = 1;
            waiting[count++] = b * width + a;
        }
    }
    free(waiting);
    return outside;
}

/* Marks, for the corner of pixels before (x, y), the directions of the clockwise sides of the outline from there. */
static reference_image sides_of(const reference_image *outside)
{
    reference_image sides = reference_make(DRUA_UINT8, outside->shape);
    REFERENCE_EACH_PIXEL (outside->shape, x, y, z) {
        if (x == 0 || y == 0 || reference_at(outside, x, y, 0) != 0)
            continue;
        const int64_t width = outside->shape.width, at = y * width + x;
        sides.pixels[at] += outside->pixels[at - width] != 0 ? 1 << RIGHT : 0;
        sides.pixels[at + 1] += outside->pixels[at + 1] != 0 ? 1 << DOWN : 0;
        sides.pixels[at + width + 1] += outside->pixels[at + width] != 0 ? 1 << LEFT : 0;
        sides.pixels[at + width] += outside->pixels[at - 1] != 0 ? 1 << UP : 0;
    }
    return sides;
}

/*
 * The perimeter of a label of one piece, as docs/shape.md defines it. The outline begins below the last pixel of the
 * first run in the first row. Where two pixels touch by a corner, it turns from one to the other.
 */
static double perimeter_of(const reference_image *alone, double a, double b)
{
    reference_image outside = outside_of(alone), sides = sides_of(&outside);
    const int64_t width = outside.shape.width, moves[4] = {1, width, -1, -width};
    int64_t at = 0, begin, lengths[2] = {0, 0}, corners = 0, length = 0;
    while (outside.pixels[at] != 0)
        at++;
    while (outside.pixels[at] == 0)
        at++;
    begin = at += width;
    int direction = DOWN, skipped = 1;
    do {
        const int found = (int)sides.pixels[at], left = (direction + 3) % 4, right = (direction + 1) % 4;
        const int next = found >> left & 1 ? left : found >> direction & 1 ? direction : right;
        if (next != direction) {
            skipped = length <= 1 && !skipped;
            corners += !skipped;
            length = 0;
        }
        direction = next;
        at += moves[direction];
        lengths[direction % 2]++;
        length++;
    } while (at != begin || direction != DOWN);
    reference_free(&sides);
    reference_free(&outside);
    return (double)lengths[0] * a + (double)lengths[1] * b - (double)corners * (a + b - sqrt(a * a + b * b));
}

/* Tunnels follow from the number of corners, edges, faces and voxels. */
static void check_cavities(const drua_table *table, const reference_image *labels, int label, int pieces)
{
    int64_t enclosed;
    const int cavities = holes_of(labels, label, &enclosed),
              tunnels = pieces + cavities - shape_stack_euler(labels, label, true);
    measured_check(table, label, "CAVITIES", pieces ? cavities : NAN, 0);
    measured_check(table, label, "TUNNELS", pieces ? tunnels : NAN, 0);
}

static void check_filled(const drua_table *table, const reference_image *labels, int label, double size)
{
    int64_t enclosed, count = measured_count(labels, label);
    holes_of(labels, label, &enclosed);
    measured_check(table, label, "FILLED_VOLUME", count ? (double)(count + enclosed) * size : NAN, 1e-9);
}

static void check_random(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    enum { LABELS = 5 };
    reference_image labels = measured_labels(chance, shape, type, LABELS), alone = reference_make(DRUA_UINT8, shape);
    const int which = harness_below(chance, 3);
    const char *const options[] = {"outline units=pixels", "all", "outline voxel=2,3,1"};
    static const double sizes[] = {1, 1, 6};
    drua_table *table = measured_table(context, &labels, options[which]);
    for (int label = 1; label <= (int)table->rows; label++) {
        for (size_t i = 0; i < reference_count(&labels); i++)
            alone.pixels[i] = (int)labels.pixels[i] == label;
        const int pieces = components(&alone, REFERENCE_BOX);
        measured_check(table, label, "PIECES", pieces ? pieces : NAN, 0);
        if (shape.depth > 1) {
            check_cavities(table, &labels, label, pieces);
            check_filled(table, &labels, label, sizes[which]);
            continue;
        }
        int64_t enclosed;
        measured_check(table, label, "HOLES", pieces ? holes_of(&labels, label, &enclosed) : NAN, 0);
        measured_check(table, label, "FILLED_AREA",
                       pieces ? (double)(measured_count(&labels, label) + enclosed) * sizes[which] : NAN, 1e-9);
        measured_check(table, label, "PERIMETER_IMAGEJ",
                       pieces == 1 ? perimeter_of(&alone, which == 2 ? 2 : 1, which == 2 ? 3 : 1) : NAN, 1e-9);
    }
    drua_table_free(table);
    reference_free(&alone);
    reference_free(&labels);
}

START_TEST(random_labels)
{
    measured_test_shapes(_i, 61, check_random);
}
END_TEST

START_TEST(perimeters_of_imagej)
{
    enum { WIDTH = 20, HEIGHT = 12, LABELS = 4 };
    static const char *const rows[HEIGHT] = {"111.......2222222222", "..1.......22222222..", ".11......222222222..",
                                             ".1......22222222.22.", ".1.33...22222222222.", ".......2..222222222.",
                                             ".....222....2222222.", "...........22.222222", "4444.......222.22222",
                                             "4..4........22..22.2", "...44......22...2222", "..........2222..2222"};
    static const double of_pixels[LABELS] = {14.485281, 62.183766, 4.242641, 13.313708},
                        of_2_by_3[LABELS] = {37.633308, 154.349884, 9.816654, 32.844410};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(WIDTH, HEIGHT));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, rows[y][x] == '.' ? 0 : rows[y][x] - '0');
    for (int uneven = 0; uneven < 2; uneven++) {
        drua_table *table = measured_table(context, &labels, uneven ? "outline voxel=2,3,1" : "outline units=pixels");
        ck_assert_uint_eq(table->rows, LABELS);
        for (int label = 1; label <= LABELS; label++)
            measured_check(table, label, "PERIMETER_IMAGEJ", (uneven ? of_2_by_3 : of_pixels)[label - 1], 1e-6);
        measured_check(table, 2, "HOLES", 3, 0);
        drua_table_free(table);
    }
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* Perimeters of labels that grow by pixels at random, in one piece with holes and pixels that touch by corners. */
START_TEST(grown_labels)
{
    enum { SIDE = 24, TRIALS = 40, PIXELS = 150 };
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 81};
    for (int trial = 0; trial < TRIALS; trial++) {
        reference_image labels = reference_make(DRUA_UINT8, reference_plane(SIDE, SIDE));
        int x = SIDE / 2, y = SIDE / 2;
        for (int i = 0; i < PIXELS; i++) {
            reference_put(&labels, x, y, 0, 1);
            const int a = x + harness_below(&chance, 3) - 1, b = y + harness_below(&chance, 3) - 1;
            x = a < 0 || a >= SIDE ? x : a;
            y = b < 0 || b >= SIDE ? y : b;
        }
        drua_table *table = measured_table(context, &labels, "outline voxel=2,3,1");
        measured_check(table, 1, "PIECES", 1, 0);
        measured_check(table, 1, "PERIMETER_IMAGEJ", perimeter_of(&labels, 2, 3), 1e-9);
        drua_table_free(table);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

/* Combs whose outlines are longer than the 65,536 steps of a launch, beside a label that ends in the first one. */
START_TEST(long_outlines)
{
    enum { WIDTH = 1201, HEIGHT = 304 };
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(WIDTH, HEIGHT)),
                    alone = reference_make(DRUA_UINT8, labels.shape);
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        const int comb = x < 800 ? 1 : 3;
        reference_put(&labels, x, y, z, y == 0 || y > 301 ? 0 : y == 301 || x % 2 ? comb : 0);
    }
    for (int x = 5; x < 20; x++)
        reference_put(&labels, x, HEIGHT - 1, 0, 2);
    drua_table *table = measured_table(context, &labels, "outline units=pixels");
    for (int label = 1; label <= 3; label++) {
        for (size_t i = 0; i < reference_count(&labels); i++)
            alone.pixels[i] = (int)labels.pixels[i] == label;
        measured_check(table, label, "PERIMETER_IMAGEJ", perimeter_of(&alone, 1, 1), 1e-6);
    }
    drua_table_free(table);
    reference_free(&alone);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/*
 * 1: a hollow box without one of its edges, so that two walls touch only along a line, with label 2 and background
 * inside. 3: a ring. 4: a hollow box that the image's border opens. 5: a solid bar with 16 cavities in a row.
 */
static int label_at(int64_t x, int64_t y, int64_t z)
{
    const bool wall = x == 1 || x == 6 || y == 1 || y == 6 || z == 1 || z == 6;
    if (x == 1 && y == 1 && z > 1 && z < 6)
        return 0;
    if (x > 0 && x < 7 && y > 0 && y < 7 && z > 0 && z < 7)
        return wall ? 1 : x == 3 && y == 3 ? 2 : 0;
    if (y > 8 && y < 14 && x > 0 && x < 6 && z == 4)
        return x == 3 && y == 11 ? 0 : 3;
    if (x > 8 && x < 15 && y < 6 && z < 5)
        return x == 9 || x == 14 || y == 5 || z == 4 ? 4 : 0;
    if (x > 7 && y > 8 && y < 12 && z < 3)
        return y == 10 && z == 1 && x % 2 && x < 40 && x > 8 ? 0 : 5;
    return 0;
}

START_TEST(cavities_and_tunnels)
{
    static const int cavities[] = {1, 0, 0, 0, 16}, tunnels[] = {0, 0, 1, 0, 0};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT16, reference_stack(44, 16, 9));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, label_at(x, y, z));
    drua_table *table = measured_table(context, &labels, "outline");
    for (int label = 1; label <= 5; label++) {
        measured_check(table, label, "PIECES", 1, 0);
        measured_check(table, label, "CAVITIES", cavities[label - 1], 0);
        measured_check(table, label, "TUNNELS", tunnels[label - 1], 0);
    }
    measured_check(table, 1, "FILLED_VOLUME", 6 * 6 * 6 - 4, 0);
    drua_table_free(table);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* Foam: thousands of cavities in labels whose boxes overlap, and in one label that fills the image. */
START_TEST(foam)
{
    drua_context *context = harness_open();
    harness_random chance = {_i + 5};
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(41, 37, 33));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, harness_below(&chance, _i ? 8 : 3) ? 1 : 2 * _i);
    drua_table *table = measured_table(context, &labels, "outline units=pixels");
    for (int label = 1; label <= (int)table->rows; label++)
        if (measured_count(&labels, label) > 0)
            check_cavities(table, &labels, label, (int)measured_cell(table, label, "PIECES"));
    check_filled(table, &labels, 1, 1);
    ck_assert_double_gt(measured_cell(table, 1, "CAVITIES"), 100);
    drua_table_free(table);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_outlines");
    TCase *tests = tcase_create("label_outlines");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, perimeters_of_imagej, 1);
    harness_add(tests, grown_labels, 3);
    harness_add(tests, long_outlines, 1);
    harness_add(tests, cavities_and_tunnels, 1);
    harness_add(tests, foam, 2);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
