/* SPDX-License-Identifier: BSD-3-Clause */
/* Entropy methods; see methods.cl. */
#include "methods.cl"
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Minimum cross entropy between image and binary image, by iteration (Li and Tam 1998). */
METHOD int threshold_li(SPACE const bin_sums *h)
{
    double next = h->first[BINS - 1] / h->number[BINS - 1], old = next + 1;
    int best = 0;
    for (int pass = 0; pass < MAX_PASSES && fabs(next - old) > 0.5; pass++) {
        old = next;
        best = (int)(old + 0.5);
        if (best < 0 || best >= BINS)
            return -1;
        const double below = h->number[best], above = ABOVE(h->number, best);
        const double low = below == 0 ? 0 : h->first[best] / below,
                     high = above == 0 ? 0 : ABOVE(h->first, best) / above;
        const double t = (low - high) / (log(low) - log(high));
        next = isnan(t) ? 0 : t < -NEARLY_ZERO ? (double)(int)(t - 0.5) : (double)(int)(t + 0.5);
    }
    return best;
}

/*
 * Minimum fuzzy entropy: a pixel's membership in its class depends on its distance from the class mean (Huang and Wang
 * 1995).
 */
METHOD double score_huang(SPACE const bin_sums *h, int k)
{
    const double term = 1.0 / (h->high - h->low), below = h->number[k], above = ABOVE(h->number, k);
    const double mean[2] = {below > 0 ? h->first[k] / below : 0, above > 0 ? ABOVE(h->first, k) / above : 0};
    double entropy = k < BINS - 1 ? 0 : INFINITY;
    for (int i = h->low; i <= h->high; i++) {
        const double mu = 1.0 / (1.0 + term * fabs(i - mean[i > k]));
        if (h->counts[i] > 0 && !(mu < 1e-06) && !(mu > 0.999999))
            entropy += h->counts[i] * (-mu * log(mu) - (1.0 - mu) * log(1.0 - mu));
    }
    return entropy;
}

/* Sums of shares; restricts low and high to bins with pixels on both sides. */
METHOD void add_shares(SPACE bin_sums *h)
{
    double below = 0;
    for (int i = 0; i < BINS; i++) {
        below += h->shares[i];
        h->below[i] = below;
    }
    int low = 0, high = BINS - 1;
    while (low < BINS - 1 && fabs(h->below[low]) < NEARLY_ZERO)
        low++;
    while (high > low && fabs(1.0 - h->below[high]) < NEARLY_ZERO)
        high--;
    h->low = low;
    h->high = high;
}

/* Entropy of order 1, 1/2 (order 0) or 2 of the pixels from one bin to another, whose share is `share`. */
METHOD double entropy(SPACE const bin_sums *h, int from, int to, double share, int order)
{
    double sum = 0;
    for (int i = from; i <= to; i++) {
        const double p = h->shares[i] / share;
        if (h->counts[i] > 0)
            sum += order == 1 ? -p * log(p) : order == 2 ? p * p : sqrt(p);
    }
    return sum;
}

/* Maximum entropy of both sides (Kapur, Sahoo and Wong 1985: order 1). */
METHOD double score_entropy(SPACE const bin_sums *h, int k, int order)
{
    if (k < h->low || k > h->high)
        return INFINITY;
    const double below = entropy(h, 0, k, h->below[k], order),
                 above = entropy(h, k + 1, BINS - 1, 1.0 - h->below[k], order), product = below * above;
    const double sum = order == 1 ? below + above : product > 0 ? (order == 2 ? -1.0 : 2.0) * log(product) : 0;
    return sum > 0 ? -sum : INFINITY;
}

/* Three bins by entropy, weighted by their distances (Sahoo, Wilkins and Yeager 1997). */
METHOD int threshold_renyi(SPACE const bin_sums *h, const int *bins)
{
    int t[] = {bins[0], bins[1], bins[2]};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 2; i++)
            if (t[i] > t[i + 1]) {
                const int swapped = t[i];
                t[i] = t[i + 1];
                t[i + 1] = swapped;
            }
    const int near_low = t[1] - t[0] <= 5, near_high = t[2] - t[1] <= 5;
    const int b0 = near_low == near_high ? 1
                   : near_low            ? 0
                                         : 3,
              b1 = near_low == near_high ? 2 : 1,
              b2 = near_low == near_high ? 1
                   : near_low            ? 3
                                         : 0;
    const double p0 = h->below[t[0]], p2 = h->below[t[2]], quarter = 0.25 * (p2 - p0);
    return (int)(t[0] * (p0 + quarter * b0) + t[1] * quarter * b1 + t[2] * (1.0 - p2 + quarter * b2));
}

/* Equal information on both sides (Shanbhag 1994). */
METHOD double score_shanbhag(SPACE const bin_sums *h, int k)
{
    if (k < h->low || k > h->high)
        return INFINITY;
    const double low = 0.5 / h->below[k], high = 0.5 / (1.0 - h->below[k]);
    double below = 0, above = 0;
    for (int i = 1; i <= k; i++)
        below -= h->shares[i] * log(1.0 - low * h->below[i - 1]);
    for (int i = k + 1; i < BINS; i++)
        above -= h->shares[i] * log(1.0 - high * (1.0 - h->below[i]));
    return fabs(below * low - above * high);
}

/* Maximum correlation (Yen, Chang and Chang 1995). */
METHOD double score_yen(SPACE const bin_sums *h, int k)
{
    double below = 0, above = 0;
    for (int i = 0; i <= k; i++)
        below += h->shares[i] * h->shares[i];
    for (int i = BINS - 1; i > k; i--)
        above += h->shares[i] * h->shares[i];
    const double squares = below * above, shares = h->below[k] * (1.0 - h->below[k]);
    const double score = -(squares > 0 ? log(squares) : 0) + 2 * (shares > 0 ? log(shares) : 0);
    return score > 0 ? -score : INFINITY;
}
#endif
