/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods that choose a bin of a histogram of 256 bins. The same source serves devices with doubles, where one
 * work-item handles each bin, and the host. Most methods give every bin a score, and the lowest score decides;
 * select.cl combines the parts of a method.
 */
#ifdef __OPENCL_VERSION__
#define SPACE local
#define METHOD inline
#else
#pragma once
#include <math.h>
#define SPACE
#define METHOD static
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)
enum { BINS = 256, MAX_PASSES = 10000 };
#define NEARLY_ZERO 2.220446049250313e-16

/* In the order of the names in native/ops/threshold/automatic_threshold.c. */
enum {
    DEFAULT,
    HUANG,
    INTERMODES,
    ISODATA,
    IJ_ISODATA,
    LI,
    MAX_ENTROPY,
    MEAN,
    MIN_ERROR,
    MINIMUM,
    MOMENTS,
    OTSU,
    PERCENTILE,
    RENYI,
    SHANBHAG,
    TRIANGLE,
    YEN
};

/*
 * Sums over a histogram. `number`, `first` and `second`: for each bin, the sum over the bins up to it of the count
 * times the bin's number to the power of 0, 1 and 2. Doubles add these whole numbers exactly in any order. `shares`:
 * each bin's share of all pixels; `below`: the sum of the shares up to each bin, which only entropy methods use. `low`
 * and `high`: the first and the last bin that the method uses; `high` is -1 without pixels. `filled`: the number of
 * bins with pixels before any are left out; `last_filled`: the last of these bins.
 */
typedef struct {
    double counts[BINS], number[BINS], first[BINS], second[BINS], shares[BINS], below[BINS];
    int low, high, filled, last_filled;
} bin_sums;

/* Sum over the bins above k. */
#define ABOVE(sums, k) ((sums)[BINS - 1] - (sums)[k])

/*
 * Grey value at which the pixels of the next bin begin. Doubles keep whole numbers whole. In an image of one grey
 * value, the threshold is above this value: by 1, or by the smallest difference that floats can represent.
 */
METHOD float threshold_at(int bin, float low, float high)
{
    if (!(high >= low))
        return NAN;
    if (high == low)
        return (float)(low + fmax(1.0, fabs((double)low) * 0x1p-22));
    return (float)(low + (bin + 1) * ((double)high - low) / 255.0);
}

/*
 * ImageJ's own form of IsoData ignores the end bins. Default lowers an isolated highest bin to 1.5 times the second
 * highest one. If no pixel is left, the original counts are restored.
 */
METHOD void leave_out_extremes(SPACE bin_sums *h, int method)
{
    double max_count = 0, second = 0;
    int mode = 0;
    for (int i = 0; i < BINS; i++) {
        const double count = h->counts[i];
        second = count > max_count ? max_count : count > second ? count : second;
        mode = count > max_count ? i : mode;
        max_count = count > max_count ? count : max_count;
    }
    if (method == DEFAULT && max_count > 2 * second && second != 0)
        h->counts[mode] = floor(1.5 * second);
    h->counts[0] = h->counts[BINS - 1] = 0;
    if (max_count > 0)
        h->low = h->high = 0;
}

/* Computes a bin's share, and whether it is the first or the last bin that counts, once `number` is known. */
METHOD void complete_bin(SPACE bin_sums *h, int k)
{
    if (h->counts[k] > 0 && h->number[k] == h->counts[k])
        h->low = k;
    if (h->counts[k] > 0 && ABOVE(h->number, k) == 0)
        h->high = k;
    h->shares[k] = h->counts[k] / h->number[BINS - 1];
}

/* Largest variance between the two classes (Otsu 1979). */
METHOD double score_otsu(SPACE const bin_sums *h, int k)
{
    const double n = h->number[BINS - 1], below = h->number[k], product = below * (n - below);
    const double difference = below / n * h->first[BINS - 1] - h->first[k];
    return k == 0 || k == BINS - 1 ? INFINITY : product != 0 ? -(difference * difference / product) : 0;
}

/* The bin that comes closest to halving the pixels (Doyle 1962). */
METHOD double score_percentile(SPACE const bin_sums *h, int k)
{
    return fabs(h->number[k] / h->number[BINS - 1] - 0.5);
}

/* The first bin midway between the means below and above it (Ridler and Calvard 1978), with means as whole numbers. */
METHOD double score_isodata(SPACE const bin_sums *h, int k)
{
    const double below = k > 0 ? h->number[k - 1] : 0, above = ABOVE(h->number, k);
    if (below - h->counts[0] <= 0 || above <= 0)
        return INFINITY;
    const double low = floor(h->first[k - 1] / below), high = floor(ABOVE(h->first, k) / above);
    return k == (int)floor((low + high) / 2.0 + 0.5) ? k : INFINITY;
}

METHOD double middle_of_means(SPACE const bin_sums *h, int k)
{
    return (h->first[k] / h->number[k] + ABOVE(h->first, k) / ABOVE(h->number, k)) / 2.0;
}

/* ImageJ's own form: the bin moves up until it passes the midpoint of the two means. */
METHOD double score_ij_isodata(SPACE const bin_sums *h, int k)
{
    if (k < h->low || k >= h->high)
        return INFINITY;
    return k + 2 <= middle_of_means(h, k) && k + 1 < h->high - 1 ? INFINITY : k;
}

/* Finds two grey values that preserve the first three moments (Tsai 1985). */
METHOD int threshold_moments(SPACE const bin_sums *h)
{
    const double n = h->number[BINS - 1];
    double third = 0;
    for (int i = 0; i < BINS; i++)
        third += h->counts[i] * ((double)i * i * i);
    const double m1 = h->first[BINS - 1] / n, m2 = h->second[BINS - 1] / n, m3 = third / n;
    const double d = m2 - m1 * m1, c0 = (m1 * m3 - m2 * m2) / d, c1 = (m2 * m1 - m3) / d, root = sqrt(c1 * c1 - 4 * c0);
    const double z0 = 0.5 * (-c1 - root), z1 = 0.5 * (-c1 + root), p0 = (z1 - m1) / (z1 - z0);
    double below = 0;
    for (int i = 0; i < BINS; i++) {
        below += h->shares[i];
        if (below > p0)
            return i;
    }
    return -1;
}

/* Returns the mean of all grey values (Glasbey 1993). */
METHOD int threshold_mean(SPACE const bin_sums *h)
{
    return (int)floor(h->first[BINS - 1] / h->number[BINS - 1]);
}

/* Fits two normal distributions with minimum error, by iteration (Kittler and Illingworth 1986). */
METHOD int threshold_min_error(SPACE const bin_sums *h)
{
    const double n = h->number[BINS - 1];
    int t = threshold_mean(h), before = -2;
    for (int pass = 0; pass < MAX_PASSES && t != before; pass++) {
        const double a = h->number[t], mu = h->first[t] / a, nu = ABOVE(h->first, t) / (n - a), p = a / n,
                     q = (n - a) / n;
        const double sigma2 = h->second[t] / a - mu * mu, tau2 = ABOVE(h->second, t) / (n - a) - nu * nu;
        const double w0 = 1.0 / sigma2 - 1.0 / tau2, w1 = mu / sigma2 - nu / tau2;
        const double w2 = mu * mu / sigma2 - nu * nu / tau2 + log10(sigma2 * (q * q) / (tau2 * (p * p)));
        const double square = w1 * w1 - w0 * w2;
        if (square < 0)
            return t;
        before = t;
        const double next = floor((w1 + sqrt(square)) / w0);
        if (next < 0 || next >= BINS)
            return -1;
        t = isnan(next) ? before : (int)next;
    }
    return t;
}
#endif
