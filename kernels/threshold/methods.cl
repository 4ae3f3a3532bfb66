/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods that choose a bin of a histogram of 256 bins, written once for the device (where it has doubles) and for the
 * host. h: counts; w: room for 2 BINS numbers. A method without an answer gives -1. No loop depends on a condition alone.
 */
#ifdef __OPENCL_VERSION__
#define SPACE local
#define METHOD inline
#else
#include <math.h>
#define SPACE
#define METHOD static
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)
enum { BINS = 256, MOST_PASSES = 10000 };
#define NEARLY_ZERO 2.220446049250313e-16

METHOD int first_bin(SPACE const double *h)
{
    int i = 0;
    while (i < BINS - 1 && h[i] == 0)
        i++;
    return i;
}

METHOD int last_bin(SPACE const double *h)
{
    int i = BINS - 1;
    while (i > 0 && h[i] == 0)
        i--;
    return i;
}

METHOD double total(SPACE const double *h, int first, int last)
{
    double sum = 0;
    for (int i = first; i <= last; i++)
        sum += h[i];
    return sum;
}

/* Sum of the counts times position to the power of `order`. */
METHOD double moment(SPACE const double *h, int first, int last, int order)
{
    double sum = 0;
    for (int i = first; i <= last; i++)
        sum += h[i] * (order == 0 ? 1.0 : order == 1 ? i : order == 2 ? (double)i * i : (double)i * i * i);
    return sum;
}

/* Grey value where a bin's pixels begin, as float32. */
METHOD float threshold_at(int bin, float low, float high)
{
    return low + (float)((bin + 1) / 255.0) * (high - low);
}

/* Mean of all grey values (Glasbey 1993). */
METHOD int threshold_mean(SPACE const double *h)
{
    return (int)floor(moment(h, 0, BINS - 1, 1) / total(h, 0, BINS - 1));
}

/* Greatest variance between the two classes (Otsu 1979); the last of equals. */
METHOD int threshold_otsu(SPACE const double *h)
{
    const double n = total(h, 0, BINS - 1), s = moment(h, 0, BINS - 1, 1);
    double below = h[0], sum = 0, most = 0;
    int best = 0;
    for (int k = 1; k < BINS - 1; k++) {
        below += h[k];
        sum += k * h[k];
        const double product = below * (n - below), difference = below / n * s - sum;
        const double score = product != 0 ? difference * difference / product : 0;
        if (score >= most) {
            most = score;
            best = k;
        }
    }
    return best;
}

/* The bin that halves the pixels best (Doyle 1962). */
METHOD int threshold_percentile(SPACE const double *h)
{
    const double n = total(h, 0, BINS - 1);
    double below = 0, least = 1;
    int best = -1;
    for (int i = 0; i < BINS; i++) {
        below += h[i];
        if (fabs(below / n - 0.5) < least) {
            least = fabs(below / n - 0.5);
            best = i;
        }
    }
    return best;
}

/* Two grey values that keep the first three moments (Tsai 1985). */
METHOD int threshold_moments(SPACE const double *h)
{
    const double n = total(h, 0, BINS - 1);
    const double m1 = moment(h, 0, BINS - 1, 1) / n, m2 = moment(h, 0, BINS - 1, 2) / n, m3 = moment(h, 0, BINS - 1, 3) / n;
    const double d = m2 - m1 * m1, c0 = (m1 * m3 - m2 * m2) / d, c1 = (m2 * m1 - m3) / d, root = sqrt(c1 * c1 - 4 * c0);
    const double z0 = 0.5 * (-c1 - root), z1 = 0.5 * (-c1 + root), p0 = (z1 - m1) / (z1 - z0);
    double below = 0;
    for (int i = 0; i < BINS; i++) {
        below += h[i] / n;
        if (below > p0)
            return i;
    }
    return -1;
}

/* The first bin midway between the means below and above (Ridler and Calvard 1978), means as whole numbers. */
METHOD int threshold_isodata(SPACE const double *h)
{
    int g = 0;
    for (int i = 1; i < BINS && g == 0; i++)
        if (h[i] > 0)
            g = i + 1;
    for (; g <= BINS - 2; g++) {
        const double below = total(h, 0, g - 1), above = total(h, g + 1, BINS - 1);
        if (below > 0 && above > 0) {
            const double low = floor(moment(h, 0, g - 1, 1) / below), high = floor(moment(h, g + 1, BINS - 1, 1) / above);
            if (g == (int)floor((low + high) / 2.0 + 0.5))
                return g;
        }
    }
    return -1;
}

/* ImageJ's own form: the end bins do not count, the bin moves up until it passes the middle of the two means. */
METHOD int threshold_ij_isodata(SPACE double *h)
{
    h[0] = h[BINS - 1] = 0;
    const int first = first_bin(h), last = last_bin(h);
    if (first >= last)
        return BINS / 2;
    double middle = first;
    int at = first;
    do {
        middle = (moment(h, first, at, 1) / total(h, first, at) + moment(h, at + 1, last, 1) / total(h, at + 1, last)) / 2.0;
        at++;
    } while (at + 1 <= middle && at < last - 1);
    return (int)floor(middle + 0.5);
}

/* The same after a lonely highest bin was lowered to 1.5 times the second. */
METHOD int threshold_default(SPACE double *h)
{
    int mode = 0;
    for (int i = 1; i < BINS; i++)
        if (h[i] > h[mode])
            mode = i;
    double second = 0;
    for (int i = 0; i < BINS; i++)
        if (i != mode && h[i] > second)
            second = h[i];
    if (h[mode] > 2 * second && second != 0)
        h[mode] = floor(1.5 * second);
    return threshold_ij_isodata(h);
}

/* Two normal distributions with least error, by iteration (Kittler and Illingworth 1986). */
METHOD int threshold_min_error(SPACE const double *h)
{
    const double n = total(h, 0, BINS - 1), s1 = moment(h, 0, BINS - 1, 1), s2 = moment(h, 0, BINS - 1, 2);
    int t = threshold_mean(h), before = -2;
    for (int pass = 0; pass < MOST_PASSES && t != before; pass++) {
        const double a = total(h, 0, t), b = moment(h, 0, t, 1), c = moment(h, 0, t, 2);
        const double mu = b / a, nu = (s1 - b) / (n - a), p = a / n, q = (n - a) / n;
        const double sigma2 = c / a - mu * mu, tau2 = (s2 - c) / (n - a) - nu * nu;
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
