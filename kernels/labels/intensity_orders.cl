/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quartiles, medians and modes of the intensities of each label. Quartiles are exact: each pass over the pixels counts
 * eight more bits of a key that sorts like the intensity, among the pixels that share the bits found so far. Label i of
 * a kernel is label `from` + i of `rows`, `modes` and `quantiles`.
 */
#include "statistics.cl"

enum { BINS = 256, QUANTILES = 3, STATE = 2 * QUANTILES };

/* A key of `bits` bits: 8 and 16 for the integer types of that size, otherwise 32. */
inline uint key_of(float value, int type, int bits)
{
    if (bits == 32)
        return order_of(value);
    return (uint)((int)value + (type == INT8 ? 128 : type == INT16 ? 32768 : 0));
}

inline float value_of_key(uint key, int type, int bits)
{
    if (bits == 32)
        return value_of(key);
    return (float)((int)key - (type == INT8 ? 128 : type == INT16 ? 32768 : 0));
}

/* The bin of 256 equal bins from a label's smallest to its largest intensity. */
inline uint mode_bin(float value, float least, float most)
{
    const float share = (value * 0.5f - least * 0.5f) / (most * 0.5f - least * 0.5f);
    return most > least ? min((uint)(share * BINS), (uint)BINS - 1) : 0;
}

/*
 * Counts keys. `states` has for each quantile the bits found so far and the rank among the pixels that share them. In
 * the first pass (`shift` + 8 = bits) one histogram serves all quantiles; later, quantiles with equal bits share one.
 */
kernel void count_keys(INPUT(labels), INPUT(intensity), uint first, uint last, int bits, int shift,
                       global const uint *states, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const uint key = key_of(LOAD(intensity, x, y, z), intensity.type, bits), bin = key >> shift & (BINS - 1);
    volatile global uint *histograms = counts + (ulong)i * QUANTILES * BINS;
    if (shift + 8 == bits) {
        atomic_inc(histograms + bin);
        return;
    }
    global const uint *state = states + (ulong)i * STATE;
    const uint known = key >> shift >> 8;
    for (int q = 0; q < QUANTILES; q++)
        if (state[2 * q] == known && (q == 0 || state[2 * q - 2] != known))
            atomic_inc(histograms + q * BINS + bin);
}

/* Finds the bin of each quantile, and clears the counts. Quantile q is sorted pixel floor(n (q + 1) / 4). */
kernel void find_bins(global const uint *rows, uint from, uint count, int is_first, global uint *states,
                      global uint *counts)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global uint *state = states + (ulong)i * STATE, *histograms = counts + (ulong)i * QUANTILES * BINS;
    const ulong pixels = pixels_of(row_of_label(rows, (ulong)from + i));
    uint before = 0;
    for (int q = 0, shared = 0; q < QUANTILES && pixels > 0; q++) {
        const uint known = state[2 * q];
        uint rank = is_first ? (uint)(pixels * (q + 1) / 4) : state[2 * q + 1], bin = 0;
        shared = is_first || (q > 0 && known == before) ? shared : q;
        before = known;
        global const uint *histogram = histograms + shared * BINS;
        while (bin < BINS - 1 && histogram[bin] <= rank)
            rank -= histogram[bin++];
        state[2 * q] = known << 8 | bin;
        state[2 * q + 1] = rank;
    }
    for (int bin = 0; bin < QUANTILES * BINS; bin++)
        histograms[bin] = 0;
}

/* Counts intensities: those of 8-bit images themselves, others in 256 bins of the label's range. */
kernel void count_modes(INPUT(labels), INPUT(intensity), uint first, uint last, int bits, global const uint *rows,
                        uint from, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const float value = LOAD(intensity, x, y, z);
    global const uint *row = row_of_label(rows, (ulong)from + i);
    const uint bin = bits == 8 ? key_of(value, intensity.type, 8)
                               : mode_bin(value, value_of(~row[LEAST]), value_of(row[MOST]));
    atomic_inc(counts + (ulong)i * QUANTILES * BINS + bin);
}

/* The most frequent intensity of each label, or the middle of the fullest bin; the smaller of equal ones. */
kernel void find_modes(global const uint *rows, uint from, uint count, int type, int bits, global const uint *counts,
                       global float *modes)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *histogram = counts + (ulong)i * QUANTILES * BINS, *row = row_of_label(rows, (ulong)from + i);
    uint best = 0;
    for (uint bin = 1; bin < BINS; bin++)
        best = histogram[bin] > histogram[best] ? bin : best;
    const float least = value_of(~row[LEAST]), most = value_of(row[MOST]), share = (best + 0.5f) / BINS;
    modes[from + i] = bits == 8      ? value_of_key(best, type, 8)
               : most > least ? least * (1 - share) + most * share
                              : least;
}

/* The quantiles as intensities, three for each label. */
kernel void quantile_values(uint from, uint count, int type, int bits, global const uint *states,
                            global float *quantiles)
{
    const uint i = get_global_id(0);
    for (int q = 0; i < count && q < QUANTILES; q++)
        quantiles[((ulong)from + i) * QUANTILES + q] = value_of_key(states[(ulong)i * STATE + 2 * q], type, bits);
}
