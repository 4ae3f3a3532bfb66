/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of LANES columns or work-items side by side, for CPUs: one vector operation for each step of reduction.cl.
 */
#include "reduction.cl"
enum { GROUP_AND_MORE = REDUCTION_GROUP + LANES };      /* some lanes of the last vector may be unused */

typedef struct {
    FLOATV value, lost;
} pairs;

typedef struct {
    pairs sum[SUMS];
    FLOATV low, high;
} reductions;

inline pairs add_lanes_of_pairs(pairs a, pairs b)
{
    const FLOATV sum = a.value + b.value, part = sum - a.value;
    const FLOATV lost = (a.value - (sum - part)) + (b.value - part) + (a.lost + b.lost), high = sum + lost;
    const INTV finite = isfinite(sum);
    return (pairs){select(sum, high, finite), select((FLOATV)(0.0f), lost - (high - sum), finite)};
}

inline pairs lanes_times(pairs p, FLOATV factor)
{
    const FLOATV high = p.value * factor;
    return (pairs){high, fma(p.value, factor, -high) + p.lost * factor};
}

inline reductions join_lanes_of(reductions a, reductions b)
{
    for (int n = 0; n < SUMS; n++)
        a.sum[n] = add_lanes_of_pairs(a.sum[n], b.sum[n]);
    a.low = fmin(a.low, b.low);
    a.high = fmax(a.high, b.high);
    return a;
}

/* Numbers of a work-group's items: two for each sum, and the minimum and maximum. */
typedef float group_numbers[REDUCTION][GROUP_AND_MORE];

inline reductions reductions_at(group_numbers numbers, int item)
{
    reductions r;
    for (int n = 0; n < SUMS; n++)
        r.sum[n] =
            (pairs){JOIN(vload, LANES)(0, numbers[2 * n] + item), JOIN(vload, LANES)(0, numbers[2 * n + 1] + item)};
    r.low = JOIN(vload, LANES)(0, numbers[2 * SUMS] + item);
    r.high = JOIN(vload, LANES)(0, numbers[2 * SUMS + 1] + item);
    return r;
}

/* Stores the first `count` lanes. */
inline void put_reductions(group_numbers numbers, int item, reductions r, int count)
{
    const INTV mask = LANE_NUMBERS < (FLOATV)((float)count);
    for (int n = 0; n < REDUCTION; n++) {
        FLOATV value = n == 2 * SUMS ? r.low : r.high;
        if (n < 2 * SUMS)
            value = n % 2 ? r.sum[n / 2].lost : r.sum[n / 2].value;
        JOIN(vstore, LANES)(select(JOIN(vload, LANES)(0, numbers[n] + item), value, mask), 0, numbers[n] + item);
    }
}

inline void clear_group(group_numbers numbers)
{
    for (int n = 0; n < REDUCTION; n++)
        for (int i = 0; i < GROUP_AND_MORE; i++)
            numbers[n][i] = n < 2 * SUMS ? 0.0f : n == 2 * SUMS ? INFINITY : -INFINITY;
}

/* Reduces the numbers of all work-items to one set and writes it, like finish_group of reduction.cl. */
inline void finish_numbers(group_numbers numbers, global float *out)
{
    for (int half_size = REDUCTION_GROUP / 2; half_size > 0; half_size /= 2)
        for (int i = 0; i < half_size; i += LANES)
            put_reductions(numbers, i, join_lanes_of(reductions_at(numbers, i), reductions_at(numbers, i + half_size)),
                           half_size - i);
    for (int n = 0; n < REDUCTION; n++)
        out[n] = numbers[n][0];
}
