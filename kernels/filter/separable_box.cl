/* SPDX-License-Identifier: BSD-3-Clause */
/* Means, minima and maxima over boxes along one axis; separable.cl has the macros. */
#include "row_windows.cl"
#include "separable.cl"

/* ---- mean: each axis adds the sums of the axis before, and only the last axis divides, so that integers stay exact */
#define ADDED(sum, i, v) ((sum) + (v))
#define MEANS(value) DIVIDE((FLOATV)(value), (FLOATV)(count))
#define STORE_MEAN(to, x, y, z, value) STORE(to, x, y, z, MEANS(value).s0)

kernel void mean_x(INPUT(from), OUTPUT(to), int radius, float count)
{
    PLAIN_X(0.0f, ADDED, STORE_MEAN)
}
kernel void mean_y(INPUT(from), OUTPUT(to), int radius, float count)
{
    PLAIN_Y(0.0f, ADDED, , FOLD_ALL(ADDED), FIRST, STORE_MEAN)
}
kernel void mean_x_wide(INPUT(from), OUTPUT(to), int radius, float count)
{
    WIDE_X(0.0f, ADDED, , FOLD_ALL(ADDED), FIRST, MEANS)
}
kernel void mean_y_wide(INPUT(from), OUTPUT(to), int radius, float count)
{
    WIDE_Y(0.0f, ADDED, , FOLD_ALL(ADDED), FIRST, MEANS)
}

/*
 * Means in integers, for sums that float32 cannot represent. All passes but the last write sums (count 1) as int32 or
 * uint32; the bits of a sum do not depend on which.
 */
inline int load_integer(global const uchar *pixels, int type, INDEX at)
{
    return type == UINT32 || type == INT32 ? ((global const int *)pixels)[at] : (int)load_float(pixels, type, at);
}

inline void store_integer_mean(global uchar *pixels, int type, INDEX at, int sum, int is_signed, float count)
{
    if (count == 1.0f)
        ((global int *)pixels)[at] = sum;
    else if (type == FLOAT32)
        store_float(pixels, type, at, MEANS(is_signed ? (float)sum : (float)(uint)sum).s0);
    else
        store_float(pixels, type, at, is_signed ? (float)(sum / (int)count) : (float)((uint)sum / (uint)count));
}

/*
 * Means for sums beyond 32 bits, or for counts that a float cannot represent. An image without a type holds sums of 64
 * bits; other images hold numbers of their type. A mean as float32 is the whole part plus the fraction, so flat images
 * keep their values.
 */
inline long load_long(global const uchar *pixels, int type, INDEX at)
{
    if (type == 0)
        return ((global const long *)pixels)[at];
    const int sum = load_integer(pixels, type, at);
    return type == UINT32 ? (long)(uint)sum : (long)sum;
}

inline void store_long_mean(global uchar *pixels, int type, INDEX at, long sum, long count)
{
    const float whole = (float)(sum / count);
    if (type == 0)
        ((global long *)pixels)[at] = sum;
    else
        store_float(pixels, type, at,
                    type == FLOAT32 ? whole + DIVIDE((FLOATV)((float)(sum % count)), (FLOATV)((float)count)).s0
                                    : whole);
}
#define LOAD_INTEGER(x, y, z) load_integer(from_pixels, from.type, AT(from, x, y, z))
#define IS_SIGNED (from.type == INT8 || from.type == INT16 || from.type == INT32)
#define STORE_INTEGER_MEAN(to, x, y, z, sum)                                                                           \
    store_integer_mean(to_pixels, to.type, AT(to, x, y, z), sum, IS_SIGNED, count)

kernel void mean_integer_x(INPUT(from), OUTPUT(to), int radius, float count)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    int sum = 0;
    for (int i = -radius; i <= radius; i++)
        sum += LOAD_INTEGER(clamp(x + i, 0, from.width - 1), y, z);
    STORE_INTEGER_MEAN(to, x, y, z, sum);
}
kernel void mean_integer_y(INPUT(from), OUTPUT(to), int radius, float count)
{
    const int x = (int)get_global_id(0), y = RUN * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    RUN_OF_WINDOWS(int, -radius, UNROLLED(t, STEP) v[t] = LOAD_INTEGER(x, clamp(y + d + t, 0, from.height - 1), z);
                   , 0, ADDED, , FOLD_ALL(ADDED), FIRST)
    for (int k = 0; k < RUN && y + k < to.height; k++)
        STORE_INTEGER_MEAN(to, x, y + k, z, sum[k]);
}
kernel void mean_long_y(INPUT(from), OUTPUT(to), int radius, long count)
{
    const int x = (int)get_global_id(0), y = RUN * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    RUN_OF_WINDOWS(long, -radius,
                   UNROLLED (t, STEP) v[t] =
                       load_long(from_pixels, from.type, AT(from, x, clamp(y + d + t, 0, from.height - 1), z));
                   , 0, ADDED, , FOLD_ALL(ADDED), FIRST)
    for (int k = 0; k < RUN && y + k < to.height; k++)
        store_long_mean(to_pixels, to.type, AT(to, x, y + k, z), sum[k], count);
}

/* ---- minimum and maximum: the part that all windows share is computed once */
#define SAME(value) (value)
#define SMALLER(sum, i, v) fmin(sum, v)
#define LARGER(sum, i, v) fmax(sum, v)

/*
 * Extremes of 32-bit integers, which float32 would round. A work-item computes one pixel, or RUN pixels of a column.
 */
#define WHOLE_X(start, fold)                                                                                           \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                         \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    long best = start;                                                                                                 \
    for (int i = -radius; i <= radius; i++)                                                                            \
        best = fold(best, i, LOAD_WHOLE_CLAMPED(from, x + i, y, z));                                                   \
    STORE_WHOLE(to, x, y, z, best);

#define WHOLE_Y(start, fold, join)                                                                                     \
    const int x = (int)get_global_id(0), y = RUN * (int)get_global_id(1), z = (int)get_global_id(2);                   \
    if (!INSIDE(to, x, y, z))                                                                                          \
        return;                                                                                                        \
    RUN_OF_WINDOWS(long, -radius, UNROLLED(t, STEP) v[t] = LOAD_WHOLE_CLAMPED(from, x, y + d + t, z);                  \
                   , start, fold, , FOLD_SHARED(fold), join)                                                           \
    for (int k = 0; k < RUN && y + k < to.height; k++)                                                                 \
        STORE_WHOLE(to, x, y + k, z, sum[k]);

#define SMALLER_WHOLE(best, i, v) min(best, v)
#define LARGER_WHOLE(best, i, v) max(best, v)

kernel void minimum_integer_x(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WHOLE_X(LONG_MAX, SMALLER_WHOLE)
}
kernel void minimum_integer_y(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WHOLE_Y(LONG_MAX, SMALLER_WHOLE, min)
}
kernel void maximum_integer_x(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WHOLE_X(LONG_MIN, LARGER_WHOLE)
}
kernel void maximum_integer_y(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WHOLE_Y(LONG_MIN, LARGER_WHOLE, max)
}

kernel void minimum_x(INPUT(from), OUTPUT(to), int radius, float unused)
{
    PLAIN_X(NAN, SMALLER, STORE)
}
kernel void minimum_y(INPUT(from), OUTPUT(to), int radius, float unused)
{
    PLAIN_Y(NAN, SMALLER, , FOLD_SHARED(SMALLER), fmin, STORE)
}
kernel void minimum_x_wide(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WIDE_X(NAN, SMALLER, , FOLD_SHARED(SMALLER), fmin, SAME)
}
kernel void minimum_y_wide(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WIDE_Y(NAN, SMALLER, , FOLD_SHARED(SMALLER), fmin, SAME)
}
kernel void maximum_x(INPUT(from), OUTPUT(to), int radius, float unused)
{
    PLAIN_X(NAN, LARGER, STORE)
}
kernel void maximum_y(INPUT(from), OUTPUT(to), int radius, float unused)
{
    PLAIN_Y(NAN, LARGER, , FOLD_SHARED(LARGER), fmax, STORE)
}
kernel void maximum_x_wide(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WIDE_X(NAN, LARGER, , FOLD_SHARED(LARGER), fmax, SAME)
}
kernel void maximum_y_wide(INPUT(from), OUTPUT(to), int radius, float unused)
{
    WIDE_Y(NAN, LARGER, , FOLD_SHARED(LARGER), fmax, SAME)
}
