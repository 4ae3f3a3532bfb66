/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares keep_labels_in_gate with angles that the corners of a polygon span, seen from the point of each label. */
#include "measured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS = 7, LABELS = 9 };

/* Seen from inside a polygon, its sides span a full turn; from outside, the angles add up to 0. */
static bool is_inside(double corners[CORNERS][2], double x, double y)
{
    double turn = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % CORNERS];
        turn +=
            atan2((a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x), (a[0] - x) * (b[0] - x) + (a[1] - y) * (b[1] - y));
    }
    return fabs(turn) > M_PI;
}

/* A polygon around the middle of two ranges whose corners have random distances, and its text. */
static void draw_polygon(harness_random *chance, const double low[2], const double high[2], double corners[CORNERS][2],
                         char *text, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2 * M_PI * i / CORNERS, radius = 0.1 + 0.006 * harness_below(chance, 100);
        char words[64];
        for (int axis = 0; axis < 2; axis++)
            corners[i][axis] =
                (low[axis] + high[axis]) / 2 + radius * (high[axis] - low[axis] + 1) * (axis ? sin(angle) : cos(angle));
        snprintf(words, sizeof words, "%.17g,%.17g", corners[i][0], corners[i][1]);
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", words);
    }
}

/* The range of a column, without labels that have no pixels. */
static void range(const drua_table *table, const reference_image *labels, const char *column, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int label = 1; label <= (int)table->rows; label++) {
        if (measured_count(labels, label) == 0)
            continue;
        *low = fmin(*low, measured_cell(table, label, column));
        *high = fmax(*high, measured_cell(table, label, column));
    }
}

static void compare_gate(drua_context *context, harness_random *chance, drua_argument images[2],
                         const reference_image *labels, const drua_table *table, const char *operation,
                         const char *const columns[2])
{
    char gate[800];
    double corners[CORNERS][2], low[2], high[2];
    range(table, labels, columns[0], &low[0], &high[0]);
    range(table, labels, columns[1], &low[1], &high[1]);
    draw_polygon(chance, low, high, corners, gate, sizeof gate);
    drua_argument arguments[] = {images[0],        images[1],        NEW,        NAME(operation),
                                 NAME(columns[0]), NAME(columns[1]), NAME(gate), NAME("")};
    REQUIRE(drua_invoke(context, "keep_labels_in_gate", arguments, 8, NULL));
    reference_image kept = harness_pull(context, arguments[2].image);
    ck_assert_int_eq(kept.type, labels->type);
    int number[LABELS + 1] = {0};
    for (int label = 1, next = 1; label <= (int)table->rows; label++) {
        const double x = (float)measured_cell(table, label, columns[0]),
                     y = (float)measured_cell(table, label, columns[1]);
        if (!isnan(x) && !isnan(y) && measured_count(labels, label) > 0 && is_inside(corners, x, y))
            number[label] = next++;
    }
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        ck_assert_msg(reference_at(&kept, x, y, z) == number[(int)reference_at(labels, x, y, z)],
                      "%s of %s and %s: label %g becomes %g in the gate %s", operation, columns[0], columns[1],
                      reference_at(labels, x, y, z), reference_at(&kept, x, y, z), gate);
    reference_free(&kept);
}

START_TEST(polygons)
{
    static const char *const of_statistics[][2] = {
        {"PIXEL_COUNT", "MEAN_INTENSITY"}, {"CENTROID_X", "CENTROID_Y"}, {"MASS_CENTER_X", "MAXIMUM_INTENSITY"}};
    static const char *const of_shapes[][2] = {{"AREA", "CIRCULARITY"}, {"CENTROID_X", "MEDIAN_INTENSITY"}};
    drua_context *context = harness_open();
    harness_random chance = {2026};
    for (int round = 0; round < 8; round++) {
        reference_image labels = measured_labels(&chance, reference_plane(60, 47), round % 2 ? DRUA_UINT32 : DRUA_UINT8,
                                                 LABELS),
                        grey = harness_image(&chance, DRUA_UINT16, labels.shape, HARNESS_GREY);
        drua_argument images[] = {IMAGE(harness_push(context, &grey)), IMAGE(harness_push(context, &labels))};
        drua_table *table = NULL;
        REQUIRE(drua_invoke(context, "statistics_of_labelled_pixels", images, 2, &table));
        compare_gate(context, &chance, images, &labels, table, "statistics_of_labelled_pixels",
                     of_statistics[round % 3]);
        drua_table_free(table);
        table = measured_table_of(context, &grey, &labels, "shape intensity"); /* it releases all images */
        images[0] = IMAGE(harness_push(context, &grey));
        images[1] = IMAGE(harness_push(context, &labels));
        compare_gate(context, &chance, images, &labels, table, "measure_labels", of_shapes[round % 2]);
        drua_table_free(table);
        REQUIRE(drua_clear(context));
        reference_free(&labels);
        reference_free(&grey);
    }
    drua_close(context);
}
END_TEST

/* A square of corners 1,1 to 3,3 around the centroids of some of nine pixels, whose numbers are known. */
START_TEST(known)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(3, 3));
    for (int i = 0; i < 9; i++)
        labels.pixels[i] = i + 1;
    drua_argument image = IMAGE(harness_push(context, &labels));
    drua_argument arguments[] = {image,
                                 image,
                                 NEW,
                                 NAME("statistics_of_labelled_pixels"),
                                 NAME("CENTROID_X"),
                                 NAME("CENTROID_Y"),
                                 NAME("0.5,0.5 2.5,0.5 2.5,2.5 0.5,2.5"),
                                 NAME("")};
    REQUIRE(drua_invoke(context, "keep_labels_in_gate", arguments, 8, NULL));
    reference_image kept = harness_pull(context, arguments[2].image);
    static const double expected[] = {0, 0, 0, 0, 1, 2, 0, 3, 4};
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq(kept.pixels[i], expected[i]);
    reference_free(&kept);
    static const char *const wrong[][2] = {{"1,1 2,2", "at least 3 corners"},    {"", "at least 3 corners"},
                                           {"1,1 2,2 3", "corners such as"},     {"1,1 2,2 3,", "corners such as"},
                                           {"1,1 2,2 nan,1", "corners such as"}, {"1,1 2,2 3,3x", "corners such as"},
                                           {"1;1 2,2 3,3", "corners such as"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        arguments[2] = NEW;
        arguments[6] = NAME(wrong[i][0]);
        REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "keep_labels_in_gate", arguments, 8, NULL), "keep_labels_in_gate",
                "gate", wrong[i][1]);
    }
    arguments[6] = NAME("0,0 1,0 1,1");
    arguments[5] = NAME("AREA");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "keep_labels_in_gate", arguments, 8, NULL), "y_column",
            "statistics_of_labelled_pixels", "AREA");
    arguments[3] = NAME("measure_labels");
    arguments[5] = NAME("VOLUME");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "keep_labels_in_gate", arguments, 8, NULL), "keep_labels_in_gate",
            "column", "VOLUME");
    reference_free(&labels);
    labels = reference_make(DRUA_UINT8, reference_plane(3, 3));
    drua_argument none[] = {image,
                            IMAGE(harness_push(context, &labels)),
                            NEW,
                            NAME("statistics_of_labelled_pixels"),
                            NAME("CENTROID_X"),
                            NAME("CENTROID_Y"),
                            NAME("0,0 9,0 9,9"),
                            NAME("")};
    REQUIRE(drua_invoke(context, "keep_labels_in_gate", none, 8, NULL));
    kept = harness_pull(context, none[2].image);
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq(kept.pixels[i], 0);
    reference_free(&kept);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gates");
    TCase *tests = tcase_create("gates");
    harness_add(tests, polygons, 1);
    harness_add(tests, known, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
