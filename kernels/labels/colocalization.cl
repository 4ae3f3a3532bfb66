/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over the pixels of each label in two images: deviations from the mean of each image, and products of two
 * deviations. A deviation is (value - mean) / range. A summand is an integer in steps of 2^-40, to which 1 is added
 * first so that it is not negative. colocalization_cells.cl lists the sums.
 */
#include "statistics.cl"
#include "statistics_runs.cl"

enum { COMMON_SUMS = 7, COMMON_COUNTS = 3, COMMON_FIELDS = 2 * COMMON_SUMS + COMMON_COUNTS, COMMON_WORDS = 34 };

inline void collect_common(volatile local uint *slot, const uint *run)
{
    for (int i = 0; i < COMMON_SUMS; i++)
        add_words(slot + 2 * i, long_of(run + 2 * i));
    for (int i = 2 * COMMON_SUMS; i < COMMON_FIELDS; i++)
        add_word(slot + i, run[i]);
}

inline void emit_common(volatile global uint *row, const uint *run)
{
    for (int i = 0; i < COMMON_SUMS; i++)
        add_sum(row + 4 * i, long_of(run + 2 * i));
    for (int i = 0; i < COMMON_COUNTS; i++)
        add_counter(row + 4 * COMMON_SUMS + 2 * i, run[2 * COMMON_SUMS + i]);
}

inline float deviation_from(float value, float4 centre)
{
    return clamp(((value - centre.x) - centre.y) * centre.z, -1.0f, 1.0f);
}

inline float element_of(float4 values, int i)
{
    const float2 two = i < 2 ? values.lo : values.hi;
    return i & 1 ? two.y : two.x;
}

inline ulong steps_of(float number)
{
    return (ulong)(convert_long_rte(number * 0x1p40f) + (1L << 40));
}

/*
 * `centres1` and `centres2` have, for each label of an image, the mean as the sum of two floats, and the inverse of the
 * range.
 */
kernel void common_sums(INPUT(labels), INPUT(source), INPUT(other), uint first, uint last, int rows, int capacity,
                        global const uint *count, global const uint4 *list, global const float4 *centres1,
                        global const float4 *centres2, const float threshold1, const float threshold2,
                        volatile global uint *sums)
{
    EACH_RUN(COMMON_FIELDS, ulong sum[COMMON_SUMS]; uint above[COMMON_COUNTS]; float4 more_values = 0.0f;
             float4 centre1 = 0.0f; float4 centre2 = 0.0f;
             , value = values_down(source_pixels, &source, x, four, z, more);
             more_values = values_down(other_pixels, &other, x, four, z, more);, centre1 = centres1[label];
             centre2 = centres2[label]; for (int i = 0; i < COMMON_SUMS; i++) sum[i] = 0;
             above[0] = above[1] = above[2] = 0;
             , const float b = element_of(more_values, y - four);
             const float d = deviation_from(value.x, centre1); const float e = deviation_from(b, centre2);
             const uint in1 = value.x > threshold1; const uint in2 = b > threshold2; const uint in_both = in1 & in2;
             sum[0] += steps_of(d * e); sum[1] += steps_of(d * d); sum[2] += steps_of(e * e);
             sum[3] += in1 ? steps_of(d) : 0; sum[4] += in2 ? steps_of(e) : 0; sum[5] += in_both ? steps_of(d) : 0;
             sum[6] += in_both ? steps_of(e) : 0; above[0] += in1; above[1] += in2; above[2] += in_both;
             , for (int i = 0; i < COMMON_SUMS; i++) keep_long(run + 2 * i, sum[i]);
             for (int i = 0; i < COMMON_COUNTS; i++) run[2 * COMMON_SUMS + i] = above[i];, collect_common(slot, run);
             , emit_common(sums + (ulong)label * COMMON_WORDS, run);)
}
