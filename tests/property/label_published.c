/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers that MorphoLibJ's public tests expect of measure_labels, with their tolerances, and analytic shapes. Images
 * of MorphoLibJ are read from ../shared/foreign/morpholibj beside the repository, if they exist.
 */
#include "measured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

static void fill_box(reference_image *image, const int first[3], const int extent[3], int label)
{
    for (int z = first[2]; z < first[2] + extent[2]; z++)
        for (int y = first[1]; y < first[1] + extent[1]; y++)
            for (int x = first[0]; x < first[0] + extent[0]; x++)
                reference_put(image, x, y, z, label);
}

/* A ball in units of length: pixels whose positions times the step lie in it. */
static void draw_ball(reference_image *image, const double step[3], const double centre[3], double radius, int label)
{
    REFERENCE_EACH_PIXEL (image->shape, x, y, z)
        if (pow((double)x * step[0] - centre[0], 2) + pow((double)y * step[1] - centre[1], 2) +
                pow((double)z * step[2] - centre[2], 2) <=
            radius * radius)
            reference_put(image, x, y, z, label);
}

static void check_near(const drua_table *table, int label, const char *heading, double expected, double share)
{
    measured_check(table, label, heading, expected, fabs(expected) * share);
}

START_TEST(euler_numbers)
{
    static const int loop[][3] = {{1, 5, 1}, {2, 5, 1}, {3, 5, 1}, {1, 7, 1}, {2, 7, 1}, {3, 7, 1},
                                  {1, 5, 3}, {2, 5, 3}, {3, 5, 3}, {1, 7, 3}, {2, 7, 3}, {3, 7, 3},
                                  {3, 6, 1}, {3, 6, 3}, {1, 5, 2}, {1, 7, 2}};
    static const double expected[] = {1, 8, 0, 2};
    reference_image image = reference_make(DRUA_UINT8, reference_stack(10, 10, 10));
    fill_box(&image, (int[]){1, 1, 1}, (int[]){3, 3, 3}, 1);
    for (int i = 0; i < 8; i++)
        reference_put(&image, 5 + i % 2 * 2, 1 + i / 2 % 2 * 2, 1 + i / 4 * 2, 2);
    for (size_t i = 0; i < sizeof loop / sizeof *loop; i++)
        reference_put(&image, loop[i][0], loop[i][1], loop[i][2], 3);
    fill_box(&image, (int[]){5, 5, 1}, (int[]){3, 3, 3}, 4);
    reference_put(&image, 6, 6, 2, 0);
    drua_table *table = measured_table(context, &image, "shape");
    for (int label = 1; label <= 4; label++) {
        measured_check(table, label, "EULER_NUMBER_6", expected[label - 1], 0);
        measured_check(table, label, "EULER_NUMBER_26", expected[label - 1], 0);
    }
    drua_table_free(table);
    reference_free(&image);
}
END_TEST

/* A torus has the Euler number 0, and two voxels that touch at an edge are one piece only with 26 neighbours. */
START_TEST(tori)
{
    reference_image image = reference_make(DRUA_UINT8, reference_stack(60, 60, 24));
    REFERENCE_EACH_PIXEL (image.shape, x, y, z) {
        const double ring = hypot((double)x - 29.6, (double)y - 30.3) - 18;
        if (ring * ring + pow((double)z - 11.7, 2) <= 49)
            reference_put(&image, x, y, z, 1);
    }
    reference_put(&image, 2, 2, 2, 2);
    reference_put(&image, 3, 3, 2, 2);
    drua_table *table = measured_table(context, &image, "shape");
    measured_check(table, 1, "EULER_NUMBER_6", 0, 0);
    measured_check(table, 1, "EULER_NUMBER_26", 0, 0);
    check_near(table, 1, "VOLUME", 2 * M_PI * M_PI * 18 * 49, 0.01);
    check_near(table, 1, "SURFACE_AREA", 4 * M_PI * M_PI * 18 * 7, 0.01);
    measured_check(table, 2, "EULER_NUMBER_6", 2, 0);
    measured_check(table, 2, "EULER_NUMBER_26", 1, 0);
    drua_table_free(table);
    reference_free(&image);
}
END_TEST

START_TEST(surfaces)
{
    static const double one[3] = {1, 1, 1}, centre[3] = {25.12, 25.23, 25.34}, middle[3] = {50, 50, 50};
    static const double steps[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
    static const char *const options[] = {"", "voxel=2,1,1", "voxel=1,2,1", "voxel=1,1,2"};
    reference_image image;
    drua_table *table;
    for (int i = 0; i < 4; i++) {
        image = reference_make(DRUA_UINT8,
                               reference_stack(50 / (int)steps[i][0], 50 / (int)steps[i][1], 50 / (int)steps[i][2]));
        draw_ball(&image, steps[i], centre, 20, 1);
        table = measured_table(context, &image, options[i]);
        check_near(table, 1, "SURFACE_AREA", 5026, i ? 0.02 : 2.0 / 5026);
        check_near(table, 1, "SURFACE_AREA_3_DIRECTIONS", 5026, i ? 0.02 : 2.0 / 5026);
        check_near(table, 1, "MEAN_BREADTH", 40, 0.02);
        check_near(table, 1, "MEAN_BREADTH_3_DIRECTIONS", 40, 0.03);
        drua_table_free(table);
        reference_free(&image);
    }
    image = reference_make(DRUA_UINT8, reference_stack(33, 25, 20));
    draw_ball(&image, (double[]){3, 4, 5}, middle, 40, 1);
    table = measured_table(context, &image, "voxel=3,4,5");
    check_near(table, 1, "SURFACE_AREA_3_DIRECTIONS", 4 * M_PI * 1600, 0.02);
    check_near(table, 1, "SURFACE_AREA", 4 * M_PI * 1600, 0.02);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_stack(9, 9, 9));
    for (int i = 0; i < 8; i++)
        fill_box(&image, (int[]){i % 2 * 3, i / 2 % 2 * 3, i / 4 * 3}, (int[]){3, 3, 3}, 1 + i);
    table = measured_table(context, &image, "shape");
    for (int label = 1; label <= 8; label++) {
        check_near(table, label, "SURFACE_AREA", 41.07, 0.001);
        check_near(table, label, "SURFACE_AREA_3_DIRECTIONS", 36, 1e-12);
    }
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_stack(100, 100, 100));
    for (int i = 0; i < 27; i++)
        draw_ball(&image, one, (double[]){20.12 + i % 3 * 30, 20.23 + i / 3 % 3 * 30, 20.34 + i / 9 * 30}, 12.62,
                  1 + i);
    table = measured_table(context, &image, "shape");
    for (int label = 1; label <= 27; label++)
        measured_check(table, label, "SURFACE_AREA", 2000, 2);
    drua_table_free(table);
    reference_free(&image);
}
END_TEST

START_TEST(perimeters)
{
    reference_image image = reference_make(DRUA_UINT8, reference_plane(20, 20));
    draw_ball(&image, (double[]){1, 1, 1}, (double[]){10.12, 10.23, 0}, 8, 1);
    drua_table *table = measured_table(context, &image, "shape");
    check_near(table, 1, "PERIMETER", 2 * M_PI * 8, 0.052);
    check_near(table, 1, "PERIMETER_2_DIRECTIONS", 2 * M_PI * 8, 0.22);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_plane(8, 8));
    fill_box(&image, (int[]){2, 2, 0}, (int[]){4, 4, 1}, 1);
    table = measured_table(context, &image, "shape");
    measured_check(table, 1, "PERIMETER", 14.0582, 1e-4);
    measured_check(table, 1, "PERIMETER_2_DIRECTIONS", 12.5664, 1e-4);
    drua_table_free(table);
    reference_free(&image);
}
END_TEST

static double within_half_turn(double degrees)
{
    const double turned = fmod(fmod(degrees, 180) + 180, 180);
    return turned > 179 ? turned - 180 : turned;
}

START_TEST(cuboids)
{
    static const int extents[][3] = {{30, 20, 10}, {30, 10, 20}, {20, 30, 10},
                                     {10, 30, 20}, {10, 20, 30}, {20, 10, 30}};
    static const double angles[][3] = {{0, 0, 0}, {0, 0, 90}, {90, 0, 0}, {90, 0, 90}, {0, 90, 0}, {0, 90, 90}};
    for (int i = 0; i < 6; i++) {
        reference_image image = reference_make(DRUA_UINT8, reference_stack(50, 50, 50));
        fill_box(&image, (int[]){25 - extents[i][0] / 2, 25 - extents[i][1] / 2, 25 - extents[i][2] / 2}, extents[i],
                 1);
        drua_table *table = measured_table(context, &image, "shape");
        ck_assert_double_eq_tol(within_half_turn(measured_cell(table, 1, "ELLIPSOID_PHI")), angles[i][0], 1);
        ck_assert_double_eq_tol(within_half_turn(measured_cell(table, 1, "ELLIPSOID_THETA")), angles[i][1], 1);
        ck_assert_double_eq_tol(within_half_turn(measured_cell(table, 1, "ELLIPSOID_PSI")), angles[i][2], 1);
        drua_table_free(table);
        reference_free(&image);
    }
}
END_TEST

START_TEST(small_ellipsoids)
{
    static const int ranges[][3] = {{1, 3, 3}, {2, 2, 4}, {3, 1, 4}, {4, 3, 4}, {5, 2, 4}, {6, 4, 4}};
    static const char *const angles[] = {"ELLIPSOID_PHI", "ELLIPSOID_THETA", "ELLIPSOID_PSI"};
    reference_image image = reference_make(DRUA_UINT8, reference_stack(6, 8, 4));
    reference_put(&image, 0, 7, 3, 1);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        fill_box(&image, (int[]){ranges[i][1], ranges[i][0], 0}, (int[]){ranges[i][2] - ranges[i][1] + 1, 1, 1}, 2);
    drua_table *table = measured_table(context, &image, "shape");
    for (int i = 0; i < 3; i++)
        measured_check(table, 1, angles[i], 0, 1e-9);
    measured_check(table, 1, "ELLIPSOID_RADIUS_1", sqrt(5.0 / 12), 1e-12);
    measured_check(table, 1, "ELLIPSOID_RADIUS_3", sqrt(5.0 / 12), 1e-12);
    measured_check(table, 1, "CENTROID_X", 0.5, 1e-12);
    measured_check(table, 1, "CENTROID_Z", 3.5, 1e-12);
    ck_assert(fabs(measured_cell(table, 2, "ELLIPSOID_PHI")) < 90);
    ck_assert(fabs(measured_cell(table, 2, "ELLIPSOID_THETA")) < 90);
    measured_check(table, 2, "ELLIPSOID_PSI", 0, 1);
    drua_table_free(table);
    reference_free(&image);
}
END_TEST

/* An ellipsoid whose axes are turned by psi about x, then theta about y, then phi about z. */
START_TEST(turned_ellipsoids)
{
    static const double turns[][3] = {{30, 20, 10}, {-50, 35, 60}, {80, -70, -30}, {10, 5, 85}};
    static const double radius[3] = {27, 18, 11}, size[3] = {1, 1, 2};
    for (int i = 0; i < 4; i++) {
        const double f = turns[i][0] * M_PI / 180, t = turns[i][1] * M_PI / 180, p = turns[i][2] * M_PI / 180;
        const double axes[3][3] = {
            {cos(f) * cos(t), sin(f) * cos(t), -sin(t)},
            {cos(f) * sin(t) * sin(p) - sin(f) * cos(p), sin(f) * sin(t) * sin(p) + cos(f) * cos(p), cos(t) * sin(p)},
            {cos(f) * sin(t) * cos(p) + sin(f) * sin(p), sin(f) * sin(t) * cos(p) - cos(f) * sin(p), cos(t) * cos(p)}};
        reference_image image = reference_make(DRUA_UINT8, reference_stack(64, 64, 32));
        REFERENCE_EACH_PIXEL (image.shape, x, y, z) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += pow((axes[k][0] * ((double)x - 31.3) * size[0] + axes[k][1] * ((double)y - 31.6) * size[1] +
                            axes[k][2] * ((double)z - 15.4) * size[2]) /
                               radius[k],
                           2);
            reference_put(&image, x, y, z, sum <= 1);
        }
        drua_table *table = measured_table(context, &image, "voxel=1,1,2");
        check_near(table, 1, "ELLIPSOID_RADIUS_1", 27, 0.01);
        check_near(table, 1, "ELLIPSOID_RADIUS_2", 18, 0.01);
        check_near(table, 1, "ELLIPSOID_RADIUS_3", 11, 0.01);
        check_near(table, 1, "VOLUME", 4 * M_PI / 3 * 27 * 18 * 11, 0.005);
        measured_check(table, 1, "ELLIPSOID_PHI", turns[i][0], 1);
        measured_check(table, 1, "ELLIPSOID_THETA", turns[i][1], 1);
        measured_check(table, 1, "ELLIPSOID_PSI", turns[i][2], 2);
        drua_table_free(table);
        reference_free(&image);
    }
}
END_TEST

static void check_contact(const drua_table *pairs, size_t row, double a, double b, double area)
{
    const double *cell = pairs->cells + 4 * row;
    ck_assert_double_eq(cell[0], a);
    ck_assert_double_eq(cell[1], b);
    ck_assert_double_eq_tol(cell[3], area, 0.05 * area);
}

START_TEST(contacts)
{
    static const double one[3] = {1, 1, 1}, centre[3] = {20.123, 20.234, 20.345};
    reference_image image = reference_make(DRUA_UINT8, reference_stack(50, 50, 50));
    drua_table *pairs = NULL;
    for (int label = 3; label > 0; label--)
        draw_ball(&image, one, centre, 5 * label, label);
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NAME("")};
    REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
    ck_assert_uint_eq(pairs->rows, 2);
    check_contact(pairs, 0, 1, 2, 4 * M_PI * 25);
    check_contact(pairs, 1, 2, 3, 4 * M_PI * 100);
    drua_table_free(pairs);
    reference_free(&image);
}
END_TEST

/* ---- images of MorphoLibJ */

static drua_table *measure_foreign(const char *name, const char *options)
{
    char path[1024];
    drua_table *table = NULL;
    drua_argument arguments[] = {NEW, NEW, NAME(options)};
    snprintf(path, sizeof path, "%s/../../../shared/foreign/morpholibj/%s", TEST_DATA, name);
    if (drua_read_tiff(context, path, 0, 0, &arguments[0].image) != DRUA_OK) {
        harness_skip("there is no %s in ../shared/foreign/morpholibj", name);
        return NULL;
    }
    arguments[0].kind = DRUA_ARG_IMAGE;
    arguments[1] = arguments[0];
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    return table;
}

START_TEST(foreign_planes)
{
    drua_table *table = measure_foreign("ellipse_A40_B20_T30.tif", "units=pixels");
    if (table) {
        measured_check(table, 255, "CENTROID_X", 49.5, 0.1);
        measured_check(table, 255, "CENTROID_Y", 49.5, 0.1);
        measured_check(table, 255, "ELLIPSE_RADIUS_1", 40, 0.2);
        measured_check(table, 255, "ELLIPSE_RADIUS_2", 20, 0.2);
        measured_check(table, 255, "ELLIPSE_ANGLE", 30, 1);
        drua_table_free(table);
    }
    table = measure_foreign("circles.tif", "all units=pixels");
    if (table) {
        measured_check(table, 255, "ELLIPSE_RADIUS_1", 152, 1);
        measured_check(table, 255, "ELLIPSE_RADIUS_2", 47, 1);
        measured_check(table, 255, "ELLIPSE_ANGLE", 56, 1);
        measured_check(table, 255, "FERET_MAX", 272.7, 0.2);
        measured_check(table, 255, "ORIENTED_BOX_LENGTH", 272.23, 0.05);
        measured_check(table, 255, "ORIENTED_BOX_WIDTH", 108.86, 0.05);
        drua_table_free(table);
    }
    table = measure_foreign("grains-med-WTH-lbl.tif", "all");
    int present = 0;
    for (size_t label = 1; table && label <= table->rows; label++)
        present += measured_cell(table, (int)label, "PIXEL_COUNT") > 0;
    if (table)
        ck_assert_int_eq(present, 96);
    drua_table_free(table);
}
END_TEST

START_TEST(foreign_ellipsoids)
{
    static const char *const names[] = {"ellipsoid_A30_B20_C10_T00_P00.tif", "ellipsoid_A30_B20_C10_T30_P30.tif"};
    for (int i = 0; i < 2; i++) {
        drua_table *table = measure_foreign(names[i], "shape units=pixels");
        if (!table)
            return;
        measured_check(table, 255, "ELLIPSOID_RADIUS_1", 30, 0.1);
        measured_check(table, 255, "ELLIPSOID_RADIUS_2", 20, 0.1);
        measured_check(table, 255, "ELLIPSOID_RADIUS_3", 10, 0.1);
        measured_check(table, 255, "ELLIPSOID_PHI", 30 * i, 0.1);
        measured_check(table, 255, "ELLIPSOID_THETA", 30 * i, 0.1);
        drua_table_free(table);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_published");
    TCase *tests = tcase_create("label_published");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, open_context, close_context);
    harness_add(tests, euler_numbers, 1);
    harness_add(tests, tori, 1);
    harness_add(tests, surfaces, 1);
    harness_add(tests, perimeters, 1);
    harness_add(tests, cuboids, 1);
    harness_add(tests, small_ellipsoids, 1);
    harness_add(tests, turned_ellipsoids, 1);
    harness_add(tests, contacts, 1);
    harness_add(tests, foreign_planes, 1);
    harness_add(tests, foreign_ellipsoids, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
