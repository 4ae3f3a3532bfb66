/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares pieces and holes of labels with components that a search finds, and perimeters with numbers that ImageJ
 * 1.54p measured ("Analyze Particles" of one label).
 */
#include "measured.h"

#include <math.h>
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

/* Counts the components of the background of one label that do not reach beyond the image. */
static int holes_of(const reference_image *labels, int label)
{
    const drua_shape s = labels->shape;
    reference_image others = reference_make(DRUA_UINT8, reference_plane(s.width + 2, s.height + 2));
    REFERENCE_EACH_PIXEL (others.shape, x, y, z)
        reference_put(&others, x, y, z,
                      !reference_is_inside(s, x - 1, y - 1, 0) || (int)reference_at(labels, x - 1, y - 1, 0) != label);
    const int count = components(&others, REFERENCE_DIAMOND) - 1;
    reference_free(&others);
    return count;
}

static void check_random(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    enum { LABELS = 5 };
    reference_image labels = measured_labels(chance, shape, type, LABELS), alone = reference_make(DRUA_UINT8, shape);
    drua_table *table = measured_table(context, &labels, harness_below(chance, 2) ? "outline units=pixels" : "all");
    for (int label = 1; label <= (int)table->rows; label++) {
        for (size_t i = 0; i < reference_count(&labels); i++)
            alone.pixels[i] = (int)labels.pixels[i] == label;
        const int pieces = components(&alone, REFERENCE_BOX);
        measured_check(table, label, "PIECES", pieces ? pieces : NAN, 0);
        if (shape.depth > 1)
            continue;
        measured_check(table, label, "HOLES", pieces ? holes_of(&labels, label) : NAN, 0);
        ck_assert(pieces == 1 || isnan(measured_cell(table, label, "PERIMETER_IMAGEJ")));
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

int main(void)
{
    Suite *suite = suite_create("label_outlines");
    TCase *tests = tcase_create("label_outlines");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, perimeters_of_imagej, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
