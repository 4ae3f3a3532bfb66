/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums, minimum and maximum of all pixels in one read. Sums are pairs of floats (value, rounding error), so they are
 * exact for integers. The order of additions depends only on the number of pixels, not on layout or device. Each
 * work-group writes REDUCTION floats: four pairs, minimum and maximum; reduce_groups joins them.
 */
#include "batches.cl"
#include "by_line.cl"
#include "by_line_rows.cl"

enum { SUMS = 4, REDUCTION = 2 * SUMS + 2, REDUCTION_GROUP = 256 };

/*
 * Number of work-items per group if the result does not depend on the order of pixels; must equal reduction_exact_items
 * in native/ops/measure/reduction.c.
 */
#ifdef ON_CPU
enum { EXACT_GROUP = 1 };
#else
enum { EXACT_GROUP = REDUCTION_GROUP };
#endif

typedef struct {
    float2 sum[SUMS];
    float low, high;
} reduction;

/* Values that one work-item gathers, with a lane for each of four neighbouring pixels; counts are integers. */
typedef struct {
    float4 sum[SUMS], lost[SUMS], low, high;
    int4 number[SUMS];
    float middle;           /* value that is subtracted before differences are summed */
} reduction4;

inline void clear_reduction4(reduction4 *t)
{
    for (int n = 0; n < SUMS; n++) {
        t->sum[n] = t->lost[n] = 0.0f;
        t->number[n] = 0;
    }
    t->low = INFINITY;
    t->high = -INFINITY;
    t->middle = 0.0f;
}

inline void count_four(reduction4 *t, int n, int4 counted)
{
    t->number[n] -= counted;
}

inline void add_four(reduction4 *t, int n, float4 value)
{
    const float4 sum = t->sum[n] + value, part = sum - t->sum[n];
    t->lost[n] += (t->sum[n] - (sum - part)) + (value - part);
    t->sum[n] = sum;
}

/* Adds the product and its rounding error. */
inline void add_product(reduction4 *t, int n, float4 a, float4 b)
{
    const float4 product = a * b;
    add_four(t, n, product);
    t->lost[n] += fma(a, b, -product);
}

inline float2 add_pairs(float2 a, float2 b)
{
    const float sum = a.x + b.x;
    if (!isfinite(sum))
        return (float2)(sum, 0.0f);
    const float part = sum - a.x, lost = (a.x - (sum - part)) + (b.x - part) + (a.y + b.y);
    const float high = sum + lost;
    return (float2)(high, lost - (high - sum));
}

inline reduction join_reductions(reduction a, reduction b)
{
    for (int n = 0; n < SUMS; n++)
        a.sum[n] = add_pairs(a.sum[n], b.sum[n]);
    a.low = fmin(a.low, b.low);
    a.high = fmax(a.high, b.high);
    return a;
}

inline float2 pair_of(int number)
{
    const float high = convert_float_rtz(number);
    return (float2)(high, (float)(number - (int)high));
}

inline reduction join_lanes(reduction4 t)
{
    reduction all;
    for (int n = 0; n < SUMS; n++) {
        all.sum[n] = add_pairs(add_pairs((float2)(t.sum[n].s0, t.lost[n].s0), (float2)(t.sum[n].s1, t.lost[n].s1)),
                               add_pairs((float2)(t.sum[n].s2, t.lost[n].s2), (float2)(t.sum[n].s3, t.lost[n].s3)));
        all.sum[n] =
            add_pairs(all.sum[n], pair_of((t.number[n].s0 + t.number[n].s1) + (t.number[n].s2 + t.number[n].s3)));
    }
    all.low = fmin(fmin(t.low.s0, t.low.s1), fmin(t.low.s2, t.low.s3));
    all.high = fmax(fmax(t.high.s0, t.high.s1), fmax(t.high.s2, t.high.s3));
    return all;
}

/* Sums a work-group's pairs into the first one. */
inline void join_pairs(local float2 *group, float2 mine)
{
    const int lane = (int)get_local_id(0);
    group[lane] = mine;
    for (int half_size = REDUCTION_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = add_pairs(group[lane], group[lane + half_size]);
    }
}

inline void store_reduction(reduction t, global float *results)
{
    global float *out = results + REDUCTION * get_group_id(0);
    for (int n = 0; n < SUMS; n++)
        vstore2(t.sum[n], n, out);
    out[2 * SUMS] = t.low;
    out[2 * SUMS + 1] = t.high;
}

/* Joins the reductions of a work-group by a tree and writes the result. */
inline void finish_group(local reduction *group, reduction mine, global float *results)
{
    const int lane = (int)get_local_id(0);
    group[lane] = mine;
    for (int half_size = REDUCTION_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = join_reductions(group[lane], group[lane + half_size]);
    }
    if (lane == 0)
        store_reduction(group[0], results);
}

/* Like finish_group, for results that do not depend on the order of pixels: on CPUs, a group then has one work-item. */
inline void finish_exactly(local reduction *group, reduction mine, global float *results)
{
#ifdef ON_CPU
    store_reduction(mine, results);
#else
    finish_group(group, mine, results);
#endif
}

/* A work-item's pixel of a sample. */
inline float sampled(global const uchar *pixels, const layout *image, long count)
{
    const layout i = *image;
    const int4 at = position_of(image, count * (int)get_local_id(0) / REDUCTION_GROUP);
    return load_float(pixels, i.type, AT(i, at.x, at.y, at.z));
}

/*
 * Returns the pixel nearest to the mean of a sample, which has one pixel per work-item. Whole numbers stay whole when
 * this pixel is subtracted from them.
 */
inline float sample_of(float value, local float2 *some)
{
    const int lane = (int)get_local_id(0);
    some[lane].x = value;
    for (int half_size = REDUCTION_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            some[lane].x += some[lane + half_size].x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float mean = some[0].x / REDUCTION_GROUP;
    barrier(CLK_LOCAL_MEM_FENCE);
    some[lane] = (float2)(fabs(value - mean), isfinite(value) ? value : 0.0f);
    for (int half_size = REDUCTION_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size && some[lane + half_size].x < some[lane].x)
            some[lane] = some[lane + half_size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return some[0].y;
}

/* Functions for OVER_LINE get pixels a of one image and b of another, and use the lanes that `keep` marks. */
inline float4 kept(float4 value, int4 keep) { return select((float4)(0.0f), value, keep); }

inline void widen_range(reduction4 *t, float4 a, float4 b, int4 keep)
{
    t->low = fmin(t->low, select((float4)(INFINITY), a, keep));
    t->high = fmax(t->high, select((float4)(-INFINITY), a, keep));
}

inline void add_kept(reduction4 *t, float4 a, float4 b, int4 keep) { add_four(t, 0, kept(a, keep)); }

inline void widen_finite_range(reduction4 *t, float4 a, float4 b, int4 keep)
{
    widen_range(t, a, b, keep & isfinite(a));
}

OVER_LINE_IN_ANY_ORDER(find_range, reduction4, widen_range)
OVER_LINE_IN_ANY_ORDER(find_finite_range, reduction4, widen_finite_range)
OVER_LINE(add_up, reduction4, add_kept)

inline reduction load_reduction(global const float *from)
{
    reduction t;
    for (int n = 0; n < SUMS; n++)
        t.sum[n] = vload2(n, from);
    t.low = from[2 * SUMS];
    t.high = from[2 * SUMS + 1];
    return t;
}
