/* SPDX-License-Identifier: BSD-3-Clause */

/* Sums: pixels that are not 0 in both images, in one of them. */
kernel void tally_overlap(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    GATHER_TWO_IN_ANY_ORDER(const int4 first = keep & (a != 0.0f); const int4 second = keep & (b != 0.0f);
           count_four(&t, 0, first & second); count_four(&t, 1, first | second);)
}

/* Maximum: the largest difference; infinite where only one is not a number. */
kernel void tally_differences(INPUT(source), INPUT(other), global const float *center, global float *results, long count, int is_line)
{
    GATHER_TWO_IN_ANY_ORDER(const float4 difference = select(fabs(a - b), (float4)(0.0f), (a == b) | (isnan(a) & isnan(b)));
           t.high = fmax(t.high, select((float4)(-INFINITY), select(difference, (float4)(INFINITY), isnan(difference)), keep));)
}
