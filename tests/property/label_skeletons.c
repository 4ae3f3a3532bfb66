/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the skeletons of measure_labels with the reference skeleton of each label alone, and with known lines. */
#include "measured.h"

#include <math.h>
#include <stdlib.h>

static bool is_set(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    const drua_shape s = image->shape;
    return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth &&
           reference_at(image, x, y, z) != 0;
}

/* Whether two set pixels are joined: no third one lies in the box that they span. */
static bool are_joined(const reference_image *image, const int64_t a[3], const int64_t b[3])
{
    int set = 0;
    for (int64_t z = a[2] < b[2] ? a[2] : b[2]; z <= a[2] || z <= b[2]; z++)
        for (int64_t y = a[1] < b[1] ? a[1] : b[1]; y <= a[1] || y <= b[1]; y++)
            for (int64_t x = a[0] < b[0] ? a[0] : b[0]; x <= a[0] || x <= b[0]; x++)
                set += is_set(image, x, y, z);
    return set == 2;
}

/* Distance to the nearest pixel with another number in `labels`; infinity without such a pixel. */
static double distance_to_others(const reference_image *labels, const int64_t at[3], const double size[3])
{
    const double own = reference_at(labels, at[0], at[1], at[2]);
    double least = INFINITY;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        if (reference_at(labels, x, y, z) != own)
            least = fmin(least, pow((double)(x - at[0]) * size[0], 2) + pow((double)(y - at[1]) * size[1], 2) +
                                    pow((double)(z - at[2]) * size[2], 2));
    return sqrt(least);
}

static void check_skeleton(const drua_table *table, const reference_image *labels, int label, const double size[3])
{
    reference_image alone = reference_make(DRUA_UINT8, labels->shape), thin = reference_make(DRUA_UINT8, labels->shape);
    double length = 0, distances = 0;
    int pixels = 0, ends = 0, branches = 0;
    for (size_t i = 0; i < reference_count(labels); i++)
        alone.pixels[i] = (int)labels->pixels[i] == label;
    reference_skeletonize(&alone, &thin);
    REFERENCE_EACH_PIXEL (thin.shape, x, y, z) {
        int joined = 0;
        if (!is_set(&thin, x, y, z))
            continue;
        for (int i = 0; i < 27; i++) {
            const int64_t step[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            const int64_t here[3] = {x, y, z}, there[3] = {x + step[0], y + step[1], z + step[2]};
            if (i == 13 || !is_set(&thin, there[0], there[1], there[2]) || !are_joined(&thin, here, there))
                continue;
            joined++;
            length += sqrt(pow((double)step[0] * size[0], 2) + pow((double)step[1] * size[1], 2) +
                           pow((double)step[2] * size[2], 2)) /
                      2;
        }
        distances += distance_to_others(&alone, (const int64_t[]){x, y, z}, size);
        pixels++;
        ends += joined == 1;
        branches += joined > 2;
    }
    measured_check(table, label, "SKELETON_LENGTH", pixels ? length : NAN, 1e-9 * (1 + length));
    measured_check(table, label, "SKELETON_PIXELS", pixels ? pixels : NAN, 0);
    measured_check(table, label, "SKELETON_BRANCH_POINTS", pixels ? branches : NAN, 0);
    measured_check(table, label, "SKELETON_END_POINTS", pixels ? ends : NAN, 0);
    measured_check(table, label, "AVERAGE_THICKNESS",
                   pixels && !isinf(distances) ? 2 * distances / pixels - size[0] : NAN, size[0] / 4096);
    reference_free(&thin);
    reference_free(&alone);
}

START_TEST(random_labels)
{
    enum { TYPES = 7, LABELS = 5 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {9, 1, 1, 2}, {13, 11, 9, 3}, {5, 6, 2, 3}};
    static const char *const options[] = {"skeleton units=pixels", "all voxel=1,2,3"};
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 81};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int which = harness_below(&chance, 2);
        reference_image labels = measured_labels(&chance, shapes[i], harness_types[(i + (size_t)_i) % TYPES], LABELS);
        drua_table *table = measured_table(context, &labels, options[which]);
        for (int label = 1; label <= (int)table->rows; label++)
            check_skeleton(table, &labels, label, sizes[which]);
        drua_table_free(table);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

/* Thick bands that touch and extend over several tiles of a launch (kernels/morphology/skeleton_plane.cl). */
START_TEST(labels_extend_over_tiles)
{
    enum { LABELS = 6, WIDTH = 290, HEIGHT = 170, BAND = 45 };
    static const double size[3] = {1, 1, 1};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT16, reference_plane(WIDTH, HEIGHT));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        const int64_t wave = x + y / 2 + (y / 25 % 2) * (x % 9);
        reference_put(&labels, x, y, z, 1 + (int)(wave / BAND % LABELS));
    }
    drua_table *table = measured_table(context, &labels, "skeleton units=pixels");
    ck_assert_uint_eq(table->rows, LABELS);
    for (int label = 1; label <= LABELS; label++)
        check_skeleton(table, &labels, label, size);
    drua_table_free(table);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

static void draw_line(reference_image *image, int x, int y, int dx, int dy, int steps, int label)
{
    for (int i = 0; i <= steps; i++)
        reference_put(image, x + i * dx, y + i * dy, 0, label);
}

static void check_line(const drua_table *table, int label, double length, int branches, int ends)
{
    measured_check(table, label, "SKELETON_LENGTH", length, 1e-9);
    measured_check(table, label, "SKELETON_BRANCH_POINTS", branches, 0);
    measured_check(table, label, "SKELETON_END_POINTS", ends, 0);
}

/* A pixel, a line, a T, a cross of diagonals, a ring, and two touching bars of different labels. */
START_TEST(known_lines)
{
    drua_context *context = harness_open();
    reference_image image = reference_make(DRUA_UINT8, reference_plane(48, 24));
    reference_put(&image, 1, 1, 0, 1);
    draw_line(&image, 4, 1, 1, 0, 9, 2);
    draw_line(&image, 1, 4, 1, 0, 10, 3);
    draw_line(&image, 6, 4, 0, 1, 6, 3);
    draw_line(&image, 20, 1, 1, 1, 8, 4);
    draw_line(&image, 28, 1, -1, 1, 8, 4);
    draw_line(&image, 34, 2, 1, 0, 4, 5);
    draw_line(&image, 34, 6, 1, 0, 4, 5);
    draw_line(&image, 33, 3, 0, 1, 2, 5);
    draw_line(&image, 39, 3, 0, 1, 2, 5);
    for (int row = 14; row < 17; row++) {
        draw_line(&image, 5, row, 1, 0, 20, 6);
        draw_line(&image, 5, row + 3, 1, 0, 20, 7);
    }
    drua_table *table = measured_table(context, &image, "skeleton");
    check_line(table, 1, 0, 0, 0);
    check_line(table, 2, 9, 0, 2);
    check_line(table, 3, 13 + 2 * sqrt(2), 1, 3); /* thinning takes the pixel in the corner of both lines */
    check_line(table, 4, 16 * sqrt(2), 1, 4);
    check_line(table, 5, 12 + 4 * sqrt(2), 0, 0);
    for (int label = 6; label <= 7; label++) {
        measured_check(table, label, "SKELETON_LENGTH", 18.5, 2);
        measured_check(table, label, "SKELETON_END_POINTS", 2, 0);
        measured_check(table, label, "SKELETON_BRANCH_POINTS", 0, 0);
        measured_check(table, label, "AVERAGE_THICKNESS", 2 * (19 * 2 + 2 * 1) / 21.0 - 1,
                       1e-3); /* 2, and 1 at both ends */
    }
    drua_table_free(table);
    reference_free(&image);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_skeletons");
    TCase *tests = tcase_create("label_skeletons");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, labels_extend_over_tiles, 1);
    harness_add(tests, known_lines, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
