/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles and modes of the intensities of each label. Quantiles are exact: each pass over the pixels counts eight
 * more bits of a key that sorts like the intensity, among the pixels that share the bits found so far. Label i of a
 * kernel is label `from` + i of `rows`, `modes` and `keys`, which has `quantiles` keys for each label.
 */
#include "exact_orders.cl"
#include "statistics.cl"

enum { BINS = 256, ALL_SHARES = 100000000 };

/* A key of `bits` bits that sorts like the pixel: 8 and 16 for the integer types of that size, otherwise 32. */
inline uint key_at(global const uchar *pixels, int type, INDEX at, int bits)
{
    if (type == UINT32 || type == INT32)
        return load_bits(pixels, type, at) ^ (type == INT32 ? 0x80000000u : 0u);
    const float value = load_float(pixels, type, at);
    if (bits == 32)
        return order_of(value);
    return (uint)((int)value + (type == INT8 ? 128 : type == INT16 ? 32768 : 0));
}

/* The bin of 256 equal bins from a label's smallest to its largest intensity, all three as keys of 32 bits. */
inline uint mode_bin(uint key, uint min_key, uint max_key, int type)
{
    if (min_key == max_key)
        return 0;
    if (type == UINT32 || type == INT32)
        return min((uint)((ulong)(key - min_key) * BINS / (max_key - min_key)), (uint)BINS - 1);
    const float value = value_of(key, type), low = value_of(min_key, type), high = value_of(max_key, type),
                share = (value * 0.5f - low * 0.5f) / (high * 0.5f - low * 0.5f);
    return high > low ? min((uint)(share * BINS), (uint)BINS - 1) : 0;
}

/*
 * Counts keys. `states` has for each quantile the bits found so far and the rank among the pixels that share them. In
 * the first pass (`shift` + 8 = bits) one histogram serves all quantiles; later, quantiles with equal bits share one.
 */
kernel void count_keys(INPUT(labels), INPUT(intensity), uint first, uint last, int bits, int shift, int quantiles,
                       global const uint *states, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const uint key = key_at(intensity_pixels, intensity.type, AT(intensity, x, y, z), bits),
               bin = key >> shift & (BINS - 1);
    volatile global uint *histograms = counts + (ulong)i * quantiles * BINS;
    if (shift + 8 == bits) {
        atomic_inc(histograms + bin);
        return;
    }
    global const uint *state = states + (ulong)i * 2 * quantiles;
    const uint known = key >> shift >> 8;
    for (int q = 0; q < quantiles; q++)
        if (state[2 * q] == known && (q == 0 || state[2 * q - 2] != known))
            atomic_inc(histograms + q * BINS + bin);
}

/*
 * Finds the bin of each quantile, and clears the counts. Quantile q is sorted pixel floor(n share / ALL_SHARES), at
 * most n - 1; `shares` increase.
 */
kernel void find_bins(global const uint *rows, uint from, uint count, int is_first, int quantiles,
                      global const uint *shares, global uint *states, global uint *counts)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global uint *state = states + (ulong)i * 2 * quantiles, *histograms = counts + (ulong)i * quantiles * BINS;
    const ulong pixels = pixels_of(row_of_label(rows, (ulong)from + i));
    uint before = 0;
    for (int q = 0, shared = 0; q < quantiles && pixels > 0; q++) {
        const uint known = state[2 * q];
        uint rank = is_first ? (uint)min(pixels * shares[q] / ALL_SHARES, pixels - 1) : state[2 * q + 1], bin = 0;
        shared = is_first || (q > 0 && known == before) ? shared : q;
        before = known;
        global const uint *histogram = histograms + shared * BINS;
        while (bin < BINS - 1 && histogram[bin] <= rank)
            rank -= histogram[bin++];
        state[2 * q] = known << 8 | bin;
        state[2 * q + 1] = rank;
    }
    for (int bin = 0; bin < quantiles * BINS; bin++)
        histograms[bin] = 0;
}

/* Counts intensities: one bin per value in 8-bit images, otherwise 256 bins over the label's range. */
kernel void count_modes(INPUT(labels), INPUT(intensity), uint first, uint last, int bits, global const uint *rows,
                        uint from, volatile global uint *counts)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const int type = intensity.type;
    const INDEX at = AT(intensity, x, y, z);
    global const uint *row = row_of_label(rows, (ulong)from + i);
    uint bin;
    if (bits == 8)
        bin = key_at(intensity_pixels, type, at, 8);
    else if (bits == 32)
        bin = mode_bin(key_at(intensity_pixels, type, at, 32), ~row[LOWEST], row[HIGHEST], type);
    else
        bin = mode_bin(order_of(load_float(intensity_pixels, type, at)), ~row[LOWEST], row[HIGHEST], type);
    atomic_inc(counts + (ulong)i * BINS + bin);
}

/* Finds the fullest bin of each label, or the lowest of several equally full ones. */
kernel void find_modes(uint from, uint count, global const uint *counts, global uint *modes)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *histogram = counts + (ulong)i * BINS;
    uint best = 0;
    for (uint bin = 1; bin < BINS; bin++)
        best = histogram[bin] > histogram[best] ? bin : best;
    modes[from + i] = best;
}

/* The keys of all quantiles. */
kernel void quantile_keys(uint from, uint count, int quantiles, global const uint *states, global uint *keys)
{
    const uint i = get_global_id(0);
    for (int q = 0; i < count && q < quantiles; q++)
        keys[((ulong)from + i) * quantiles + q] = states[((ulong)i * quantiles + q) * 2];
}
