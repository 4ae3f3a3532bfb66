/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects among the methods, on the device and on the host; see methods.cl. */
#include "methods.cl"
#include "methods_entropy.cl"
#include "methods_shape.cl"
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

enum { ORDERS = 3 };        /* entropy orders, which one method tries one after another */

METHOD int uses_shares(int method)
{
    return method == MAX_ENTROPY || method == RENYI || method == SHANBHAG || method == YEN;
}

METHOD int needs_two_modes(int method)
{
    return method == INTERMODES || method == MINIMUM;
}

/* How often the method searches for the bin with the lowest score. */
METHOD int turns_of(int method)
{
    switch (method) {
    case INTERMODES:
    case LI:
    case MEAN:
    case MIN_ERROR:
    case MINIMUM:
    case MOMENTS:
    case TRIANGLE: return 0;
    case RENYI: return ORDERS;
    default: return 1;
    }
}

/*
 * Score of bin k in one of the method's turns. The lowest score wins. If several bins have it, the first one wins, or
 * the last one for Otsu's method.
 */
METHOD double score_of(SPACE const bin_sums *h, int method, int turn, int k)
{
    double score = INFINITY;
    switch (method) {
    case DEFAULT:
    case IJ_ISODATA: score = score_ij_isodata(h, k); break;
    case HUANG: score = score_huang(h, k); break;
    case ISODATA: score = score_isodata(h, k); break;
    case MAX_ENTROPY: score = score_entropy(h, k, 1); break;
    case OTSU: score = score_otsu(h, k); break;
    case PERCENTILE: score = score_percentile(h, k); break;
    case RENYI: score = score_entropy(h, k, turn); break;
    case SHANBHAG: score = score_shanbhag(h, k); break;
    case YEN: score = score_yen(h, k); break;
    default: break;
    }
    return isnan(score) ? INFINITY : score;
}

/*
 * Returns the bin that the method chooses as threshold. `best` holds, for each turn of the method, the bin with the
 * lowest score, or -1 if no bin has a score. If all pixels are in one bin, this bin is the threshold, so no pixel is
 * above it.
 */
METHOD int conclude(SPACE const bin_sums *h, int method, const int *best, int has_two_modes)
{
    const int any[ORDERS] = {best[0] < 0 ? 0 : best[0], best[1] < 0 ? 0 : best[1], best[2] < 0 ? 0 : best[2]};
    if (h->filled == 1)
        return h->last_filled;
    if (h->high < 0 || (needs_two_modes(method) && !has_two_modes))
        return 0;
    int bin = best[0];
    switch (method) {
    case DEFAULT:
    case IJ_ISODATA: bin = h->low >= h->high ? BINS / 2 : (int)floor(middle_of_means(h, best[0]) + 0.5); break;
    case INTERMODES: bin = h->low + threshold_intermodes(h->counts + h->low, h->high - h->low + 1); break;
    case LI: bin = threshold_li(h); break;
    case MEAN: bin = threshold_mean(h); break;
    case MIN_ERROR: bin = threshold_min_error(h); break;
    case MINIMUM: bin = threshold_minimum(h->counts); break;
    case MOMENTS: bin = threshold_moments(h); break;
    case RENYI: bin = threshold_renyi(h, any); break;
    case TRIANGLE: bin = threshold_triangle(h); break;
    default: break;
    }
    return bin < 0 ? 0 : bin;
}
#endif
