/* SPDX-License-Identifier: BSD-3-Clause */
/* The reductions that most statistics begin with. */
#include "by_line.cl"
#include "reduction.cl"
#define TOGETHER

/* Sums: pixels, their number, and the number of pixels that are not 0. */
inline void add_all(reduction4 *t, float4 a, float4 b, int4 keep)
{
    add_kept(t, a, b, keep);
    count_four(t, 1, keep);
    widen_range(t, a, b, keep);
    count_four(t, 2, keep & (a != 0.0f));
}
OVER_LINE(add_pixels, reduction4, add_all)

kernel void reduce_pixels(INPUT(source), global const float *center, global float *results, long count,
                          int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local reduction group[REDUCTION_GROUP];
    reduction4 t;
    clear_reduction4(&t);
    SOURCE_LINE(add_pixels, &t);
    finish_group(group, join_lanes(t), results);
}

/* One work-group joins the reductions of all groups. */
kernel void reduce_groups(global const float *partial, global float *results, int groups)
{
    local reduction group[REDUCTION_GROUP];
    reduction mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    for (int g = (int)get_local_id(0); g < groups; g += REDUCTION_GROUP)
        mine = join_reductions(mine, load_reduction(partial + REDUCTION * g));
    finish_group(group, mine, results);
}
