/* SPDX-License-Identifier: BSD-3-Clause */
/* What most statistics begin with. */
#define TOGETHER

/* Sums: pixels, their number, pixels that are not 0. */
inline void add_all(four_tallies *t, float4 a, float4 b, int4 keep)
{
    add_kept(t, a, b, keep);
    count_four(t, 1, keep);
    widen_range(t, a, b, keep);
    count_four(t, 2, keep & (a != 0.0f));
}
OVER_LINE(add_pixels, four_tallies, add_all)

kernel void tally_pixels(INPUT(source), global const float *center, global float *results, long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local tally group[TALLY_GROUP];
    four_tallies t;
    clear_tallies(&t);
    SOURCE_LINE(add_pixels, &t);
    finish_group(group, join_lanes(t), results);
}

/* One group joins the tallies of all groups. */
kernel void tally_groups(global const float *partial, global float *results, int groups)
{
    local tally group[TALLY_GROUP];
    tally mine = {{(float2)(0.0f), (float2)(0.0f), (float2)(0.0f), (float2)(0.0f)}, INFINITY, -INFINITY};
    for (int g = (int)get_local_id(0); g < groups; g += TALLY_GROUP)
        mine = join_tallies(mine, load_tally(partial + TALLY * g));
    finish_group(group, mine, results);
}
