/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of the third and fourth powers of deviations from the mean, in 2^-40 of the label's range. 1 is added to each
 * third power, so that no summand is negative.
 */
#include "statistics.cl"
#include "statistics_runs.cl"

enum { DEVIATION_BITS = 40, DEVIATION_FIELDS = 4 };

inline void collect_deviations(volatile local uint *slot, const uint *run)
{
    add_words(slot, long_of(run));
    add_words(slot + 2, long_of(run + 2));
}

inline void emit_deviations(volatile global uint *row, const uint *run)
{
    add_sum(row, long_of(run));
    add_sum(row + 4, long_of(run + 2));
}

/* `centres` has for each label the mean as the sum of two floats, and the inverse of the range. */
kernel void intensity_deviations(INPUT(labels), INPUT(source), uint first, uint last, int rows, int capacity,
                                 global const uint *count, global const uint4 *list, global const float4 *centres,
                                 volatile global uint *sums)
{
    EACH_RUN(DEVIATION_FIELDS, ulong third = 0; ulong fourth = 0; float4 centre = 0.0f;
             , value = values_down(source_pixels, &source, x, four, z, more);, centre = centres[label]; third = 0;
             fourth = 0;
             , const float deviation = clamp(((value.x - centre.x) - centre.y) * centre.z, -1.0f, 1.0f);
             const float square = deviation * deviation;
             third += (ulong)(convert_long_rte(deviation * square * 0x1p40f) + (1L << DEVIATION_BITS));
             fourth += (ulong)convert_long_rte(square * square * 0x1p40f);, keep_long(run, third);
             keep_long(run + 2, fourth);, collect_deviations(slot, run);
             , emit_deviations(sums + (ulong)label * 8, run);)
}
