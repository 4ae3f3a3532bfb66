/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the shells, rims and rings of measure_labels with searches over all pairs of pixels. */
#include "measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Square distance to the nearest pixel with another label; infinity without such a pixel. */
static double square_to_other(const reference_image *labels, int64_t x, int64_t y, int64_t z, const double size[3])
{
    double nearest = INFINITY;
    const double own = reference_at(labels, x, y, z);
    REFERENCE_EACH_PIXEL (labels->shape, a, b, c)
        if (reference_at(labels, a, b, c) != own)
            nearest = fmin(nearest, pow((double)(a - x) * size[0], 2) + pow((double)(b - y) * size[1], 2) +
                                        pow((double)(c - z) * size[2], 2));
    return nearest;
}

/* The nearest label of a background pixel, the smaller of equally near ones, and its square distance. */
static int nearest_label(const reference_image *labels, int64_t x, int64_t y, int64_t z, const double size[3],
                         double *square)
{
    int found = 0;
    *square = INFINITY;
    REFERENCE_EACH_PIXEL (labels->shape, a, b, c) {
        const int label = (int)reference_at(labels, a, b, c);
        const double apart =
            pow((double)(a - x) * size[0], 2) + pow((double)(b - y) * size[1], 2) + pow((double)(c - z) * size[2], 2);
        if (label > 0 && (apart < *square || (apart == *square && label < found))) {
            *square = apart;
            found = label;
        }
    }
    return found;
}

static void check_shells(const drua_table *table, const reference_image *labels, const reference_image *grey,
                         const double *squares, int label, int shells)
{
    double sums[16] = {0}, counts[16] = {0}, sum = 0, size = 0, max = 0;
    for (size_t i = 0; i < reference_count(labels); i++)
        if ((int)labels->pixels[i] == label)
            max = fmax(max, squares[i]);
    for (size_t i = 0; i < reference_count(labels); i++)
        if ((int)labels->pixels[i] == label) {
            int s = 0;
            while (s < shells - 1 && squares[i] * shells * shells > max * (s + 1) * (s + 1))
                s++;
            sums[s] += grey->pixels[i];
            counts[s]++;
            sum += grey->pixels[i];
            size += fabs(grey->pixels[i]);
        }
    for (int s = 0; s < shells; s++) {
        char share[32], mean[32];
        snprintf(share, sizeof share, "RADIAL_SHARE_%d", s + 1);
        snprintf(mean, sizeof mean, "RADIAL_MEAN_%d", s + 1);
        if (isinf(max))
            sum = counts[s] = 0;
        if (sum == 0 || fabs(sum) > 0.01 * size)
            measured_check(table, label, share, sum == 0 ? NAN : sums[s] / sum, 1e-6 * fabs(size / sum));
        measured_check(table, label, mean, counts[s] ? sums[s] / counts[s] : NAN, 1e-6 * size);
    }
}

static void check_part(const drua_table *table, int label, const char *pixels, const char *mean, double count,
                       double sum, double size)
{
    measured_check(table, label, pixels, count, 0);
    measured_check(table, label, mean, count > 0 ? sum / count : NAN, 1e-6 * size);
}

static void check_rims(const drua_table *table, const reference_image *labels, const reference_image *grey,
                       const double *squares, const int *ring, int label, double limit)
{
    double rim_sum = 0, rim_count = 0, ring_sum = 0, ring_count = 0, size = 0;
    for (size_t i = 0; i < reference_count(labels); i++) {
        const bool inside = (int)labels->pixels[i] == label && squares[i] <= limit, around = ring[i] == label;
        rim_sum += inside ? grey->pixels[i] : 0;
        rim_count += inside;
        ring_sum += around ? grey->pixels[i] : 0;
        ring_count += around;
        size = fmax(size, fabs(grey->pixels[i]));
    }
    check_part(table, label, "RIM_PIXELS", "RIM_MEAN_INTENSITY", rim_count, rim_sum, size);
    check_part(table, label, "RING_PIXELS", "RING_MEAN_INTENSITY", ring_count, ring_sum, size);
}

static void check_labels(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    static const char *const options[] = {"radial rim units=pixels", "radial shells=3 rim rim_width=1 voxel=1,2,3",
                                          "all shells=16 rim_width=4 voxel=3,2,1"};
    static const double sizes[][3] = {{1, 1, 1}, {1, 2, 3}, {3, 2, 1}};
    static const int shells[] = {4, 3, 16}, widths[] = {2, 1, 4};
    const int which = harness_below(chance, 3);
    const double limit = pow(widths[which] * sizes[which][0], 2);
    reference_image labels = measured_labels(chance, shape, harness_types[harness_below(chance, 7)], 5),
                    grey = harness_image(chance, type, shape, HARNESS_GREY);
    double *squares = reference_allocate(reference_count(&labels), sizeof *squares);
    int *ring = reference_allocate(reference_count(&labels), sizeof *ring);
    size_t i = 0;
    REFERENCE_EACH_PIXEL (shape, x, y, z) {
        double square;
        squares[i] = square_to_other(&labels, x, y, z, sizes[which]);
        ring[i] = nearest_label(&labels, x, y, z, sizes[which], &square);
        ring[i] = labels.pixels[i] == 0 && square <= limit ? ring[i] : 0;
        i++;
    }
    drua_table *table = measured_table_of(context, &grey, &labels, options[which]);
    for (int label = 1; label <= (int)table->rows; label++) {
        check_shells(table, &labels, &grey, squares, label, shells[which]);
        if (measured_count(&labels, label) > 0)
            check_rims(table, &labels, &grey, squares, ring, label, limit);
        else
            measured_check(table, label, "RING_PIXELS", NAN, 0);
    }
    drua_table_free(table);
    free(ring);
    free(squares);
    reference_free(&grey);
    reference_free(&labels);
}

START_TEST(random_labels)
{
    measured_test_shapes(_i, 61, check_labels);
}
END_TEST

/* A disc of two intensities, the darker one in its outer half, and a bright ring around it. */
START_TEST(known_disc)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(101, 101)),
                    grey = reference_make(DRUA_UINT16, reference_plane(101, 101));
    REFERENCE_EACH_PIXEL (labels.shape, x, y, z) {
        const double radius = hypot((double)x - 50, (double)y - 50);
        reference_put(&labels, x, y, z, radius <= 40);
        reference_put(&grey, x, y, z, radius <= 20 ? 300 : radius <= 40 ? 100 : 1000);
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "radial shells=2 rim rim_width=3");
    measured_check(table, 1, "RADIAL_SHARE_1", 0.5, 0.03);
    measured_check(table, 1, "RADIAL_SHARE_2", 0.5, 0.03);
    measured_check(table, 1, "RADIAL_MEAN_2", 300, 15);
    measured_check(table, 1, "RIM_PIXELS", M_PI * (1600 - 37.2 * 37.2), 40);
    measured_check(table, 1, "RIM_MEAN_INTENSITY", 100, 1e-9);
    measured_check(table, 1, "RING_PIXELS", M_PI * (43 * 43 - 1600), 60);
    measured_check(table, 1, "RING_MEAN_INTENSITY", 1000, 1e-9);
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* A label that fills the image has no rim; a NaN affects its label and the ring that contains it. */
START_TEST(odd_labels)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(9, 3)),
                    grey = reference_make(DRUA_FLOAT32, reference_plane(9, 3));
    for (size_t i = 0; i < reference_count(&labels); i++) {
        labels.pixels[i] = 1;
        grey.pixels[i] = 1;
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "radial rim");
    measured_check(table, 1, "RADIAL_SHARE_1", NAN, 0);
    measured_check(table, 1, "RIM_PIXELS", 0, 0);
    measured_check(table, 1, "RIM_MEAN_INTENSITY", NAN, 0);
    measured_check(table, 1, "RING_PIXELS", 0, 0);
    drua_table_free(table);
    for (size_t i = 0; i < reference_count(&labels); i++)
        labels.pixels[i] = i % 9 < 3 ? 1 : i % 9 < 6 ? 2 : 0;
    grey.pixels[9 + 1] = NAN;
    grey.pixels[9 + 7] = NAN;
    table = measured_table_of(context, &grey, &labels, "radial rim rim_width=1");
    measured_check(table, 1, "RADIAL_SHARE_4", NAN, 0);
    measured_check(table, 1, "RADIAL_MEAN_1", NAN, 0);
    measured_check(table, 1, "RIM_MEAN_INTENSITY", 1, 0);
    measured_check(table, 2, "RADIAL_SHARE_4", 1.0 / 3, 1e-12);
    measured_check(table, 2, "RADIAL_MEAN_4", 1, 0);
    measured_check(table, 2, "RING_PIXELS", 3, 0);
    measured_check(table, 2, "RING_MEAN_INTENSITY", 1, 0);
    drua_table_free(table);
    table = measured_table_of(context, &grey, &labels, "rim");
    measured_check(table, 2, "RING_PIXELS", 6, 0);
    measured_check(table, 2, "RING_MEAN_INTENSITY", NAN, 0);
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_rims");
    TCase *tests = tcase_create("label_rims");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, known_disc, 1);
    harness_add(tests, odd_labels, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
