/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes a threshold on the device, with one work-group that has a work-item per bin; see methods.cl. Each method is
 * a separate kernel, because compiling all methods takes a second.
 */
#include "methods.cl"
#include "methods_entropy.cl"
#include "methods_shape.cl"
#include "select.cl"
#ifdef DOUBLES

/* Computes the sums of the counts, and the range of bins that the method uses. */
inline void add_up(local bin_sums *h, int k)
{
    double3 mine = (double3)(h->counts[k], k * h->counts[k], (double)k * k * h->counts[k]);
    ROLLED for (int step = 1; step < BINS; step *= 2) {
        h->number[k] = mine.x;
        h->first[k] = mine.y;
        h->second[k] = mine.z;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k >= step)
            mine += (double3)(h->number[k - step], h->first[k - step], h->second[k - step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    h->number[k] = mine.x;
    h->first[k] = mine.y;
    h->second[k] = mine.z;
    barrier(CLK_LOCAL_MEM_FENCE);
    complete_bin(h, k);
}

/*
 * Replaces bins with means of three bins until only two maxima are left. Returns false if that does not happen. `modes`
 * has room for two numbers.
 */
inline bool smooth(local double *h, int count, int k, local int *modes)
{
    bool found = false;
    if (k == 0)
        modes[0] = 0;
    for (int pass = 0; pass <= MAX_PASSES && !found; pass++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_mode(h, count, k))
            atomic_inc(&modes[pass % 2]);
        const double mean = k < count ? mean_of_three(h, count, k) : 0;
        if (k == 0)
            modes[(pass + 1) % 2] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        found = modes[pass % 2] == 2;
        if (k < count && !found)
            h[k] = mean;
    }
    return found;
}

/* Returns the bin with the lowest score; in a tie, the first such bin or, with `last`, the last one. */
inline int bin_of_min(double score, int k, bool last, local double *scores, local int *bins)
{
    scores[k] = score;
    bins[k] = k;
    ROLLED for (int half_size = BINS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = k + half_size;
        if (k < half_size &&
            (scores[other] < scores[k] || (scores[other] == scores[k] && (bins[other] > bins[k]) == last))) {
            scores[k] = scores[other];
            bins[k] = bins[other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int bin = isinf(scores[0]) ? -1 : bins[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return bin;
}

/*
 * Parameters and body of a kernel that computes a histogram's threshold. The ends of the histogram are given or
 * measured. The method is a constant, so only its code is compiled.
 */
#define THRESHOLD_PARAMETERS                                                                                           \
    global const uint *bins, global const float *range, global float *threshold, int measured, float low, float high
#define THRESHOLD_BY(method)                                                                                           \
    local bin_sums h;                                                                                                  \
    local double scores[BINS];                                                                                         \
    local int places[BINS];                                                                                            \
    const int bin = choose_bin(&h, scores, places, method, bins);                                                      \
    if (get_local_id(0) == 0)                                                                                          \
        *threshold = threshold_at(bin, measured ? range[0] : low, measured ? range[1] : high);

/* Called by the first work-item. */
inline int choose_bin(local bin_sums *h, local double *scores, local int *places, int method, global const uint *bins)
{
    const int k = (int)get_local_id(0);
    h->counts[k] = bins[k];
    if (k == 0) {
        h->low = h->filled = h->last_filled = 0;
        h->high = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bins[k] > 0) {
        atomic_inc(&h->filled);
        atomic_max(&h->last_filled, k);
    }
    if (k == 0 && (method == DEFAULT || method == IJ_ISODATA))
        leave_out_extremes(h, method);
    barrier(CLK_LOCAL_MEM_FENCE);
    add_up(h, k);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k == 0 && uses_shares(method))
        add_shares(h);
    barrier(CLK_LOCAL_MEM_FENCE);
    int best[ORDERS] = {-1, -1, -1};
    for (int turn = 0; turn < turns_of(method); turn++)
        best[turn] = bin_of_min(score_of(h, method, turn, k), k, method == OTSU, scores, places);
    const int first = method == INTERMODES ? h->low : 0, count = method == INTERMODES ? h->high - first + 1 : BINS;
    const bool has_two_modes = needs_two_modes(method) && smooth(h->counts + first, count, k, places);
    barrier(CLK_LOCAL_MEM_FENCE);
    return k == 0 ? conclude(h, method, best, has_two_modes) : 0;
}

kernel void threshold_by_default(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(DEFAULT)
}

kernel void threshold_by_huang(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(HUANG)
}

kernel void threshold_by_intermodes(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(INTERMODES)
}

kernel void threshold_by_isodata(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(ISODATA)
}

kernel void threshold_by_ij_isodata(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(IJ_ISODATA)
}

kernel void threshold_by_li(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(LI)
}

kernel void threshold_by_max_entropy(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(MAX_ENTROPY)
}

kernel void threshold_by_mean(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(MEAN)
}

kernel void threshold_by_min_error(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(MIN_ERROR)
}

kernel void threshold_by_minimum(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(MINIMUM)
}

kernel void threshold_by_moments(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(MOMENTS)
}

kernel void threshold_by_otsu(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(OTSU)
}

kernel void threshold_by_percentile(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(PERCENTILE)
}

kernel void threshold_by_renyi(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(RENYI)
}

kernel void threshold_by_shanbhag(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(SHANBHAG)
}

kernel void threshold_by_triangle(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(TRIANGLE)
}

kernel void threshold_by_yen(THRESHOLD_PARAMETERS)
{
    THRESHOLD_BY(YEN)
}
#endif
