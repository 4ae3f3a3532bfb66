/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 13 features of a symmetric co-occurrence matrix, in the order of native/ops/labels/measure_texture.c. The same
 * source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

enum { TEXTURE_FEATURES = 13 };

/*
 * The share of all pairs in one matrix cell of levels a and b. The symmetric matrix has two such cells if the levels
 * differ.
 */
METHOD double share_of_pair(SPACE const WORD *counts, int a, int b, double pairs)
{
    const int more = a > b ? a : b, less = a > b ? b : a;
    const double count = (double)counts[more * (more + 1) / 2 + less];
    return a == b ? count / pairs : count / (2 * pairs);
}

/* -p log2 p, which is 0 for p = 0. */
METHOD double information(double p)
{
    return p > 0 ? -p * log2(p) : 0.0;
}

/* Features of the matrix itself and of its marginal shares. */
METHOD void fill_matrix_features(SPACE const WORD *counts, int levels, double pairs, SPACE double *out)
{
    double energy = 0, entropy = 0, mean = 0, variance = 0, edge = 0, together = 0;
    for (int a = 0; a < levels; a++) {
        double share = 0;
        for (int b = 0; b < levels; b++) {
            const double p = share_of_pair(counts, a, b, pairs);
            share += p;
            energy += p * p;
            entropy += information(p);
        }
        edge += information(share);
        mean += a * share;
    }
    for (int a = 0; a < levels; a++)
        for (int b = 0; b < levels; b++) {
            const double p = share_of_pair(counts, a, b, pairs);
            variance += (a - mean) * (a - mean) * p;
            together += (a - mean) * (b - mean) * p;
        }
    out[0] = energy;
    out[2] = variance > 0 ? together / variance : 1.0;
    out[3] = variance;
    out[8] = entropy;
    out[11] = edge > 0 ? (entropy - 2 * edge) / edge : 0.0;
    out[12] = sqrt(fmax(1 - exp(-2 * (2 * edge - entropy)), 0.0));
}

/* Features of the sums of both levels. */
METHOD void fill_sum_features(SPACE const WORD *counts, int levels, double pairs, SPACE double *out)
{
    double mean = 0, square = 0, entropy = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int sum = 0; sum <= 2 * levels - 2; sum++) {
            double p = 0;
            for (int a = sum < levels ? 0 : sum - levels + 1; a <= sum && a < levels; a++)
                p += share_of_pair(counts, a, sum - a, pairs);
            if (pass == 0) {
                mean += sum * p;
                entropy += information(p);
            } else {
                square += (sum - mean) * (sum - mean) * p;
            }
        }
    out[5] = mean;
    out[6] = square;
    out[7] = entropy;
}

/* Features of the differences of both levels. */
METHOD void fill_difference_features(SPACE const WORD *counts, int levels, double pairs, SPACE double *out)
{
    double mean = 0, square = 0, entropy = 0, alike = 0;
    for (int apart = 0; apart < levels; apart++) {
        double p = 0;
        for (int a = 0; a + apart < levels; a++)
            p += share_of_pair(counts, a, a + apart, pairs) * (apart > 0 ? 2 : 1);
        mean += apart * p;
        square += (double)apart * apart * p;
        alike += p / (1 + (double)apart * apart);
        entropy += information(p);
    }
    out[1] = square;
    out[4] = alike;
    out[9] = fmax(square - mean * mean, 0.0);
    out[10] = entropy;
}

/* The features of one direction; NaN without pairs, as for a label that is not `present`. */
METHOD void fill_direction(SPACE const WORD *counts, int levels, int present, SPACE double *out)
{
    double pairs = 0;
    for (int cell = 0; present && cell < levels * (levels + 1) / 2; cell++)
        pairs += (double)counts[cell];
    for (int i = 0; i < TEXTURE_FEATURES; i++)
        out[i] = (double)NAN;
    if (pairs == 0)
        return;
    fill_matrix_features(counts, levels, pairs, out);
    fill_sum_features(counts, levels, pairs, out);
    fill_difference_features(counts, levels, pairs, out);
}

/* The mean of each feature over the directions that have pairs; NaN if the label is flagged. */
METHOD void fill_texture(SPACE const double *features, int directions, WORD flag, SPACE double *cell)
{
    for (int i = 0; i < TEXTURE_FEATURES; i++) {
        double sum = 0;
        int count = 0;
        for (int d = 0; d < directions; d++) {
            const double feature = features[d * TEXTURE_FEATURES + i];
            if (!isnan(feature)) {
                sum += feature;
                count++;
            }
        }
        cell[i] = flag || count == 0 ? (double)NAN : sum / count;
    }
}

#ifdef __OPENCL_VERSION__
kernel void texture_directions(global const uint *rows, uint from, global const uint *counts, uint cells, int levels,
                               int directions, uint count, global double *features)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_direction(counts + (ulong)i * cells, levels,
                       pixels_of(row_of_label(rows, (ulong)from + i / directions)) > 0,
                       features + (ulong)i * TEXTURE_FEATURES);
}

kernel void texture_columns(global const double *features, int directions, global const uint *flags, uint from,
                            uint count, global double *cells, int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_texture(features + (ulong)i * directions * TEXTURE_FEATURES, directions, flags[from + i],
                     cells + ((ulong)from + i) * columns + column);
}
#endif
#endif
