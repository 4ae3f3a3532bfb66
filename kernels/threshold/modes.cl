/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods by the shape of the histogram or by entropy, and the choice among all; begins in methods.cl. */
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Whether a histogram has just two local maxima. */
METHOD int is_bimodal(SPACE const double *h)
{
    int modes = 0;
    for (int i = 1; i < BINS - 1; i++)
        modes += h[i - 1] < h[i] && h[i + 1] < h[i];
    return modes == 2;
}

/* Smooths by means of three until two maxima are left; 0 if that does not happen. */
METHOD int make_bimodal(SPACE double *h)
{
    for (int pass = 0; pass <= MOST_PASSES; pass++) {
        if (is_bimodal(h))
            return 1;
        double before = 0, here = 0, after = h[0];
        for (int i = 0; i < BINS; i++) {
            before = here;
            here = after;
            after = i < BINS - 1 ? h[i + 1] : 0;
            h[i] = (before + here + after) / 3;
        }
    }
    return 0;
}

/* Middle of the two maxima (Prewitt and Mendelsohn 1966). */
METHOD int threshold_intermodes(SPACE double *h)
{
    if (!make_bimodal(h))
        return -1;
    int sum = 0;
    for (int i = 1; i < BINS - 1; i++)
        if (h[i - 1] < h[i] && h[i + 1] < h[i])
            sum += i;
    return sum / 2;
}

/* The minimum between the two maxima (Prewitt and Mendelsohn 1966). */
METHOD int threshold_minimum(SPACE double *h)
{
    if (!make_bimodal(h))
        return -1;
    for (int i = 1; i < BINS - 1; i++)
        if (h[i - 1] > h[i] && h[i + 1] >= h[i])
            return i;
    return -1;
}

/* The bin farthest below the line from the peak to the farther end (Zack, Rogers and Latt 1977). */
METHOD int threshold_triangle(SPACE const double *h)
{
    int start = first_bin(h), end = last_bin(h), peak = 0;
    start -= start > 0;
    end += end < BINS - 1;
    for (int i = 1; i < BINS; i++)
        if (h[i] > h[peak])
            peak = i;
    const int mirrored = peak - start < end - peak;
    if (mirrored) {
        start = BINS - 1 - end;
        peak = BINS - 1 - peak;
    }
    if (start == peak)
        return start;
#define MIRRORED(i) h[mirrored ? BINS - 1 - (i) : (i)]
    double nx = MIRRORED(peak), ny = start - peak;
    const double length = sqrt(nx * nx + ny * ny);
    nx /= length;
    ny /= length;
    const double d = nx * start + ny * MIRRORED(start);
    double most = 0;
    int split = start;
    for (int i = start + 1; i <= peak; i++) {
        const double distance = nx * i + ny * MIRRORED(i) - d;
        if (distance > most) {
            most = distance;
            split = i;
        }
    }
    split--;
    return mirrored ? BINS - 1 - split : split;
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

/* The bin that a method, by its number among threshold_names, chooses; 0 where it has none. */
METHOD int choose_bin(int method, SPACE double *h, SPACE double *w)
{
    int bin = -1;
    if (total(h, 0, BINS - 1) > 0)
        switch (method) {
        case 1: bin = threshold_huang(h); break;
        case 2: bin = threshold_intermodes(h); break;
        case 3: bin = threshold_isodata(h); break;
        case 4: bin = threshold_ij_isodata(h); break;
        case 5: bin = threshold_li(h); break;
        case 6: bin = threshold_max_entropy(h, w); break;
        case 7: bin = threshold_mean(h); break;
        case 8: bin = threshold_min_error(h); break;
        case 9: bin = threshold_minimum(h); break;
        case 10: bin = threshold_moments(h); break;
        case 11: bin = threshold_otsu(h); break;
        case 12: bin = threshold_percentile(h); break;
        case 13: bin = threshold_renyi(h, w); break;
        case 14: bin = threshold_shanbhag(h, w); break;
        case 15: bin = threshold_triangle(h); break;
        case 16: bin = threshold_yen(h, w); break;
        default: bin = threshold_default(h); break;
        }
    return bin < 0 ? 0 : bin;
}

#ifdef __OPENCL_VERSION__
/* One work-item finds the threshold of a histogram between two numbers, or between the extremes of a tally. */
kernel void threshold_method(global const uint *bins, global const float *all, global float *threshold, int method, int measured,
                             float low, float high)
{
    local double h[BINS], w[2 * BINS];
    for (int i = (int)get_local_id(0); i < BINS; i += (int)get_local_size(0))
        h[i] = bins[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        if (measured) {
            low = all[8];
            high = all[9];
        }
        *threshold = threshold_at(choose_bin(method, h, w), low, high);
    }
}
#endif
#endif
