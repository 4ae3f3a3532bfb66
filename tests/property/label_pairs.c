/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares measured contacts between labels with counts over all pairs of neighbouring pixels. */
#include "measured.h"
#include "reference_shape.h"

#include <math.h>
#include <stdlib.h>

enum { LABELS = 6 };

/*
 * Sums, over 13 directions, the pairs of adjacent pixels that lie in the two labels, each weighted by the direction's
 * share of the half sphere. `sides` counts pairs that share a side.
 */
static double contact_of(const reference_image *labels, int a, int b, const double size[3], const double shares[7],
                         int64_t *sides)
{
    const bool flat = labels->shape.depth == 1;
    double sum = 0;
    *sides = 0;
    REFERENCE_EACH_AROUND(dx, dy, dz)
    {
        if (dz < 0 || (dz == 0 && (dy < 0 || (dy == 0 && dx <= 0))) || (flat && dz))
            continue;
        int64_t count = 0;
        REFERENCE_EACH_PIXEL (labels->shape, x, y, z) {
            if (!reference_is_inside(labels->shape, x + dx, y + dy, z + dz))
                continue;
            const int first = (int)reference_at(labels, x, y, z),
                      second = (int)reference_at(labels, x + dx, y + dy, z + dz);
            count += (first == a && second == b) || (first == b && second == a);
        }
        static const int weight_class[8] = {0, 0, 1, 3, 2, 4, 5, 6};
        const int class = weight_class[(dx != 0) + 2 * (dy != 0) + 4 * (dz != 0)];
        const double length = sqrt(pow(dx * size[0], 2) + pow(dy * size[1], 2) + pow(dz * size[2], 2)),
                     slope = atan2(size[1], size[0]);
        const double share = class == 0 ? slope / M_PI : class == 1 ? 0.5 - slope / M_PI : 0.25;
        *sides += class < 3 ? count : 0;
        sum += (double)count / length *
               (flat ? M_PI / 2 * share * size[0] * size[1] : 2 * shares[class] * size[0] * size[1] * size[2]);
    }
    return sum;
}

static void check_outline(const drua_table *table, const reference_image *labels, int label, int neighbors)
{
    int64_t all = 0, touching = 0, border = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        REFERENCE_EACH_AROUND(dx, dy, dz)
        {
            if (abs(dx) + abs(dy) + abs(dz) != 1 || (dz && labels->shape.depth == 1) ||
                (int)reference_at(labels, x, y, z) != label)
                continue;
            const bool inside = reference_is_inside(labels->shape, x + dx, y + dy, z + dz);
            const int other = inside ? (int)reference_at(labels, x + dx, y + dy, z + dz) : 0;
            all += other != label;
            touching += other != label && other != 0;
            border += !inside;
        }
    measured_check(table, label, "NEIGHBOR_COUNT", all ? neighbors : NAN, 0);
    measured_check(table, label, "SHARE_TOUCHING", (double)touching / (double)all, 1e-12);
    measured_check(table, label, "SHARE_AT_BORDER", (double)border / (double)all, 1e-12);
}

static void check_labels(drua_context *context, const reference_image *labels, const double size[3],
                         const double shares[7], const char *options, double near)
{
    const bool flat = labels->shape.depth == 1;
    drua_table *pairs = NULL, *table = measured_table(context, labels, "neighbors units=pixels");
    drua_argument arguments[] = {IMAGE(harness_push(context, labels)), NAME(options)};
    int neighbors[LABELS + 1] = {0};
    size_t row = 0;
    REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
    ck_assert_str_eq(pairs->headings[3], flat ? "CONTACT_LENGTH" : "CONTACT_AREA");
    for (int a = 1; a <= LABELS; a++)
        for (int b = a + 1; b <= LABELS; b++) {
            int64_t sides;
            const double contact = contact_of(labels, a, b, size, shares, &sides);
            if (sides == 0)
                continue;
            ck_assert_uint_lt(row, pairs->rows);
            const double *cell = pairs->cells + 4 * row++;
            ck_assert_double_eq(cell[0], a);
            ck_assert_double_eq(cell[1], b);
            ck_assert_double_eq(cell[2], (double)sides);
            ck_assert_double_eq_tol(cell[3], contact, near * contact);
            neighbors[a]++;
            neighbors[b]++;
        }
    ck_assert_uint_eq(row, pairs->rows);
    for (int label = 1; label <= (int)table->rows; label++)
        check_outline(table, labels, label, neighbors[label]);
    drua_table_free(table);
    drua_table_free(pairs);
    REQUIRE(drua_clear(context));
}

/* The shares of the half sphere of directions along x, y, z, xy, xz, yz, xyz for cubic voxels. */
static const double cubic[7] = {2 * 0.04577789120476, 2 * 0.04577789120476, 2 * 0.04577789120476, 2 * 0.03698062787608,
                                2 * 0.03698062787608, 2 * 0.03698062787608, 2 * 0.03519563978232};

START_TEST(random_labels)
{
    enum { TYPES = 7 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {9, 1, 1, 2},
                                        {13, 11, 9, 3}, {5, 6, 2, 3},   {1, 7, 6, 3}};
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}};
    double uneven[7];
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 31};
    shape_shares(sizes[1], uneven);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int which = harness_below(&chance, 2);
        const bool exact = which == 0 || shapes[i].depth == 1;
        reference_image labels = measured_labels(&chance, shapes[i], harness_types[(i + (size_t)_i) % TYPES], LABELS);
        check_labels(context, &labels, sizes[which], which ? uneven : cubic, which ? "voxel=1,2,3" : "",
                     exact ? 1e-9 : 0.01);
        reference_free(&labels);
    }
    drua_close(context);
}
END_TEST

/* Counts places where one background pixel along x, y or z separates two labels. */
static int64_t dams_between(const reference_image *labels, int a, int b)
{
    int64_t count = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        for (int axis = 0; axis < 3; axis++) {
            const int64_t dx = axis == 0, dy = axis == 1, dz = axis == 2;
            if (reference_at(labels, x, y, z) != 0 || !reference_is_inside(labels->shape, x - dx, y - dy, z - dz) ||
                !reference_is_inside(labels->shape, x + dx, y + dy, z + dz))
                continue;
            const int before = (int)reference_at(labels, x - dx, y - dy, z - dz),
                      after = (int)reference_at(labels, x + dx, y + dy, z + dz);
            count += (before == a && after == b) || (before == b && after == a);
        }
    return count;
}

START_TEST(pairs_across_dams)
{
    enum { COLUMNS = 5 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {9, 1, 1, 2}, {13, 11, 9, 3}};
    static const double size[3] = {1, 1, 1};
    int64_t sides, all = 0;
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)_i + 41};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        reference_image labels = measured_labels(&chance, shapes[i], DRUA_UINT16, LABELS);
        drua_argument arguments[] = {IMAGE(harness_push(context, &labels)), NAME("dams units=pixels")};
        drua_table *pairs = NULL;
        size_t row = 0;
        REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
        ck_assert_uint_eq(pairs->columns, COLUMNS);
        ck_assert_str_eq(pairs->headings[4], "DAM_SIDES");
        for (int a = 1; a <= LABELS; a++)
            for (int b = a + 1; b <= LABELS; b++) {
                const int64_t dams = dams_between(&labels, a, b);
                const double contact = contact_of(&labels, a, b, size, cubic, &sides);
                if (sides + dams == 0)
                    continue;
                ck_assert_uint_lt(row, pairs->rows);
                const double *cell = pairs->cells + COLUMNS * row++;
                ck_assert_double_eq(cell[0], a);
                ck_assert_double_eq(cell[1], b);
                ck_assert_double_eq(cell[2], (double)sides);
                ck_assert_double_eq_tol(cell[3], contact, 1e-9 * contact);
                ck_assert_double_eq(cell[4], (double)dams);
                all += dams;
            }
        ck_assert_uint_eq(row, pairs->rows);
        drua_table_free(pairs);
        reference_free(&labels);
        REQUIRE(drua_clear(context));
    }
    ck_assert_int_gt(all, 0);
    drua_close(context);
}
END_TEST

/* The labels have a dam between them, touch by a corner, and have no common sides. */
START_TEST(dam_and_corner)
{
    static const int pixels[2][3] = {{1, 0, 2}, {0, 1, 0}};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(3, 2));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, pixels[y][x]);
    for (int dams = 0; dams < 2; dams++) {
        drua_argument arguments[] = {IMAGE(harness_push(context, &labels)), NAME(dams ? "dams" : "")};
        drua_table *pairs = NULL;
        REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
        ck_assert_uint_eq(pairs->rows, (size_t)dams);
        if (dams) {
            ck_assert_double_eq(pairs->cells[2], 0);
            ck_assert_double_eq_tol(pairs->cells[3], M_PI / 8 / sqrt(2), 1e-9);
            ck_assert_double_eq(pairs->cells[4], 1);
        }
        drua_table_free(pairs);
    }
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* More pairs than the first table holds: every pixel has its own label. */
START_TEST(many_pairs)
{
    enum { SIDE = 60 };
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT16, reference_stack(SIDE, SIDE, 5));
    drua_table *pairs = NULL;
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z)
        reference_put(&labels, x, y, z, (double)(1 + x + SIDE * (y + SIDE * z)));
    drua_argument arguments[] = {IMAGE(harness_push(context, &labels)), NAME("")};
    REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
    ck_assert_uint_eq(pairs->rows, 2 * SIDE * (SIDE - 1) * 5 + SIDE * SIDE * 4);
    for (size_t i = 1; i < pairs->rows; i++) {
        const double *cell = pairs->cells + 4 * i;
        ck_assert(cell[0] > cell[-4] || (cell[0] == cell[-4] && cell[1] > cell[-3]));
        ck_assert_double_eq(cell[2], 1);
    }
    drua_table_free(pairs);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* Labels that float32 cannot tell apart. */
START_TEST(large_labels)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT32, reference_plane(6, 2));
    drua_table *pairs = NULL;
    REFERENCE_EACH_PIXEL(labels.shape, x, y, z)
        reference_put(&labels, x, y, z, (double)((1 << 24) + 1 + x / 2));
    drua_argument arguments[] = {IMAGE(harness_push(context, &labels)), NAME("")};
    REQUIRE(drua_invoke(context, "measure_label_pairs", arguments, 2, &pairs));
    ck_assert_uint_eq(pairs->rows, 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(pairs->cells[4 * i], (1 << 24) + 1 + i);
        ck_assert_double_eq(pairs->cells[4 * i + 1], (1 << 24) + 2 + i);
        ck_assert_double_eq(pairs->cells[4 * i + 2], 2);
    }
    drua_table_free(pairs);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_pairs");
    TCase *tests = tcase_create("label_pairs");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, pairs_across_dams, 3);
    harness_add(tests, dam_and_corner, 1);
    harness_add(tests, many_pairs, 1);
    harness_add(tests, large_labels, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
