/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the columns of measure_labels with whole-line, flood-fill and two-pass references, and with known shapes. */
#include "measured.h"
#include "reference_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares of the half sphere for cubic voxels, as published (Ohser and Schladitz 2009). */
static const double cubic[7] = {2 * 0.04577789120476, 2 * 0.04577789120476, 2 * 0.04577789120476, 2 * 0.03698062787608,
                                2 * 0.03698062787608, 2 * 0.03698062787608, 2 * 0.03519563978232};

/* Box and centre in ImageJ's coordinates: pixel 0 reaches from 0 to 1. */
static void check_place(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    static const char *const names[3][3] = {{"BOX_X", "BOX_END_X", "CENTROID_X"},
                                            {"BOX_Y", "BOX_END_Y", "CENTROID_Y"},
                                            {"BOX_Z", "BOX_END_Z", "CENTROID_Z"}};
    int64_t n = 0;
    for (int axis = 0; axis < (labels->shape.depth > 1 ? 3 : 2); axis++) {
        double low = INFINITY, high = -INFINITY, sum = 0;
        n = 0;
        REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
            if ((int)reference_at(labels, x, y, z) == label) {
                const double at = (double)(axis == 0 ? x : axis == 1 ? y : z);
                low = fmin(low, at);
                high = fmax(high, at + 1);
                sum += at + 0.5;
                n++;
            }
        measured_check(table, label, names[axis][0], size[axis] * low, 1e-9);
        measured_check(table, label, names[axis][1], size[axis] * high, 1e-9);
        measured_check(table, label, names[axis][2], size[axis] * sum / (double)n, 1e-9);
    }
    measured_check(table, label, "PIXEL_COUNT", (double)n, 0);
}

static double variance_of(const reference_image *labels, int label, const double size[3], int p, int q, int r)
{
    const double both = labels->shape.depth > 1 ? size[2] : 1;
    return shape_moment(labels, label, size, p, q, r) /
           ((double)measured_count(labels, label) * size[0] * size[1] * both);
}

static void check_plane(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    const double area = size[0] * size[1] * (double)measured_count(labels, label),
                 perimeter = shape_perimeter(labels, label, size, 4);
    measured_check(table, label, "AREA", area, 1e-9 * area);
    measured_check(table, label, "PERIMETER", perimeter, 1e-9 * perimeter);
    measured_check(table, label, "PERIMETER_2_DIRECTIONS", shape_perimeter(labels, label, size, 2), 1e-9 * perimeter);
    measured_check(table, label, "EULER_NUMBER_4", shape_plane_euler(labels, label, false), 0);
    measured_check(table, label, "EULER_NUMBER_8", shape_plane_euler(labels, label, true), 0);
    measured_check(table, label, "CIRCULARITY", 4 * M_PI * area / (perimeter * perimeter), 1e-9);
    double m[3][3] = {{0}}, values[3];
    m[0][0] = variance_of(labels, label, size, 2, 0, 0) + size[0] * size[0] / 12;
    m[1][1] = variance_of(labels, label, size, 0, 2, 0) + size[1] * size[1] / 12;
    m[0][1] = m[1][0] = variance_of(labels, label, size, 1, 1, 0);
    shape_eigenvalues(m, values); /* the third axis has variance 0 */
    const double radius = 2 * sqrt(values[0]), across = 2 * sqrt(values[1]);
    measured_check(table, label, "ELLIPSE_RADIUS_1", radius, 1e-6 * radius);
    measured_check(table, label, "ELLIPSE_RADIUS_2", across, 1e-6 * radius);
    measured_check(table, label, "ASPECT_RATIO", radius / across, 1e-5 * radius / across);
    measured_check(table, label, "ELONGATION", 1 - across / radius, 1e-5);
    measured_check(table, label, "ECCENTRICITY", sqrt(fmax(0, 1 - values[1] / values[0])), 1e-3);
    measured_check(table, label, "ROUNDNESS", area / (M_PI * radius * radius), 1e-6);
    measured_check(table, label, "COMPACTNESS", sqrt(area / M_PI) / radius, 1e-6);
    if (values[0] > 1.01 * values[1]) { /* the axis points along the angle */
        const double angle = measured_cell(table, label, "ELLIPSE_ANGLE") * M_PI / 180;
        const double along = m[0][0] * cos(angle) * cos(angle) + m[1][1] * sin(angle) * sin(angle) +
                             2 * m[0][1] * cos(angle) * sin(angle);
        ck_assert_double_eq_tol(along, values[0], 1e-9 * values[0]);
    }
}

/* The axes are perpendicular unit vectors, a right-handed system, and the angles rotate x, y, z into them. */
static void check_axes(const drua_table *table, int label, double m[3][3], const double values[3])
{
    double axis[3][3], phi, theta, psi;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            char name[40];
            snprintf(name, sizeof name, "ELLIPSOID_AXIS_%d_%c", i + 1, "XYZ"[k]);
            axis[i][k] = measured_cell(table, label, name);
        }
    phi = measured_cell(table, label, "ELLIPSOID_PHI") * M_PI / 180;
    theta = measured_cell(table, label, "ELLIPSOID_THETA") * M_PI / 180;
    psi = measured_cell(table, label, "ELLIPSOID_PSI") * M_PI / 180;
    const double turned[3][3] = {{cos(phi) * cos(theta), sin(phi) * cos(theta), -sin(theta)},
                                 {cos(phi) * sin(theta) * sin(psi) - sin(phi) * cos(psi),
                                  sin(phi) * sin(theta) * sin(psi) + cos(phi) * cos(psi), cos(theta) * sin(psi)},
                                 {cos(phi) * sin(theta) * cos(psi) + sin(phi) * sin(psi),
                                  sin(phi) * sin(theta) * cos(psi) - cos(phi) * sin(psi), cos(theta) * cos(psi)}};
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(axis[i][k], turned[i][k], 1e-6);
            for (int l = 0; l < 3; l++)
                along += axis[i][k] * m[k][l] * axis[i][l];
        }
        ck_assert_double_eq_tol(along, values[i], 1e-6 * values[0]);
    }
}

static void check_ellipsoid(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    static const char *const names[] = {"ELLIPSOID_RADIUS_1", "ELLIPSOID_RADIUS_2", "ELLIPSOID_RADIUS_3"};
    double m[3][3], values[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int order[3] = {0};
            order[i]++;
            order[k]++;
            m[i][k] =
                variance_of(labels, label, size, order[0], order[1], order[2]) + (i == k ? size[i] * size[i] / 12 : 0);
        }
    shape_eigenvalues(m, values);
    for (int i = 0; i < 3; i++)
        measured_check(table, label, names[i], sqrt(5 * values[i]), 1e-6 * sqrt(5 * values[0]));
    measured_check(table, label, "ASPECT_RATIO_1_2", sqrt(values[0] / values[1]), 1e-5 * sqrt(values[0] / values[1]));
    measured_check(table, label, "ASPECT_RATIO_1_3", sqrt(values[0] / values[2]), 1e-5 * sqrt(values[0] / values[2]));
    measured_check(table, label, "ASPECT_RATIO_2_3", sqrt(values[1] / values[2]), 1e-5 * sqrt(values[1] / values[2]));
    measured_check(table, label, "ECCENTRICITY", sqrt(fmax(0, 1 - values[2] / values[0])), 1e-3);
    check_axes(table, label, m, values);
}

static void check_stack(const drua_table *table, const reference_image *labels, int label, const double size[3],
                        const double shares[7], double near)
{
    const double volume = size[0] * size[1] * size[2] * (double)measured_count(labels, label),
                 surface = shape_surface(labels, label, size, shares, 13),
                 coarse = shape_surface(labels, label, size, shares, 3);
    measured_check(table, label, "VOLUME", volume, 1e-9 * volume);
    measured_check(table, label, "SURFACE_AREA", surface, near * surface);
    measured_check(table, label, "SURFACE_AREA_3_DIRECTIONS", coarse, 1e-9 * coarse);
    measured_check(table, label, "MEAN_BREADTH_3_DIRECTIONS", shape_breadth(labels, label, size), 1e-9 * surface);
    measured_check(table, label, "EULER_NUMBER_6", shape_stack_euler(labels, label, false), 0);
    measured_check(table, label, "EULER_NUMBER_26", shape_stack_euler(labels, label, true), 0);
    const double sphericity = 36 * M_PI * volume * volume / pow(measured_cell(table, label, "SURFACE_AREA"), 3);
    measured_check(table, label, "SPHERICITY", sphericity, 1e-9);
    measured_check(table, label, "SPHERICITY_WADELL", cbrt(sphericity), 1e-9);
    const double radius = measured_cell(table, label, "ELLIPSOID_RADIUS_1");
    measured_check(table, label, "ROUNDNESS", volume / (4 * M_PI / 3 * pow(radius, 3)), 1e-9);
    measured_check(table, label, "COMPACTNESS", cbrt(3 * volume / (4 * M_PI)) / radius, 1e-9);
    check_ellipsoid(table, labels, label, size);
}

static void check_moments(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    const bool flat = labels->shape.depth == 1;
    for (int order = 0; order < 64; order++) {
        const int p = order % 4, q = order / 4 % 4, r = order / 16;
        if (p + q + r < 2 || p + q + r > 3 || (flat && r))
            continue;
        char name[20];
        const double expected = shape_moment(labels, label, size, p, q, r);
        snprintf(name, sizeof name, flat ? "MOMENT_%d%d" : "MOMENT_%d%d%d", p, q, r);
        measured_check(table, label, name, expected, 1e-9 * (1 + fabs(expected)) * pow(10 * size[0] + 10 * size[2], 3));
    }
}

/* Sum of powers of the pixels' positions in the image, times the size of a pixel. */
static double raw_moment(const reference_image *labels, int label, const double size[3], int p, int q, int r)
{
    const bool flat = labels->shape.depth == 1;
    long double sum = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        if ((int)reference_at(labels, x, y, z) == label)
            sum += powl(((long double)x + 0.5L) * size[0], p) * powl(((long double)y + 0.5L) * size[1], q) *
                   powl(((long double)z + 0.5L) * size[2], r);
    return (double)(sum * size[0] * size[1] * (flat ? 1 : size[2]));
}

static void check_raw_moments(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    const bool flat = labels->shape.depth == 1;
    for (int order = 0; order < 64; order++) {
        const int p = order % 4, q = order / 4 % 4, r = order / 16;
        if (p + q + r > 3 || (flat && r))
            continue;
        char name[20];
        const double expected = raw_moment(labels, label, size, p, q, r);
        snprintf(name, sizeof name, flat ? "RAW_MOMENT_%d%d" : "RAW_MOMENT_%d%d%d", p, q, r);
        measured_check(table, label, name, expected, 1e-12 * expected);
    }
}

static void check_size(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    static const char *const edges[3][2] = {{"BOX_X", "BOX_END_X"}, {"BOX_Y", "BOX_END_Y"}, {"BOX_Z", "BOX_END_Z"}};
    const bool flat = labels->shape.depth == 1;
    const double own = (double)measured_count(labels, label) * size[0] * size[1] * (flat ? 1 : size[2]);
    double box = 1;
    for (int axis = 0; axis < (flat ? 2 : 3); axis++)
        box *= measured_cell(table, label, edges[axis][1]) - measured_cell(table, label, edges[axis][0]);
    const double diameter = measured_cell(table, label, "EQUIVALENT_DIAMETER");
    ck_assert_double_eq_tol(flat ? M_PI / 4 * pow(diameter, 2) : M_PI / 6 * pow(diameter, 3), own, 1e-12 * own);
    measured_check(table, label, flat ? "BOX_AREA" : "BOX_VOLUME", box, 1e-9 * box);
    measured_check(table, label, "EXTENT", own / box, 1e-12);
}

static void check_random(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    enum { LABELS = 5 };
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}, {0.25, 0.25, 0.5}};
    static const char *const options[] = {"all units=pixels", "shape size moments raw_moments voxel=1,2,3",
                                          "all voxel=0.25,0.25,0.5"};
    const int which = harness_below(chance, 3);
    reference_image labels = measured_labels(chance, shape, type, LABELS);
    drua_table *table = measured_table(context, &labels, options[which]);
    double shares[7];
    shape_shares(sizes[which], shares);
    for (int label = 1; label <= (int)table->rows; label++) {
        if (measured_count(&labels, label) == 0) {
            measured_absent(table, label);
            continue;
        }
        check_place(table, &labels, label, sizes[which]);
        if (shape.depth == 1)
            check_plane(table, &labels, label, sizes[which]);
        else
            check_stack(table, &labels, label, sizes[which], which ? shares : cubic, which ? 0.01 : 1e-9);
        check_moments(table, &labels, label, sizes[which]);
        check_raw_moments(table, &labels, label, sizes[which]);
        check_size(table, &labels, label, sizes[which]);
    }
    drua_table_free(table);
    reference_free(&labels);
}

START_TEST(random_labels)
{
    enum { TYPES = 7 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {1, 17, 1, 2}, {9, 1, 1, 2}, {13, 11, 9, 3},
                                        {16, 40, 5, 3}, {1, 7, 6, 3},   {7, 1, 1, 2},  {5, 6, 2, 3}, {35, 4, 8, 3}};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 1};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_random(context, &chance, shapes[i], harness_types[(i + (size_t)_i) % TYPES]);
    drua_close(context);
}
END_TEST

/* The ball of MorphoLibJ's tests: radius 20, its centre beside the middle of a voxel. */
static reference_image make_ball(double radius)
{
    reference_image image = reference_make(DRUA_UINT8, reference_stack(50, 50, 50));
    REFERENCE_EACH_PIXEL (image.shape, x, y, z)
        reference_put(&image, x, y, z,
                      pow((double)x - 25.12, 2) + pow((double)y - 25.23, 2) + pow((double)z - 25.34, 2) <=
                          radius * radius);
    return image;
}

/* Numbers of a separate program that adds up MorphoLibJ's formulas voxel by voxel. */
START_TEST(known_stacks)
{
    static const int odd[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}, {1, 2, 1}, {2, 2, 1},
                                 {3, 2, 1}, {4, 2, 1}, {5, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 3, 1}, {4, 3, 1},
                                 {5, 3, 1}, {3, 2, 2}, {6, 4, 1}, {6, 4, 2}, {1, 1, 2}};
    drua_context *context = harness_open();
    reference_image image = make_ball(20);
    drua_table *table = measured_table(context, &image, "");
    measured_check(table, 1, "SURFACE_AREA", 5024.857437822566, 1e-6);
    measured_check(table, 1, "MEAN_BREADTH", 39.97328475423285, 1e-8);
    measured_check(table, 1, "EULER_NUMBER_6", 1, 0);
    measured_check(table, 1, "EULER_NUMBER_26", 1, 0);
    measured_check(table, 1, "VOLUME", 33510, 15);
    drua_table_free(table);
    reference_free(&image);
    image = reference_make(DRUA_UINT16, reference_stack(8, 6, 4));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        reference_put(&image, odd[i][0], odd[i][1], odd[i][2], 1);
    table = measured_table(context, &image, "shape");
    measured_check(table, 1, "SURFACE_AREA", 42.13511492331042, 1e-8);
    measured_check(table, 1, "MEAN_BREADTH", 4.743837514926499, 1e-9);
    drua_table_free(table);
    table = measured_table(context, &image, "voxel=1,2,3");
    measured_check(table, 1, "SURFACE_AREA", 126.02665577890286, 1e-7);
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* A line beyond 2^16 pixels: sums of squares exceed 2^32, and of order 3 are given up. */
START_TEST(long_line)
{
    drua_context *context = harness_open();
    const int64_t length = 70001;
    reference_image line = reference_make(DRUA_UINT8, reference_plane(length, 1));
    REFERENCE_EACH_PIXEL (line.shape, x, y, z)
        reference_put(&line, x, y, z, 1);
    drua_table *table = measured_table(context, &line, "shape moments raw_moments");
    const double n = (double)length;
    measured_check(table, 1, "MOMENT_20", n * (n * n - 1) / 12, 1);
    measured_check(table, 1, "ELLIPSE_RADIUS_1", 2 * sqrt(n * n / 12), 1e-6);
    measured_check(table, 1, "ELLIPSE_RADIUS_2", 2 * sqrt(1.0 / 12), 1e-6);
    ck_assert(isnan(measured_cell(table, 1, "MOMENT_30")));
    measured_check(table, 1, "RAW_MOMENT_20", n * (4 * n * n - 1) / 12, 1);
    ck_assert(isnan(measured_cell(table, 1, "RAW_MOMENT_30")));
    drua_table_free(table);
    reference_free(&line);
    drua_close(context);
}
END_TEST

START_TEST(calibration_and_words)
{
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(6, 5));
    reference_put(&image, 1, 1, 0, 2);
    reference_put(&image, 2, 1, 0, 2);
    const drua_image labels = harness_push(context, &image);
    REQUIRE(drua_set_metadata(context, labels, "pixelWidth=0.5\npixelHeight=0.25\npixelDepth=2\nunit=micron\n"));
    drua_argument arguments[] = {IMAGE(labels), IMAGE(labels), NAME("shape prefix=a_")};
    drua_table *table = NULL;
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    ck_assert_uint_eq(table->rows, 2);
    measured_absent(table, 1);
    measured_check(table, 2, "a_AREA", 0.25, 1e-12);
    measured_check(table, 2, "a_CENTROID_X", 1, 1e-12);
    measured_check(table, 2, "a_CENTROID_Y", 0.375, 1e-12);
    drua_table_free(table);
    arguments[2] = NAME("units=pixels");
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    measured_check(table, 2, "AREA", 2, 1e-12);
    drua_table_free(table);
    arguments[2] = NAME("shapes");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "measure_labels", "shapes");
    reference_free(&image);
    image = reference_make(DRUA_UINT8, reference_plane(6, 5));
    table = measured_table(context, &image, "all");
    ck_assert_uint_eq(table->rows, 0);
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* Whether a table has a column with this heading. */
static bool has_heading(const drua_table *table, const char *heading)
{
    size_t i = 0;
    while (i < table->columns && strcmp(table->headings[i], heading) != 0)
        i++;
    return i < table->columns;
}

/* Headings name the unit of the metadata, pixels, or an unknown unit; numbers do not change. */
START_TEST(units_in_headings)
{
    static const struct {
        const char *options, *metadata, *headings[4];
    } cases[] = {
        {"all", "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=micron\n", {"AREA", "FERET_MAX_ANGLE", "MOMENT_21"}},
        {"all raw_moments units_in_headings prefix=a_",
         "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=micron\n",
         {"a_AREA (micron^2)", "a_FERET_MAX_ANGLE (degree)", "a_RAW_MOMENT_21 (micron^5)", "a_CIRCULARITY"}},
        {"shape units_in_headings units=pixels",
         "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=micron\n",
         {"PERIMETER (pixel)", "AREA (pixel^2)", "PIXEL_COUNT"}},
        {"shape units_in_headings", "", {"PERIMETER (pixel)"}},
        {"shape units_in_headings voxel=2,2,2", "unit=pixel\n", {"PERIMETER (unit)", "EULER_NUMBER_8"}},
        {"geodesic skeleton units_in_headings",
         "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=mm\n",
         {"GEODESIC_DIAMETER (mm)", "GEODESIC_ELONGATION", "SKELETON_LENGTH (mm)", "SKELETON_PIXELS"}},
        {"units_in_headings", "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=a,b\n", {"AREA (unit^2)"}}};
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(6, 5));
    reference_put(&image, 1, 1, 0, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const drua_image labels = harness_push(context, &image);
        drua_table *table = NULL;
        REQUIRE(drua_set_metadata(context, labels, cases[i].metadata));
        drua_argument arguments[] = {IMAGE(labels), IMAGE(labels), NAME(cases[i].options)};
        REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
        for (int k = 0; k < 4 && cases[i].headings[k]; k++)
            ck_assert_msg(has_heading(table, cases[i].headings[k]), "case %zu has no %s", i, cases[i].headings[k]);
        drua_table_free(table);
    }
    reference_put(&image, 2, 1, 0, 2);
    const drua_image labels = harness_push(context, &image);
    REQUIRE(drua_set_metadata(context, labels, "pixelWidth=2\npixelHeight=2\npixelDepth=2\nunit=nm\n"));
    drua_argument arguments[] = {IMAGE(labels), NAME("units_in_headings dams")};
    drua_table *table = NULL;
    REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &table));
    ck_assert(has_heading(table, "CONTACT_LENGTH (nm)") && has_heading(table, "DAM_SIDES"));
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

/* A map shows the columns of the table, and 0 without labels. */
START_TEST(maps)
{
    static const char *const columns[] = {"AREA", "TORTUOSITY", "RADIAL_MEAN_5", "TEXTURE_CONTRAST", "CONVEXITY"};
    drua_context *context = harness_open();
    harness_random chance = {77};
    reference_image labels = measured_labels(&chance, reference_plane(40, 31), DRUA_UINT16, 6),
                    grey = harness_image(&chance, DRUA_UINT8, labels.shape, HARNESS_GREY);
    drua_table *table = measured_table_of(context, &grey, &labels, "all shells=5 voxel=2,3,1");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        drua_argument arguments[] = {IMAGE(harness_push(context, &grey)), IMAGE(harness_push(context, &labels)), NEW,
                                     NAME(columns[i]), NAME("shells=5 voxel=2,3,1")};
        REQUIRE(drua_invoke(context, "measure_labels_map", arguments, 5, NULL));
        reference_image map = harness_pull(context, arguments[2].image);
        ck_assert_int_eq(map.type, DRUA_FLOAT32);
        REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
            const int label = (int)reference_at(&labels, x, y, z);
            const double expected = label > 0 ? (double)(float)measured_cell(table, label, columns[i]) : 0,
                         got = reference_at(&map, x, y, z);
            ck_assert_msg(got == expected || (isnan(got) && isnan(expected)), "%s of label %d: %g, not %g", columns[i],
                          label, got, expected);
        }
        reference_free(&map);
        REQUIRE(drua_clear(context));
    }
    drua_argument arguments[] = {IMAGE(harness_push(context, &grey)), IMAGE(harness_push(context, &labels)), NEW,
                                 NAME("VOLUME"), NAME("")};
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels_map", arguments, 5, NULL), "measure_labels_map",
            "column", "planes", "VOLUME");
    arguments[3] = NAME("RADIAL_MEAN_5");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels_map", arguments, 5, NULL), "RADIAL_MEAN_5");
    drua_table_free(table);
    reference_free(&labels);
    labels = reference_make(DRUA_UINT16, grey.shape);
    drua_argument none[] = {arguments[0], IMAGE(harness_push(context, &labels)), NEW, NAME("AREA"), NAME("")};
    REQUIRE(drua_invoke(context, "measure_labels_map", none, 5, NULL));
    reference_image map = harness_pull(context, none[2].image);
    for (size_t i = 0; i < reference_count(&map); i++)
        ck_assert_double_eq(map.pixels[i], 0);
    reference_free(&map);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_shapes");
    TCase *tests = tcase_create("label_shapes");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 6);
    harness_add(tests, known_stacks, 1);
    harness_add(tests, long_line, 1);
    harness_add(tests, calibration_and_words, 1);
    harness_add(tests, units_in_headings, 1);
    harness_add(tests, maps, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
