/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the label with the most pixels, and keeps only it or removes only it. */
#include "statistics.cl"

enum { LARGEST_LANES = 256 };

/*
 * Whether a label comes before the best one so far: it has more pixels, or equally many and a smaller number. A `best`
 * of 0 means that no label has been seen.
 */
inline bool comes_before(long pixels, uint label, long max_pixels, uint best)
{
    return label && (!best || pixels > max_pixels || (pixels == max_pixels && label < best));
}

/* In one work-group: sets numbers[label] to the label if it is kept, else to 0. */
kernel void number_largest(global const uint *table, global uint *numbers, uint max_label, int keeps)
{
    local long counts[LARGEST_LANES];
    local uint labels[LARGEST_LANES];
    const uint lane = get_local_id(0);
    long max_pixels = 0;
    uint best = 0;
    for (ulong label = lane + 1; label <= max_label; label += LARGEST_LANES) {
        const long pixels = pixels_of(table + label * ROW);
        if (pixels > 0 && comes_before(pixels, (uint)label, max_pixels, best)) {
            max_pixels = pixels;
            best = (uint)label;
        }
    }
    counts[lane] = max_pixels;
    labels[lane] = best;
    for (uint half_size = LARGEST_LANES / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size &&
            comes_before(counts[lane + half_size], labels[lane + half_size], counts[lane], labels[lane])) {
            counts[lane] = counts[lane + half_size];
            labels[lane] = labels[lane + half_size];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    best = labels[0];
    for (ulong label = lane; label <= max_label; label += LARGEST_LANES)
        numbers[label] = ((uint)label == best) == (keeps != 0) ? (uint)label : 0;
}
