/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice on the device, by one group with an item for each bin; see methods.cl. */
#ifdef DOUBLES

/* Sums of the counts, and the bins that count. */
inline void add_up(local bin_sums *h, int k)
{
    double3 mine = (double3)(h->counts[k], k * h->counts[k], (double)k * k * h->counts[k]);
    for (int step = 1; step < BINS; step *= 2) {
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

/* Smooths by means of three until two maxima are left, if that happens. modes: room for two numbers. */
inline bool smooth(local double *h, int count, int k, local int *modes)
{
    bool found = false;
    if (k == 0)
        modes[0] = 0;
    for (int pass = 0; pass <= MOST_PASSES && !found; pass++) {
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

/* The bin of the least score, the first or the last of equals. */
inline int bin_of_least(double score, int k, bool last, local double *scores, local int *bins)
{
    scores[k] = score;
    bins[k] = k;
    for (int half_size = BINS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = k + half_size;
        if (k < half_size && (scores[other] < scores[k] || (scores[other] == scores[k] && (bins[other] > bins[k]) == last))) {
            scores[k] = scores[other];
            bins[k] = bins[other];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int bin = isinf(scores[0]) ? -1 : bins[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return bin;
}

/* The threshold of a histogram between two numbers, or between those that were measured. */
kernel void threshold_method(global const uint *bins, global const float *range, global float *threshold, int method, int measured, float low,
                             float high)
{
    local bin_sums h;
    local double scores[BINS];
    local int places[BINS];
    const int k = (int)get_local_id(0);
    h.counts[k] = bins[k];
    if (k == 0) {
        h.low = 0;
        h.high = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k == 0 && (method == DEFAULT || method == IJ_ISODATA))
        leave_out_extremes(&h, method);
    barrier(CLK_LOCAL_MEM_FENCE);
    add_up(&h, k);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k == 0 && uses_shares(method))
        add_shares(&h);
    barrier(CLK_LOCAL_MEM_FENCE);
    int best[ORDERS] = {-1, -1, -1};
    for (int turn = 0; turn < turns_of(method); turn++)
        best[turn] = bin_of_least(score_of(&h, method, turn, k), k, method == OTSU, scores, places);
    const int first = method == INTERMODES ? h.low : 0, count = method == INTERMODES ? h.high - first + 1 : BINS;
    const bool has_two_modes = needs_two_modes(method) && smooth(h.counts + first, count, k, places);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k == 0)
        *threshold = threshold_at(conclude(&h, method, best, has_two_modes), measured ? range[0] : low, measured ? range[1] : high);
}
#endif
