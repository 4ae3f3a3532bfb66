/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be summed over all pixels, or those inside a mask. */

/* The sum alone, where the others would cost registers and thereby time. */
kernel void tally_sum(INPUT(source), global const float *center, global float *results, long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 group[TALLY_GROUP];
    four_tallies t;
    clear_tallies(&t);
    EACH_FOUR(source, add_four(&t, 0, KEPT(a));)
    const float2 mine = join_lanes(t).sum[0];
    join_pairs(group, mine);
    if (get_local_id(0) == 0)
        vstore2(group[0], 0, results + TALLY * get_group_id(0));
}

kernel void join_sums(global const float *partial, global float *results, int groups)
{
    local float2 group[TALLY_GROUP];
    float2 mine = (float2)(0.0f);
    for (int g = (int)get_local_id(0); g < groups; g += TALLY_GROUP)
        mine = add_pairs(mine, vload2(0, partial + TALLY * g));
    join_pairs(group, mine);
    if (get_local_id(0) == 0)
        vstore2(group[0], 0, results);
}

/* Minimum and maximum alone. */
kernel void tally_extremes(INPUT(source), global const float *center, global float *results, long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    GATHER_BY(EACH_FOUR_IN_ANY_ORDER(source, WIDEN_RANGE))
}

/* Sums: pixels where the other image is not 0, their number. */
kernel void tally_masked(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    GATHER_TWO(keep &= b != 0.0f; add_four(&t, 0, KEPT(a)); count_four(&t, 1, keep);)
}

/* Minimum, maximum and number of those pixels. */
kernel void tally_masked_extremes(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    GATHER_TWO_IN_ANY_ORDER(keep &= b != 0.0f; count_four(&t, 1, keep); WIDEN_RANGE)
}

/* The number of pixels that are not 0, the third sum. */
kernel void tally_nonzero(INPUT(source), global const float *center, global float *results, long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    GATHER_BY(EACH_FOUR_IN_ANY_ORDER(source, count_four(&t, 2, keep & (a != 0.0f));))
}

/* The sample as a tally of one pixel. */
kernel void tally_sample(INPUT(source), global float *results, long count PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    local float2 some[TALLY_GROUP];
#ifdef CHAIN_BEFORE
    const float mine = chain_prologue(&inputs, (INDEX)(count * (int)get_local_id(0) / TALLY_GROUP), 1, false).x;
#else
    const float mine = sampled(source_pixels, &source, count);
#endif
    const float value = sample_of(mine, some);
    if (get_local_id(0) == 0)
        vstore4((float4)(value, 0.0f, 1.0f, 0.0f), 0, results);
}

/* Sums: differences from a value near the mean, their number, their squares. */
#define MIDDLE const float middle = center[2] > 0.0f ? center[0] / center[2] : 0.0f;
#define ADD_DEVIATION                                                                                                            \
    const float4 difference = KEPT(a - middle);                                                                                  \
    add_four(&t, 0, difference);                                                                                                 \
    count_four(&t, 1, keep);                                                                                       \
    add_product(&t, 2, difference, difference);

kernel void tally_deviations(INPUT(source), global const float *center, global float *results, long count, int is_line PROLOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    MIDDLE GATHER(ADD_DEVIATION)
}

kernel void tally_masked_deviations(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    MIDDLE GATHER_TWO(keep &= b != 0.0f; ADD_DEVIATION)
}

/* Sums: squared differences of two images, their number. */
kernel void tally_errors(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    GATHER_TWO_IN_ANY_ORDER(const float4 error = KEPT(a - b); add_product(&t, 0, error, error); count_four(&t, 1, keep);)
}
