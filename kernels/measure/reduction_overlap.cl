/* SPDX-License-Identifier: BSD-3-Clause */
#include "by_line_rows.cl"
#include "reduction.cl"

/* Sums: pixels that are not 0 in both images, and in at least one of them. */
inline void count_both(reduction4 *t, float4 a, float4 b, int4 keep)
{
    const int4 first = keep & (a != 0.0f), second = keep & (b != 0.0f);
    count_four(t, 0, first & second);
    count_four(t, 1, first | second);
}
OVER_LINE_IN_ANY_ORDER(count_overlap, reduction4, count_both)

kernel void reduce_overlap(INPUT(source), INPUT(other), global const float *center, global float *results, long count,
                           int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    BOTH_IN_ANY_ORDER(count_overlap, &t);
    finish_exactly(group, join_lanes(t), results);
}

/* Maximum: the largest difference; infinite if only one of the two is NaN. */
inline void widen_difference(reduction4 *t, float4 a, float4 b, int4 keep)
{
    const float4 difference = select(fabs(a - b), (float4)(0.0f), (a == b) | (isnan(a) & isnan(b)));
    t->high =
        fmax(t->high, select((float4)(-INFINITY), select(difference, (float4)(INFINITY), isnan(difference)), keep));
}
OVER_LINE_IN_ANY_ORDER(find_difference, reduction4, widen_difference)

kernel void reduce_differences(INPUT(source), INPUT(other), global const float *center, global float *results,
                               long count, int is_line)
{
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    BOTH_IN_ANY_ORDER(find_difference, &t);
    finish_exactly(group, join_lanes(t), results);
}
