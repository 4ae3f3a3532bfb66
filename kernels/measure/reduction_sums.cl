/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over all pixels, or over those inside a mask. */
#include "by_line.cl"
#include "by_line_rows.cl"
#include "reduction.cl"

/* Computes the sum alone: the other results would take registers and thus time. */
kernel void reduce_sum(INPUT(source), global const float *center, global float *results, long count,
                       int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    SOURCE_LINE(add_up, &t);
    const float2 mine = join_lanes(t).sum[0];
    join_pairs(group, mine);
    if (get_local_id(0) == 0)
        vstore2(group[0], 0, results + REDUCTION * get_group_id(0));
}

/* One work-group joins the sums of all groups. */
kernel void join_sums(global const float *partial, global float *results, int groups)
{
    local float2 group[REDUCTION_GROUP];
    float2 mine = (float2)(0.0f);
    for (int g = (int)get_local_id(0); g < groups; g += REDUCTION_GROUP)
        mine = add_pairs(mine, vload2(0, partial + REDUCTION * g));
    join_pairs(group, mine);
    if (get_local_id(0) == 0)
        vstore2(group[0], 0, results);
}

/* The body of a kernel whose results are not rounded: extremes or a count, found by FIND. */
#define REDUCE_IN_ANY_ORDER(FIND)                                                                                      \
    PROLOGUE_INPUTS                                                                                                    \
    local reduction group[REDUCTION_GROUP];                                                                            \
    reduction4 t;                                                                                                      \
    clear_reduction4(&t);                                                                                              \
    SOURCE_IN_ANY_ORDER(FIND, &t);                                                                                     \
    finish_exactly(group, join_lanes(t), results);

/* Computes the minimum and maximum alone. */
kernel void reduce_extremes(INPUT(source), global const float *center, global float *results, long count,
                            int is_line PROLOGUE_PARAMETERS)
{
    REDUCE_IN_ANY_ORDER(find_range)
}

/* As reduce_extremes, of pixels that are neither infinite nor NaN. */
kernel void reduce_finite_extremes(INPUT(source), global const float *center, global float *results, long count,
                                   int is_line PROLOGUE_PARAMETERS)
{
    REDUCE_IN_ANY_ORDER(find_finite_range)
}

/* Adds pixels to the first sum where the other image is not 0, and counts them. */
inline void add_masked(reduction4 *t, float4 a, float4 b, int4 keep)
{
    keep &= b != 0.0f;
    add_kept(t, a, b, keep);
    count_four(t, 1, keep);
}
OVER_LINE(add_up_masked, reduction4, add_masked)

kernel void reduce_masked(INPUT(source), INPUT(other), global const float *center, global float *results, long count,
                          int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    BOTH_LINES(add_up_masked, &t);
    finish_group(group, join_lanes(t), results);
}

/* Updates the minimum and maximum of the pixels where the other image is not 0, and counts them. */
inline void widen_masked(reduction4 *t, float4 a, float4 b, int4 keep)
{
    keep &= b != 0.0f;
    count_four(t, 1, keep);
    widen_range(t, a, b, keep);
}
OVER_LINE_IN_ANY_ORDER(find_masked_range, reduction4, widen_masked)

kernel void reduce_masked_extremes(INPUT(source), INPUT(other), global const float *center, global float *results,
                                   long count, int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    BOTH_IN_ANY_ORDER(find_masked_range, &t);
    finish_exactly(group, join_lanes(t), results);
}

/* Counts pixels that are not 0, in the third sum. */
inline void count_nonzero(reduction4 *t, float4 a, float4 b, int4 keep) { count_four(t, 2, keep & (a != 0.0f)); }
OVER_LINE_IN_ANY_ORDER(count_all_nonzero, reduction4, count_nonzero)

kernel void reduce_nonzero(INPUT(source), global const float *center, global float *results, long count,
                           int is_line PROLOGUE_PARAMETERS)
{
    REDUCE_IN_ANY_ORDER(count_all_nonzero)
}

/* Writes the sample as a reduction of one pixel. */
kernel void reduce_sample(INPUT(source), global float *results, long count PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 some[REDUCTION_GROUP];
#if FROM_CHAIN
    const float mine = chain_prologue(&inputs, (INDEX)(count * (int)get_local_id(0) / REDUCTION_GROUP), 1, false).x;
#else
    const float mine = sampled(source_pixels, &source, count);
#endif
    const float value = sample_of(mine, some);
    if (get_local_id(0) == 0)
        vstore4((float4)(value, 0.0f, 1.0f, 0.0f), 0, results);
}

/* The sums are: differences from a value near the mean, their number, and their squares. */
inline float middle_of(global const float *center) { return center[2] > 0.0f ? center[0] / center[2] : 0.0f; }

inline void add_deviation(reduction4 *t, float4 a, float4 b, int4 keep)
{
    const float4 difference = kept(a - t->middle, keep);
    add_four(t, 0, difference);
    count_four(t, 1, keep);
    add_product(t, 2, difference, difference);
}

inline void add_masked_deviation(reduction4 *t, float4 a, float4 b, int4 keep)
{
    add_deviation(t, a, b, keep & (b != 0.0f));
}

OVER_LINE(add_deviations, reduction4, add_deviation)
OVER_LINE(add_masked_deviations, reduction4, add_masked_deviation)

kernel void reduce_deviations(INPUT(source), global const float *center, global float *results, long count,
                              int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    t.middle = middle_of(center);
    SOURCE_LINE(add_deviations, &t);
    finish_group(group, join_lanes(t), results);
}

kernel void reduce_masked_deviations(INPUT(source), INPUT(other), global const float *center, global float *results,
                                     long count, int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    t.middle = middle_of(center);
    BOTH_LINES(add_masked_deviations, &t);
    finish_group(group, join_lanes(t), results);
}

/* Adds squared differences between two images, and counts them. */
inline void add_error(reduction4 *t, float4 a, float4 b, int4 keep)
{
    const float4 error = kept(a - b, keep);
    add_product(t, 0, error, error);
    count_four(t, 1, keep);
}
OVER_LINE(add_errors, reduction4, add_error)

kernel void reduce_errors(INPUT(source), INPUT(other), global const float *center, global float *results, long count,
                          int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    BOTH_LINES(add_errors, &t);
    finish_group(group, join_lanes(t), results);
}
