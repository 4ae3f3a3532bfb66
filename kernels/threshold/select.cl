/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice among the methods, for the device and the host; see methods.cl. */
#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

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
/* One work-item finds the threshold of a histogram between two numbers, or between those that were measured. */
kernel void threshold_method(global const uint *bins, global const float *range, global float *threshold, int method, int measured,
                             float low, float high)
{
    local double h[BINS], w[2 * BINS];
    for (int i = (int)get_local_id(0); i < BINS; i += (int)get_local_size(0))
        h[i] = bins[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *threshold = threshold_at(choose_bin(method, h, w), measured ? range[0] : low, measured ? range[1] : high);
}

/* Otsu's method, as threshold_otsu, an item for each bin: sums of counts are whole numbers, which doubles add exactly in any order. */
kernel void threshold_between_classes(global const uint *bins, global const float *range, global float *threshold, int method, int measured,
                                      float low, float high)
{
    local double2 sums[BINS];
    local double scores[BINS];
    local int best[BINS];
    const int k = (int)get_local_id(0);
    double2 mine = (double2)(bins[k], (double)k * bins[k]);
    for (int step = 1; step < BINS; step *= 2) {
        sums[k] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k >= step)
            mine += sums[k - step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[k] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    const double n = sums[BINS - 1].x, s = sums[BINS - 1].y, product = mine.x * (n - mine.x);
    const double difference = n > 0 ? mine.x / n * s - mine.y : 0;
    scores[k] = k == 0 || k == BINS - 1 ? -1 : product != 0 ? difference * difference / product : 0;
    best[k] = k;
    for (int half_size = BINS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = k + half_size;
        if (k < half_size && (scores[other] > scores[k] || (scores[other] == scores[k] && best[other] > best[k]))) {
            scores[k] = scores[other];
            best[k] = best[other];
        }
    }
    if (k == 0)
        *threshold = threshold_at(n > 0 ? best[0] : 0, measured ? range[0] : low, measured ? range[1] : high);
}
#endif
#endif
