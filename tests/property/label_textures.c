/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the textures of measure_labels with Haralick's formulas on full matrices, and with numbers of mahotas 1.4.19
 * and scikit-image 0.26.0.
 */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 13, MAX_LEVELS = 40 };

static const char *const names[FEATURES] = {"TEXTURE_ANGULAR_SECOND_MOMENT",
                                            "TEXTURE_CONTRAST",
                                            "TEXTURE_CORRELATION",
                                            "TEXTURE_VARIANCE",
                                            "TEXTURE_INVERSE_DIFFERENCE_MOMENT",
                                            "TEXTURE_SUM_AVERAGE",
                                            "TEXTURE_SUM_VARIANCE",
                                            "TEXTURE_SUM_ENTROPY",
                                            "TEXTURE_ENTROPY",
                                            "TEXTURE_DIFFERENCE_VARIANCE",
                                            "TEXTURE_DIFFERENCE_ENTROPY",
                                            "TEXTURE_INFORMATION_1",
                                            "TEXTURE_INFORMATION_2"};

/* ---- the reference */

static double log_of(double share)
{
    return share > 0 ? log(share) / log(2) : 0;
}

/* Variance of the numbers 0 to count - 1 with these shares. */
static double spread(const double *shares, int count, double *mean)
{
    double square = 0;
    *mean = 0;
    for (int i = 0; i < count; i++) {
        *mean += i * shares[i];
        square += (double)i * i * shares[i];
    }
    return square - *mean * *mean;
}

static double entropy_of(const double *shares, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum -= shares[i] * log_of(shares[i]);
    return sum;
}

static void add_features(double p[MAX_LEVELS][MAX_LEVELS], int levels, double *features)
{
    double rows[MAX_LEVELS] = {0}, sums[2 * MAX_LEVELS] = {0}, differences[MAX_LEVELS] = {0}, mean, ignored;
    double energy = 0, contrast = 0, product = 0, alike = 0, entropy = 0, cross = 0, independent = 0;
    for (int a = 0; a < levels; a++)
        for (int b = 0; b < levels; b++) {
            rows[a] += p[a][b];
            sums[a + b] += p[a][b];
            differences[abs(a - b)] += p[a][b];
            energy += p[a][b] * p[a][b];
            contrast += (a - b) * (a - b) * p[a][b];
            product += a * b * p[a][b];
            alike += p[a][b] / (1 + (a - b) * (a - b));
            entropy -= p[a][b] * log_of(p[a][b]);
        }
    for (int a = 0; a < levels; a++)
        for (int b = 0; b < levels; b++) {
            cross -= p[a][b] * log_of(rows[a] * rows[b]);
            independent -= rows[a] * rows[b] * log_of(rows[a] * rows[b]);
        }
    const double variance = spread(rows, levels, &mean), edge = entropy_of(rows, levels);
    const double made[FEATURES] = {energy,
                                   contrast,
                                   variance > 1e-9 ? (product - mean * mean) / variance : 1,
                                   variance,
                                   alike,
                                   2 * mean,
                                   spread(sums, 2 * levels - 1, &ignored),
                                   entropy_of(sums, 2 * levels - 1),
                                   entropy,
                                   spread(differences, levels, &ignored),
                                   entropy_of(differences, levels),
                                   edge > 0 ? (entropy - cross) / edge : 0,
                                   sqrt(fmax(0, 1 - exp(-2 * (independent - entropy))))};
    for (int i = 0; i < FEATURES; i++)
        features[i] += made[i];
}

/* Both orders of each pair along a direction. Returns their number. */
static double count_both(const reference_image *labels, const int *levels, int label, int dx, int dy, int dz,
                         double p[MAX_LEVELS][MAX_LEVELS])
{
    const drua_shape s = labels->shape;
    double count = 0;
    memset(p, 0, sizeof(double) * MAX_LEVELS * MAX_LEVELS);
    REFERENCE_EACH_PIXEL (s, x, y, z) {
        const int64_t a = x + dx, b = y + dy, c = z + dz;
        if (a < 0 || b < 0 || c < 0 || a >= s.width || b >= s.height || c >= s.depth ||
            (int)reference_at(labels, x, y, z) != label || (int)reference_at(labels, a, b, c) != label)
            continue;
        const int here = levels[(z * s.height + y) * s.width + x], there = levels[(c * s.height + b) * s.width + a];
        p[here][there]++;
        p[there][here]++;
        count += 2;
    }
    return count;
}

/* Means over all directions with pairs; returns their number. */
static int reference_features(const reference_image *labels, const int *grey, int levels, int label,
                              double features[FEATURES])
{
    static double p[MAX_LEVELS][MAX_LEVELS];
    int used = 0;
    memset(features, 0, FEATURES * sizeof *features);
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (dx * 9 + dy * 3 + dz <= 0)
                    continue;
                const double count = count_both(labels, grey, label, dx, dy, dz, p);
                if (count == 0)
                    continue;
                for (int a = 0; a < levels; a++)
                    for (int b = 0; b < levels; b++)
                        p[a][b] /= count;
                add_features(p, levels, features);
                used++;
            }
    for (int i = 0; i < FEATURES; i++)
        features[i] = used ? features[i] / used : NAN;
    return used;
}

/* The level of each pixel; the range is that of all labels if both ends are 0. */
static int *levels_of(const reference_image *labels, const reference_image *intensity, int levels, double low,
                      double high)
{
    const size_t count = reference_count(labels);
    int *grey = reference_allocate(count, sizeof *grey);
    if (low == high) {
        low = INFINITY;
        high = -INFINITY;
        for (size_t i = 0; i < count; i++)
            if (labels->pixels[i] > 0) {
                low = fmin(low, intensity->pixels[i]);
                high = fmax(high, intensity->pixels[i]);
            }
    }
    for (size_t i = 0; i < count; i++) {
        const double level = high > low ? floor((intensity->pixels[i] - low) / (high - low) * levels + 1e-6) : 0;
        grey[i] = (int)fmin(fmax(level, 0), levels - 1);
    }
    return grey;
}

/* ---- tests */

static void check_labels(drua_context *context, harness_random *chance, drua_shape shape, drua_type type)
{
    static const char *const options[] = {"texture", "texture grey_levels=40", "all grey_levels=7 grey_range=20,110"};
    static const double ranges[][2] = {{0, 0}, {0, 0}, {20, 110}};
    static const int levels[] = {16, 40, 7};
    const int which = harness_below(chance, 3);
    reference_image labels = measured_labels(chance, shape, harness_types[harness_below(chance, 7)], 5),
                    intensity = reference_make(type, shape);
    for (size_t i = 0; i < reference_count(&intensity); i++)
        intensity.pixels[i] = harness_below(chance, 120);
    int *grey = levels_of(&labels, &intensity, levels[which], ranges[which][0], ranges[which][1]);
    drua_table *table = measured_table_of(context, &intensity, &labels, options[which]);
    for (int label = 1; label <= (int)table->rows; label++) {
        double expected[FEATURES];
        reference_features(&labels, grey, levels[which], label, expected);
        for (int i = 0; i < FEATURES; i++)
            measured_check(table, label, names[i], expected[i], 1e-7 + 1e-9 * fabs(expected[i]));
    }
    drua_table_free(table);
    free(grey);
    reference_free(&intensity);
    reference_free(&labels);
}

START_TEST(random_labels)
{
    measured_test_shapes(_i, 41, check_labels);
}
END_TEST

/*
 * Numbers of mahotas.features.haralick, whose difference variance was replaced by scikit-image's contrast minus the
 * square of its dissimilarity. mahotas counts levels from 1 here, so 2 was subtracted from its sum average.
 */
static const double published[2][3][FEATURES] = {
    {{0.01375643061, 41.68547315, -0.004506415051, 20.93609383, 0.1813707026, 16.4468317, 42.05890217, 4.307427243,
      6.437797382, 9.594548088, 3.090326853, -0.3549034121, 0.9630093793},
     {0.01680820578, 43.7305806, -0.02398389041, 21.50149221, 0.1701094619, 13.38006226, 42.27538823, 4.238285135,
      6.131981049, 8.767692954, 2.925901171, -0.4275308772, 0.9792947977},
     {0.01484948542, 46.69378073, -0.09369941097, 21.3052176, 0.1678681447, 15.70550927, 38.52708967, 4.19423817,
      6.309420003, 10.658119, 3.042668524, -0.378730934, 0.9670239904}},
    {{0.01111714113, 42.3160172, -0.03465106967, 20.41873382, 0.1523576579, 15.07078299, 39.35891808, 4.444190028,
      6.696047147, 10.83803938, 3.00903639, -0.3062707033, 0.9469812834},
     {0.01300639308, 43.85426643, -0.07173039784, 20.50607132, 0.1396305604, 15.22424879, 38.17001886, 4.321037795,
      6.538707876, 9.941461365, 2.961094948, -0.3368907817, 0.9556234129},
     {0.01112381777, 46.49706072, -0.07988600479, 21.5642564, 0.1289120545, 15.53414938, 39.75996488, 4.455969385,
      6.698428115, 11.45161134, 3.084879936, -0.3085843337, 0.946456756}}};

START_TEST(published_numbers)
{
    static const drua_shape shapes[2] = {{23, 17, 1, 2}, {14, 9, 6, 3}};
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, shapes[_i]), grey = reference_make(DRUA_UINT16, shapes[_i]);
    REFERENCE_EACH_PIXEL (shapes[_i], x, y, z) {
        reference_put(&labels, x, y, z, (x + 2 * y + z) % 11 ? 1 + (x / 5 + 2 * (y / 4) + z / 3) % 3 : 0);
        reference_put(&grey, x, y, z, (x * 7 + y * 13 + z * 5 + x * y + x * x / 3 + y * z * 3) % 64);
    }
    drua_table *table = measured_table_of(context, &grey, &labels, "texture grey_range=0,64");
    for (int label = 1; label <= 3; label++)
        for (int i = 0; i < FEATURES; i++)
            measured_check(table, label, names[i], published[_i][label - 1][i], 1e-8);
    drua_table_free(table);
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

/* One pixel has no pairs, one intensity has no variance, and NaN spoils its label alone. */
START_TEST(odd_labels)
{
    drua_context *context = harness_open();
    reference_image labels = reference_make(DRUA_UINT8, reference_plane(12, 3)),
                    grey = reference_make(DRUA_FLOAT32, reference_plane(12, 3));
    reference_put(&labels, 0, 0, 0, 1);
    for (int x = 2; x < 6; x++)
        reference_put(&labels, x, 0, 0, 2);
    for (int x = 7; x < 12; x++) {
        reference_put(&labels, x, 1, 0, 4);
        reference_put(&labels, x, 2, 0, 5);
        reference_put(&grey, x, 2, 0, x);
    }
    grey.pixels[12 + 8] = NAN;
    drua_table *table = measured_table_of(context, &grey, &labels, "texture grey_levels=5");
    for (int i = 0; i < FEATURES; i++) {
        measured_check(table, 1, names[i], NAN, 0);
        measured_check(table, 3, names[i], NAN, 0);
        measured_check(table, 4, names[i], NAN, 0);
    }
    measured_check(table, 2, "TEXTURE_ANGULAR_SECOND_MOMENT", 1, 0);
    measured_check(table, 2, "TEXTURE_CORRELATION", 1, 0);
    measured_check(table, 2, "TEXTURE_ENTROPY", 0, 0);
    measured_check(table, 2, "TEXTURE_INFORMATION_1", 0, 0);
    measured_check(table, 5, "TEXTURE_CONTRAST", 0.25, 1e-12);
    drua_table_free(table);
    drua_argument arguments[] = {IMAGE(harness_push(context, &grey)), IMAGE(harness_push(context, &labels)),
                                 NAME("texture grey_range=9,3")};
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "measure_labels",
            "grey_range", "9", "3");
    arguments[2] = NAME("texture grey_levels=1");
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "measure_labels", arguments, 3, &table), "measure_labels",
            "grey_levels", "128");
    reference_free(&grey);
    reference_free(&labels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("label_textures");
    TCase *tests = tcase_create("label_textures");
    tcase_set_timeout(tests, 600);
    harness_add(tests, random_labels, 7);
    harness_add(tests, published_numbers, 2);
    harness_add(tests, odd_labels, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
