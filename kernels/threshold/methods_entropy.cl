/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods by entropy; see methods.cl. */
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Least cross entropy between image and binary image, by iteration (Li and Tam 1998). */
METHOD int threshold_li(SPACE const double *h)
{
    double next = moment(h, 0, BINS - 1, 1) / total(h, 0, BINS - 1), old = next + 1;
    int best = 0;
    for (int pass = 0; pass < MOST_PASSES && fabs(next - old) > 0.5; pass++) {
        old = next;
        best = (int)(old + 0.5);
        if (best < 0 || best >= BINS)
            return -1;
        const double below = total(h, 0, best), above = total(h, best + 1, BINS - 1);
        const double low = below == 0 ? 0 : moment(h, 0, best, 1) / below, high = above == 0 ? 0 : moment(h, best + 1, BINS - 1, 1) / above;
        const double t = (low - high) / (log(low) - log(high));
        next = isnan(t) ? 0 : t < -NEARLY_ZERO ? (double)(int)(t - 0.5) : (double)(int)(t + 0.5);
    }
    return best;
}

/* Least fuzzy entropy: how well pixels belong to their class by distance from its mean (Huang and Wang 1995). */
METHOD int threshold_huang(SPACE const double *h)
{
    const int first = first_bin(h), last = last_bin(h);
    const double term = 1.0 / (last - first);
    double least = INFINITY;
    int best = -1;
    for (int t = 0; t < BINS - 1; t++) {
        const double below = total(h, first, t), above = total(h, t + 1, last);
        const double mean[2] = {below > 0 ? moment(h, first, t, 1) / below : 0, above > 0 ? moment(h, t + 1, last, 1) / above : 0};
        double entropy = 0;
        for (int i = 0; i < BINS; i++) {
            const double mu = 1.0 / (1.0 + term * fabs(i - mean[i > t]));
            if (h[i] > 0 && !(mu < 1e-06) && !(mu > 0.999999))
                entropy += h[i] * (-mu * log(mu) - (1.0 - mu) * log(1.0 - mu));
        }
        if (entropy < least) {
            least = entropy;
            best = t;
        }
    }
    return best;
}

/* Shares of all pixels: w[i] of bin i, w[BINS + i] of bins up to i; *first and *last have pixels on both sides. */
METHOD void find_shares(SPACE const double *h, SPACE double *w, int *first, int *last)
{
    const double n = total(h, 0, BINS - 1);
    double below = 0;
    for (int i = 0; i < BINS; i++) {
        w[i] = h[i] / n;
        below += w[i];
        w[BINS + i] = below;
    }
    *first = 0;
    while (*first < BINS - 1 && fabs(w[BINS + *first]) < NEARLY_ZERO)
        ++*first;
    *last = BINS - 1;
    while (*last > *first && fabs(1.0 - w[BINS + *last]) < NEARLY_ZERO)
        --*last;
}

/* Entropy of order 1, 1/2 (order 0) or 2 of the pixels from one bin to another, whose share is `share`. */
METHOD double entropy(SPACE const double *h, SPACE const double *w, int from, int to, double share, int order)
{
    double sum = 0;
    for (int i = from; i <= to; i++) {
        const double p = w[i] / share;
        if (h[i] > 0)
            sum += order == 1 ? -p * log(p) : order == 2 ? p * p : sqrt(p);
    }
    return sum;
}

/* The bin with the greatest entropy of both sides. */
METHOD int best_entropy(SPACE const double *h, SPACE const double *w, int first, int last, int order, int none)
{
    double most = 0;
    int best = none;
    for (int t = first; t <= last; t++) {
        const double below = entropy(h, w, 0, t, w[BINS + t], order), above = entropy(h, w, t + 1, BINS - 1, 1.0 - w[BINS + t], order);
        const double product = below * above;
        const double sum = order == 1 ? below + above : product > 0 ? (order == 2 ? -1.0 : 2.0) * log(product) : 0;
        if (sum > most) {
            most = sum;
            best = t;
        }
    }
    return best;
}

/* Greatest entropy (Kapur, Sahoo and Wong 1985). */
METHOD int threshold_max_entropy(SPACE const double *h, SPACE double *w)
{
    int first, last;
    find_shares(h, w, &first, &last);
    return best_entropy(h, w, first, last, 1, -1);
}

/* Three entropies, weighted by how near their bins are (Sahoo, Wilkins and Yeager 1997). */
METHOD int threshold_renyi(SPACE const double *h, SPACE double *w)
{
    int first, last, t[3];
    find_shares(h, w, &first, &last);
    for (int order = 0; order < 3; order++)
        t[order] = best_entropy(h, w, first, last, order, 0);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 2; i++)
            if (t[i] > t[i + 1]) {
                const int swapped = t[i];
                t[i] = t[i + 1];
                t[i + 1] = swapped;
            }
    const int near_low = t[1] - t[0] <= 5, near_high = t[2] - t[1] <= 5;
    const int b0 = near_low == near_high ? 1 : near_low ? 0 : 3, b1 = near_low == near_high ? 2 : 1, b2 = near_low == near_high ? 1 : near_low ? 3 : 0;
    const double p0 = w[BINS + t[0]], p2 = w[BINS + t[2]], quarter = 0.25 * (p2 - p0);
    return (int)(t[0] * (p0 + quarter * b0) + t[1] * quarter * b1 + t[2] * (1.0 - p2 + quarter * b2));
}

/* Both sides tell equally much (Shanbhag 1994). */
METHOD int threshold_shanbhag(SPACE const double *h, SPACE double *w)
{
    int first, last, best = -1;
    find_shares(h, w, &first, &last);
    double least = INFINITY;
    for (int t = first; t <= last; t++) {
        const double low = 0.5 / w[BINS + t], high = 0.5 / (1.0 - w[BINS + t]);
        double below = 0, above = 0;
        for (int i = 1; i <= t; i++)
            below -= w[i] * log(1.0 - low * w[BINS + i - 1]);
        for (int i = t + 1; i < BINS; i++)
            above -= w[i] * log(1.0 - high * (1.0 - w[BINS + i]));
        const double difference = fabs(below * low - above * high);
        if (difference < least) {
            least = difference;
            best = t;
        }
    }
    return best;
}

/* Greatest correlation (Yen, Chang and Chang 1995). */
METHOD int threshold_yen(SPACE const double *h, SPACE double *w)
{
    int first, last, best = -1;
    find_shares(h, w, &first, &last);
    double most = 0, below = 0;
    for (int t = 0; t < BINS; t++) {
        double above = 0;
        for (int i = BINS - 1; i > t; i--)
            above += w[i] * w[i];
        below += w[t] * w[t];
        const double squares = below * above, shares = w[BINS + t] * (1.0 - w[BINS + t]);
        const double score = -(squares > 0 ? log(squares) : 0) + 2 * (shares > 0 ? log(shares) : 0);
        if (score > most) {
            most = score;
            best = t;
        }
    }
    return best;
}
#endif
