/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares measure_labels with numbers of scikit-image 0.26.0: regionprops, perimeter_crofton and euler_number. */
#include "measured.h"

#include <math.h>
#include <stdlib.h>

/* ---- a plane with labels 1, 2, 4 and 5 */

static bool is_disc(int64_t x, int64_t y)
{
    return (x - 20) * (x - 20) + 2 * (y - 18) * (y - 18) <= 225 && !(x > 25 && y > 20);
}

static bool is_bar(int64_t x, int64_t y)
{
    return llabs(3 * (x - 55) + 2 * (y - 20)) <= 40 && llabs(2 * (x - 55) - 3 * (y - 20)) <= 20 &&
           (x - 58) * (x - 58) + (y - 20) * (y - 20) > 9;
}

static bool is_sieve(int64_t x, int64_t y)
{
    return x > 5 && x < 40 && y > 38 && y < 56 && (x - 20) * (y - 47) % 5 != 0;
}

static bool is_ring(int64_t x, int64_t y)
{
    const int64_t square = (x - 62) * (x - 62) + (y - 46) * (y - 46);
    return square <= 144 && square > 36;
}

static int label_of_plane(int64_t x, int64_t y)
{
    if (is_ring(x, y))
        return 5;
    if (is_sieve(x, y))
        return 4;
    return is_bar(x, y) ? 2 : is_disc(x, y);
}

/* scikit-image numbers the centres of pixels, so 0.5 was added to positions. */
static const char *const of_plane[] = {"PIXEL_COUNT",
                                       "CENTROID_X",
                                       "CENTROID_Y",
                                       "BOX_X",
                                       "BOX_Y",
                                       "BOX_END_X",
                                       "BOX_END_Y",
                                       "PERIMETER",
                                       "PERIMETER_2_DIRECTIONS",
                                       "EULER_NUMBER_4",
                                       "EULER_NUMBER_8",
                                       "ELLIPSE_RADIUS_1",
                                       "ELLIPSE_RADIUS_2",
                                       "ECCENTRICITY",
                                       "CONVEX_AREA",
                                       "SOLIDITY",
                                       "HU_1",
                                       "HU_2",
                                       "HU_3",
                                       "HU_4",
                                       "HU_5",
                                       "HU_6",
                                       "HU_7",
                                       "MEAN_INTENSITY",
                                       "STANDARD_DEVIATION_INTENSITY",
                                       "MINIMUM_INTENSITY",
                                       "MAXIMUM_INTENSITY",
                                       "MASS_CENTER_X",
                                       "MASS_CENTER_Y"};
enum { PLANE_COLUMNS = sizeof of_plane / sizeof *of_plane };
static const double plane[4][PLANE_COLUMNS] = {
    {455,
     19.62307692,
     17.98791209,
     5,
     8,
     36,
     29,
     84.71417351,
     81.68140899,
     1,
     1,
     14.52640956,
     10.35784178,
     0.7011282059,
     503,
     0.9045725646,
     0.1748909127,
     0.003248479408,
     0.0001453556463,
     2.101999059e-05,
     7.017329481e-10,
     1.113197955e-06,
     9.260439901e-10,
     128.4879121,
     73.01819258,
     0,
     250,
     19.67460915,
     17.93980705},
    {226,
     55.11504425,
     20.5,
     43,
     10,
     68,
     31,
     86.55447588,
     94.24777961,
     1,
     0,
     13.57303138,
     6.755755508,
     0.8673298888,
     269,
     0.8401486989,
     0.254278112,
     0.02350216129,
     0.0001312195324,
     0.0001663519074,
     2.242921625e-08,
     2.064472114e-05,
     -1.004951289e-08,
     125.1371681,
     71.92217856,
     0,
     249,
     55.04913193,
     20.35233903},
    {392,
     23,
     47.5,
     6,
     39,
     40,
     56,
     367.084788,
     329.8672286,
     28,
     28,
     20.1246118,
     10.11364001,
     0.8645476741,
     578,
     0.678200692,
     0.3235240525,
     0.03727122926,
     0,
     0,
     0,
     0,
     0,
     122.244898,
     72.55403493,
     0,
     250,
     22.81239566,
     47.52940317},
    {328,         62.5,        46.5,        50,  34,           75,           59,         115.2262971, 119.3805208, 0, 0,
     13.27844393, 13.27844393, 0,           465, 0.7053763441, 0.2687760262, 0,          0,           0,           0, 0,
     0,           124.5213415, 71.07600386, 0,   250,          62.23043116,  46.30410352}};

/* ---- a stack with labels 1 to 3 */

static int label_of_stack(int64_t x, int64_t y, int64_t z)
{
    const int64_t ring = (x - 12) * (x - 12) + (y - 20) * (y - 20) - 30;
    if (ring >= -20 && ring <= 20 && z >= 16 && z < 20)
        return 3;
    if (llabs(2 * (x - 22) + y - 12 + z - 10) <= 14 && llabs(x - 22 - 2 * (y - 12)) <= 12 && llabs(z - 10) <= 6 &&
        x > 17)
        return 2;
    return (x - 9) * (x - 9) + (y - 10) * (y - 10) + 2 * (z - 9) * (z - 9) <= 64;
}

static const char *const of_stack[] = {"PIXEL_COUNT",    "CENTROID_X",      "CENTROID_Y",         "CENTROID_Z",
                                       "EULER_NUMBER_6", "EULER_NUMBER_26", "ELLIPSOID_RADIUS_1", "ELLIPSOID_RADIUS_3",
                                       "MEAN_INTENSITY", "MASS_CENTER_X",   "MASS_CENTER_Y",      "MASS_CENTER_Z"};
enum { STACK_COLUMNS = sizeof of_stack / sizeof *of_stack };
static const double stack[3][STACK_COLUMNS] = {
    {1519, 9.5, 10.5, 9.5, 1, 1, 7.9655281, 5.706792322, 126.114549, 9.465604903, 10.51056022, 9.489617264},
    {1617, 23.49072356, 12.62183055, 10.09245516, 1, 1, 9.366528085, 6.440593038, 124.4873222, 23.49553891, 12.61576484,
     10.08995708},
    {528, 12.5, 20.5, 18, 0, 0, 8.703882798, 2.5, 123.3522727, 12.47213266, 20.60113619, 18.00170428}};

/* ---- tests */

/* scikit-image leaves out the extent of a pixel, 1/12 in each variance. */
static double with_extent(double radius, double factor)
{
    return sqrt(radius * radius + factor / 12);
}

START_TEST(planes)
{
    static const int numbers[] = {1, 2, 4, 5};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(80, 60)),
                    grey = reference_make(DRUA_UINT8, labels.shape);
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        reference_put(&labels, x, y, z, label_of_plane(x, y));
        reference_put(&grey, x, y, z, (x * 31 + y * 17 + x * y * 3 + x * x / 7) % 251);
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "all");
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < PLANE_COLUMNS; i++) {
            const double expected = plane[row][i];
            if (i == 13)
                continue; /* follows from the radii, which include the extent of a pixel here */
            measured_check(table, numbers[row], of_plane[i], i == 11 || i == 12 ? with_extent(expected, 4) : expected,
                           1e-6 + 1e-8 * fabs(expected));
        }
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

START_TEST(stacks)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(32, 28, 24)),
                    grey = reference_make(DRUA_UINT8, labels.shape);
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        reference_put(&labels, x, y, z, label_of_stack(x, y, z));
        reference_put(&grey, x, y, z, (x * 31 + y * 17 + z * 11 + x * y * 3 + x * z / 7) % 251);
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "all");
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < STACK_COLUMNS; i++) {
            const double expected = stack[row][i];
            measured_check(table, row + 1, of_stack[i], i == 6 || i == 7 ? with_extent(expected, 5) : expected,
                           1e-6 + 1e-8 * fabs(expected));
        }
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/*
 * All columns of the table in the notebook feature_extraction_3d of cubic (Kalinin et al. 2025), on the same stack with
 * a cavity in label 1. The axes and the eigenvalues of the inertia tensor follow from the radii.
 */
START_TEST(columns_of_a_notebook)
{
    static const char *const names[] = {"PIXEL_COUNT",
                                        "BOX_VOLUME",
                                        "CONVEX_VOLUME",
                                        "FILLED_VOLUME",
                                        "EQUIVALENT_DIAMETER",
                                        "EULER_NUMBER_26",
                                        "EXTENT",
                                        "SOLIDITY",
                                        "MAXIMUM_INTENSITY",
                                        "MEAN_INTENSITY",
                                        "MINIMUM_INTENSITY",
                                        "STANDARD_DEVIATION_INTENSITY"};
    enum { COLUMNS = sizeof names / sizeof *names };
    static const double expected[3][COLUMNS] =
        {{1462, 3179, 1655, 1519, 14.08152153, 2, 0.4598930481, 0.8833836858, 250, 126.1723666, 0, 71.88920532},
         {1617, 3094, 1798, 1617, 14.56254004, 1, 0.5226244344, 0.8993325918, 250, 124.4873222, 0, 72.37556652},
         {528, 900, 708, 528, 10.02794092, 0, 0.5866666667, 0.7457627119, 250, 123.3522727, 0, 72.99089915}},
                        axes[3][2] = {{16.21082039, 11.59508363}, {18.73305617, 12.88118608}, {17.4077656, 5}},
                        inertia[3][3] = {{26.27906977, 19.86183311, 19.86183311},
                                         {28.01438194, 25.84261741, 18.76426},
                                         {30.3030303, 16.40151515, 16.40151515}};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_stack(32, 28, 24)),
                    grey = reference_make(DRUA_UINT8, labels.shape);
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        const int64_t square = (x - 9) * (x - 9) + (y - 10) * (y - 10) + (z - 9) * (z - 9);
        reference_put(&labels, x, y, z, square <= 5 ? 0 : label_of_stack(x, y, z));
        reference_put(&grey, x, y, z, (x * 31 + y * 17 + z * 11 + x * y * 3 + x * z / 7) % 251);
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "shape size hull outline intensity units=pixels");
    for (int row = 0; row < 3; row++) {
        double variances[3];
        for (int i = 0; i < COLUMNS; i++)
            measured_check(table, row + 1, names[i], expected[row][i], 1e-6 + 1e-8 * expected[row][i]);
        for (int i = 0; i < 3; i++) {
            static const char *const radii[] = {"ELLIPSOID_RADIUS_1", "ELLIPSOID_RADIUS_2", "ELLIPSOID_RADIUS_3"};
            const double radius = measured_cell(table, row + 1, radii[i]);
            variances[i] = radius * radius / 5 - 1.0 / 12;
        }
        ck_assert_double_eq_tol(2 * sqrt(5 * variances[0]), axes[row][0], 1e-6);
        ck_assert_double_eq_tol(2 * sqrt(5 * variances[2]), axes[row][1], 1e-6);
        ck_assert_double_eq_tol(variances[0] + variances[1], inertia[row][0], 1e-6);
        ck_assert_double_eq_tol(variances[0] + variances[2], inertia[row][1], 1e-6);
        ck_assert_double_eq_tol(variances[1] + variances[2], inertia[row][2], 1e-6);
    }
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_regionprops");
    TCase *tests = tcase_create("label_regionprops");
    tcase_set_timeout(tests, 600);
    harness_add(tests, planes, 1);
    harness_add(tests, stacks, 1);
    harness_add(tests, columns_of_a_notebook, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
