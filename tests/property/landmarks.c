/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests transforms by landmarks: thin-plate splines against their equations solved here without any scaling, affine
 * transforms against Cramer's rule, images that are exact under a transform, and tables of points.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS = 9, COLUMNS = 6, X = 1, ERROR = 4, AFFINE_ERROR };

static drua_context *context;
static harness_random chance;
static char folder[HARNESS_FOLDER], path[200];

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_landmarks");
    harness_make_folder(folder);
    snprintf(path, sizeof path, "%s/points.csv", folder);
}

static void close_context(void)
{
    remove(path);
    rmdir(folder);
    drua_close(context);
}

/* Random places in an image, moved by up to 3 pixels. The first row of numbers is x, y (z) in the source. */
static reference_image random_pairs(drua_shape s, int count)
{
    const int dimension = s.depth > 1 ? 3 : 2;
    reference_image pairs = reference_make(DRUA_FLOAT32, reference_plane(2 * dimension, count));
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < dimension; axis++) {
            const int64_t extent = axis == 0 ? s.width : axis == 1 ? s.height : s.depth;
            /* in different columns, so that no two places are the same */
            const double at = axis == 0
                                  ? (double)(i * extent / count + harness_below(&chance, (uint32_t)(extent / count)))
                                  : (double)harness_below(&chance, (uint32_t)extent);
            reference_put(&pairs, dimension + axis, i, 0, at);
            reference_put(&pairs, axis, i, 0, at + harness_below(&chance, 6001) / 1000.0 - 3);
        }
    return pairs;
}

static reference_image field_of(drua_shape s, const reference_image *pairs, const char *mode, drua_table **table)
{
    reference_image image = reference_make(DRUA_UINT8, s);
    drua_argument arguments[] = {IMAGE(harness_push(context, &image)), IMAGE(harness_push(context, pairs)), NEW,
                                 NAME(mode)};
    REQUIRE(drua_invoke(context, "deformation_from_landmarks", arguments, 4, table));
    ck_assert_uint_eq((*table)->columns, COLUMNS);
    reference_free(&image);
    return harness_pull(context, arguments[2].image);
}

/* ---- thin-plate splines */

static double bend(const double *a, const double *b, int dimension)
{
    double square = 0;
    for (int axis = 0; axis < dimension; axis++)
        square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return dimension == 3 ? sqrt(square) : square > 0 ? square * log(square) / 2 : 0;
}

/* Solves by Gauss-Jordan elimination with partial pivoting; the right-hand side is the last column. */
static void solve_equations(long double a[][POINTS + 5], int n)
{
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i; j < n; j++)
            pivot = fabsl(a[j][i]) > fabsl(a[pivot][i]) ? j : pivot;
        for (int k = 0; k <= n; k++) {
            const long double kept = a[i][k];
            a[i][k] = a[pivot][k];
            a[pivot][k] = kept;
        }
        for (int j = 0; j < n; j++)
            for (int k = n; k >= i && j != i; k--)
                a[j][k] -= a[j][i] / a[i][i] * a[i][k];
    }
    for (int i = 0; i < n; i++)
        a[i][n] /= a[i][i];
}

/* Checks the shifts along an axis against the spline through all points, at every pixel. */
static void check_axis(const reference_image *field, const reference_image *pairs, drua_shape s, int axis)
{
    const int dimension = s.depth > 1 ? 3 : 2, n = POINTS + dimension + 1;
    long double a[POINTS + 4][POINTS + 5] = {{0}};
    double at[POINTS][3];
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < dimension; k++)
            at[i][k] = reference_at(pairs, dimension + k, i, 0);
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < POINTS; j++)
            a[i][j] = bend(at[i], at[j], dimension);
        a[i][POINTS] = a[POINTS][i] = 1;
        for (int k = 0; k < dimension; k++)
            a[i][POINTS + 1 + k] = a[POINTS + 1 + k][i] = at[i][k];
        a[i][n] = reference_at(pairs, axis, i, 0) - at[i][axis];
    }
    solve_equations(a, n);
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const double p[3] = {(double)x, (double)y, (double)z};
        long double sum = a[POINTS][n];
        for (int k = 0; k < dimension; k++)
            sum += a[POINTS + 1 + k][n] * p[k];
        for (int i = 0; i < POINTS; i++)
            sum += a[i][n] * bend(p, at[i], dimension);
        ck_assert_double_eq_tol(reference_at(field, x, y, axis * s.depth + z), (double)sum, 2e-3);
    }
}

/* The spline passes through its points, and bends as little as it can between them. */
START_TEST(thin_plates_are_those_of_their_equations)
{
    const drua_shape s = _i == 0 ? reference_plane(60, 50) : reference_stack(40, 30, 20);
    reference_image pairs = random_pairs(s, POINTS);
    drua_table *table;
    reference_image field = field_of(s, &pairs, "thin_plate", &table);
    const int dimension = s.depth > 1 ? 3 : 2;
    for (int axis = 0; axis < dimension; axis++) {
        check_axis(&field, &pairs, s, axis);
        for (int i = 0; i < POINTS; i++) {
            const double *row = table->cells + (size_t)i * COLUMNS, to = reference_at(&pairs, dimension + axis, i, 0);
            ck_assert_double_eq(row[X + axis], to);
            ck_assert_double_lt(row[ERROR], 1e-9);
            ck_assert_double_eq_tol(
                reference_at(&field, (int64_t)row[X], (int64_t)row[X + 1], axis * s.depth + (int64_t)row[X + 2]),
                reference_at(&pairs, axis, i, 0) - to, 1e-3);
        }
    }
    drua_table_free(table);
    reference_free(&field);
    reference_free(&pairs);
}
END_TEST

/* ---- affine transforms */

static double det3(const double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Least squares in a plane: the normal equations by Cramer's rule. Errors are the distances that are left. */
START_TEST(affine_transforms_are_least_squares)
{
    const drua_shape s = reference_plane(60, 50);
    reference_image pairs = random_pairs(s, POINTS);
    double products[3][3] = {{0}}, sides[2][3] = {{0}}, fit[2][3];
    for (int i = 0; i < POINTS; i++) {
        const double terms[3] = {1, reference_at(&pairs, 2, i, 0), reference_at(&pairs, 3, i, 0)};
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                products[j][k] += terms[j] * terms[k];
            for (int axis = 0; axis < 2; axis++)
                sides[axis][j] += terms[j] * reference_at(&pairs, axis, i, 0);
        }
    }
    for (int axis = 0; axis < 2; axis++)
        for (int k = 0; k < 3; k++) {
            double replaced[3][3];
            memcpy(replaced, products, sizeof replaced);
            for (int j = 0; j < 3; j++)
                replaced[j][k] = sides[axis][j];
            fit[axis][k] = det3(replaced) / det3(products);
        }
    drua_table *table;
    reference_image field = field_of(s, &pairs, "affine", &table);
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        ck_assert_double_eq_tol(reference_at(&field, x, y, z),
                                fit[0][0] + fit[0][1] * (double)x + fit[0][2] * (double)y - (double)x, 1e-4);
        ck_assert_double_eq_tol(reference_at(&field, x, y, 1),
                                fit[1][0] + fit[1][1] * (double)x + fit[1][2] * (double)y - (double)y, 1e-4);
    }
    for (int i = 0; i < POINTS; i++) {
        const double x = reference_at(&pairs, 2, i, 0), y = reference_at(&pairs, 3, i, 0),
                     left = hypot(fit[0][0] + fit[0][1] * x + fit[0][2] * y - reference_at(&pairs, 0, i, 0),
                                  fit[1][0] + fit[1][1] * x + fit[1][2] * y - reference_at(&pairs, 1, i, 0));
        ck_assert_double_eq_tol(table->cells[i * COLUMNS + ERROR], left, 1e-6);
        ck_assert_double_eq_tol(table->cells[i * COLUMNS + AFFINE_ERROR], left, 1e-6);
    }
    drua_table_free(table);
    reference_free(&field);
    reference_free(&pairs);
}
END_TEST

/* A known affine transform is found exactly from four points of a stack, by both modes, and moves a ramp exactly. */
START_TEST(a_known_transform_moves_a_ramp)
{
    const drua_shape s = reference_stack(30, 24, 12);
    static const double points[5][3] = {{2, 3, 1}, {25, 4, 2}, {5, 20, 3}, {12, 9, 10}, {20, 18, 7}};
    reference_image ramp = reference_make(DRUA_FLOAT32, s), pairs = reference_make(DRUA_FLOAT32, reference_plane(6, 5));
    REFERENCE_EACH_PIXEL (s, x, y, z)
        reference_put(&ramp, x, y, z, 3 * (double)x - 2 * (double)y + 5 * (double)z);
    for (int i = 0; i < 5; i++) {
        const double x = points[i][0], y = points[i][1], z = points[i][2],
                     from[3] = {1.02 * x - 0.05 * y + 1, 0.04 * x + 0.97 * y - 0.5, 0.01 * y + 0.9 * z + 0.6};
        for (int axis = 0; axis < 3; axis++) {
            reference_put(&pairs, axis, i, 0, from[axis]);
            reference_put(&pairs, 3 + axis, i, 0, points[i][axis]);
        }
    }
    drua_argument arguments[] = {IMAGE(harness_push(context, &ramp)), IMAGE(harness_push(context, &pairs)), NEW,
                                 NAME(_i ? "thin_plate" : "affine")};
    REQUIRE(drua_invoke(context, "register_landmarks", arguments, 4, NULL));
    reference_image moved = harness_pull(context, arguments[2].image);
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const double px = (double)x, py = (double)y, pz = (double)z,
                     at[3] = {1.02 * px - 0.05 * py + 1, 0.04 * px + 0.97 * py - 0.5, 0.01 * py + 0.9 * pz + 0.6};
        if (at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] <= 29 && at[1] <= 23 && at[2] <= 11)
            ck_assert_double_eq_tol(reference_at(&moved, x, y, z), 3 * at[0] - 2 * at[1] + 5 * at[2], 2e-2);
    }
    reference_free(&moved);
    reference_free(&pairs);
    reference_free(&ramp);
}
END_TEST

/* ---- tables and bad input */

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static drua_argument read_text(const char *text)
{
    write_text(text);
    drua_argument arguments[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read_landmarks", arguments, 2, NULL));
    return arguments[1];
}

/* Tables with and without headings, row numbers of ImageJ, other separators, line ends of Windows, and BigWarp's. */
START_TEST(tables_are_read)
{
    static const struct {
        const char *text;
        int columns, rows;
        double first[6];
    } cases[] = {{"1.5,2,3,4\n5,6,7,8\n", 4, 2, {1.5, 2, 3, 4}},
                 {"x,y,to x,to y\r\n1,2,3,4\r\n\r\n", 4, 1, {1, 2, 3, 4}},
                 {" ,x,y,u,v\n1,10,20,30,40\n2,11,21,31,41\n", 4, 2, {10, 20, 30, 40}},
                 {" ,Label,X,Y,U,V\n1,blobs.tif,10,20,12,21\n2,blobs.tif,11,21,13,22\n", 4, 2, {10, 20, 12, 21}},
                 {"sep=;\nx;y;u;v\n1;2;3;4\n", 4, 1, {1, 2, 3, 4}},
                 {"1;2;3;4;5;6\n", 6, 1, {1, 2, 3, 4, 5, 6}},
                 {"1\t2\t3\t4", 4, 1, {1, 2, 3, 4}},
                 {"\"Pt-0\",\"false\",\"Infinity\",\"2\",\"3\",\"4\"\n\"Pt-1\",\"true\",\"-1e1\",\"2\",\"3\",\"4\"\n",
                  4,
                  1,
                  {-10, 2, 3, 4}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reference_image list = harness_pull(context, read_text(cases[i].text).image);
        ck_assert_int_eq(list.shape.width, cases[i].columns);
        ck_assert_int_eq(list.shape.height, cases[i].rows);
        for (int k = 0; k < cases[i].columns; k++)
            ck_assert_double_eq(list.pixels[k], cases[i].first[k]);
        reference_free(&list);
    }
}
END_TEST

START_TEST(bad_tables_are_refused)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"", "no pair of points"},
                 {"a,b,c\n", "no pair of points"},
                 {"1,2,3\n", "line 1"},
                 {"1,2,3,4\n1,2,3,4,5,6\n", "the lines before it have 4"},
                 {"1,2,3,nan\n", "the position nan"},
                 {"1,2,3,1e9\n", "the position 1e+09"},
                 {"1,2,3,4\nend\n", "line 2"},
                 {"1,2,3,4\n1,,3,4,5\n", "line 2 of"},
                 {"3,,20,12,21.5\n", "a field between its numbers that is no number"},
                 {"3,1O.5,20,12,21.5\n", "a field between its numbers that is no number"},
                 {"a;b;c;d\n10,5;20,5;3,5;4,5\n1;2;3;4\n", "line 2 of"},
                 {"1;10,5;20;12;21,5\n", "a field between its numbers"},
                 {"10,5;20,5;12,5;21,5\n100;30;99;33\n", "line 1 of"},
                 {"10,5;20,5;12,5;21,5\n100;30;99;33\n", "write numbers with decimal points"},
                 {"3,blobs.tif,20,12,21,5\n", "a field between its numbers that is no number"},
                 {"1,10.5,20,12,2l.5\n2,11,21,13,22\n", "line 2 of"},
                 {"1,10,20,12,21\n2,11,21,13,2l\n", "has 4 numbers, but the lines before it have 5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(cases[i].text);
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "read_landmarks", NAME(path), NEW), cases[i].says);
    }
}
END_TEST

/* Pixel x, y of the result lies at x + 1, y - 1 of the source. */
START_TEST(a_frame_moves_by_its_row)
{
    enum { WIDTH = 5, HEIGHT = 4 };
    reference_image image = reference_make(DRUA_UINT8, reference_plane(WIDTH, HEIGHT));
    write_text("\xEF\xBB\xBF \tFrame\tShift_X\tShift_Y\r\n1\t2\t1\t-1\r\n2\t1\t0\t0\r\n");
    REFERENCE_EACH_PIXEL (image.shape, x, y, z)
        reference_put(&image, x, y, z, (double)(10 * y + x + 1));
    const drua_image source = harness_push(context, &image);
    drua_argument arguments[] = {IMAGE(source), NEW, NAME(path), NUMBER(2)};
    REQUIRE(drua_invoke(context, "move_frame", arguments, 4, NULL));
    reference_image moved = harness_pull(context, arguments[1].image);
    REFERENCE_EACH_PIXEL (moved.shape, x, y, z)
        ck_assert_double_eq(reference_at(&moved, x, y, z),
                            x + 1 < WIDTH && y >= 1 ? (double)(10 * (y - 1) + x + 2) : 0);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "move_frame", IMAGE(source), NEW, NAME(path), NUMBER(3)),
            "0 rows for frame 3");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "move_frame", IMAGE(source), NEW, NAME(path), NUMBER(0)),
            "frame must be 1 or more");
    write_text("Frame;Shift_X;Shift_Y\n1;0,5;1,25\n");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "move_frame", IMAGE(source), NEW, NAME(path), NUMBER(1)),
            "has '0,5' as Shift_X; it must be a number below a million, with a decimal point");
    write_text("\"Drift, x\",Frame,Shift_X,Shift_Y\n\"5, 6\",1,0,0\n");
    REQUIRE(INVOKE(context, "move_frame", IMAGE(source), NEW, NAME(path), NUMBER(1)));
    write_text("Frame,Shift_X,Shift_Y,Shift_X\n1,1,2,3\n");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "move_frame", IMAGE(source), NEW, NAME(path), NUMBER(1)),
            "two columns Shift_X");
    reference_free(&moved);
    reference_free(&image);
}
END_TEST

/* A quarter turn: pixel x, y of the result lies at y, 3 - x of the source, in each slice. */
START_TEST(a_frame_turns_by_its_row)
{
    enum { SIDE = 4 };
    write_text("Frame,XX,XY,Shift_X,YX,YY,Shift_Y\n1,0,1,0,-1,0,3\n");
    for (int slices = 1; slices <= 3; slices += 2) {
        reference_image image = reference_make(DRUA_UINT8, (drua_shape){SIDE, SIDE, slices, slices > 1 ? 3 : 2});
        REFERENCE_EACH_PIXEL (image.shape, x, y, z)
            reference_put(&image, x, y, z, (double)(20 * z + SIDE * y + x + 1));
        drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NAME(path), NUMBER(1)};
        REQUIRE(drua_invoke(context, "move_frame", arguments, 4, NULL));
        reference_image moved = harness_pull(context, arguments[1].image);
        REFERENCE_EACH_PIXEL (moved.shape, x, y, z)
            ck_assert_double_eq(reference_at(&moved, x, y, z), (double)(20 * z + SIDE * (3 - x) + y + 1));
        reference_free(&moved);
        reference_free(&image);
    }
}
END_TEST

static void check_refused(const double *numbers, int columns, int rows, const char *mode, const char *says)
{
    reference_image image = reference_make(DRUA_UINT8, reference_plane(20, 20)),
                    pairs = reference_make(DRUA_FLOAT32, reference_plane(columns, rows));
    memcpy(pairs.pixels, numbers, (size_t)(columns * rows) * sizeof *numbers);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_landmarks", IMAGE(harness_push(context, &image)),
                   IMAGE(harness_push(context, &pairs)), NEW, NAME(mode)),
            says);
    reference_free(&image);
    reference_free(&pairs);
}

START_TEST(points_that_determine_nothing_are_refused)
{
    static const double line[] = {0, 0, 1, 1, 5, 2, 3, 3, 2, 9, 8, 8, 4, 4, 5, 5},
                        twice[] = {0, 0, 1, 1, 9, 1, 9, 1, 1, 9, 1, 9, 8, 8, 9, 1},
                        undefined[] = {0, 0, 1, 1, 9, NAN, 9, 1, 1, 9, 1, 9};
    check_refused(line, 4, 2, "affine", "at least 3");
    check_refused(line, 4, 4, "affine", "on a line");
    check_refused(line, 4, 4, "thin_plate", "on a line");
    check_refused(twice, 4, 4, "thin_plate", "landmarks 2 and 4");
    check_refused(undefined, 4, 3, "affine", "nan for landmark 2");
    check_refused(line, 5, 3, "affine", "5 x 3 x 1");
    check_refused(line, 6, 2, "affine", "source is a plane");
}
END_TEST

/* Two swapped points fold the image. The Log names the fold, and the table shows the points. */
START_TEST(a_folded_image_is_named)
{
    static const double numbers[] = {5,  5,  5,  5,  55, 6,  55, 6,  6,  44, 6,  44,
                                     54, 45, 54, 45, 25, 25, 35, 25, 35, 25, 25, 25};
    reference_image pairs = reference_make(DRUA_FLOAT32, reference_plane(4, 6));
    memcpy(pairs.pixels, numbers, sizeof numbers);
    drua_table *table;
    reference_image field = field_of(reference_plane(60, 50), &pairs, "thin_plate", &table);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "folds at"));
    ck_assert_double_gt(table->cells[4 * COLUMNS + AFFINE_ERROR], 5);
    drua_table_free(table);
    reference_free(&field);
    reference_free(&pairs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("landmarks");
    TCase *tests = tcase_create("landmarks");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, thin_plates_are_those_of_their_equations, 0, 2);
    tcase_add_test(tests, affine_transforms_are_least_squares);
    tcase_add_loop_test(tests, a_known_transform_moves_a_ramp, 0, 2);
    tcase_add_test(tests, tables_are_read);
    tcase_add_test(tests, bad_tables_are_refused);
    tcase_add_test(tests, a_frame_moves_by_its_row);
    tcase_add_test(tests, a_frame_turns_by_its_row);
    tcase_add_test(tests, points_that_determine_nothing_are_refused);
    tcase_add_test(tests, a_folded_image_is_named);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
