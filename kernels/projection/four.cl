/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projections. Along z, a work-item reads 4 columns; the 8 rows of a work-group share the slices and are combined in a
 * fixed order. Along x, 32 work-items share a row. Sums have a second float for the rounding error of the first. Which
 * work-item adds which pixel depends on the position alone, so results are bit-identical on all devices.
 */
#define COLUMNS 32
#define ROWS 8

/*
 * Four pixels along x: one load if `wide` says that all rows are aligned, otherwise one by one, with the last repeated.
 */
inline float4 load_four(global const uchar *pixels, const layout i, int wide, int x, int y, int z)
{
    const INDEX at = AT(i, x, y, z);
    if (!wide) {
        const int last = i.width - 1 - x;
        const INDEX column = (INDEX)i.column;
        return (float4)(load_float(pixels, i.type, at), load_float(pixels, i.type, at + min(1, last) * column),
                        load_float(pixels, i.type, at + min(2, last) * column),
                        load_float(pixels, i.type, at + min(3, last) * column));
    }
    return load_four_pixels(pixels, i.type, at);
}

/*
 * Like load_four, for `from`. If a chain computes it and `wide` is set, the pixels come from `chain_prologue`
 * (kernels/specialized/common/common.cl).
 */
#ifdef PROLOGUE_PARAMETERS
#define FOUR_AT(x, y, z) chain_prologue(&inputs, AT(from, x, y, z), 4, true)
#else
#define PROLOGUE_PARAMETERS
#define PROLOGUE_INPUTS
#define FOUR_AT(x, y, z) load_four(from_pixels, from, wide, x, y, z)
#endif

/* Adds to a sum and keeps the rounding error in `low`. */
inline void add(float4 *sum, float4 *low, float4 value)
{
    const float4 next = *sum + value, back = next - *sum;
    *low += (*sum - (next - back)) + (value - back);
    *sum = next;
}

/* A rest is not added to a sum that is infinite or NaN. */
inline float4 total(float4 sum, float4 low)
{
    return select(sum, sum + low, isfinite(sum));
}

/* Adds two sums with their rests. */
inline float2 pair(float sum, float low, float other, float other_low)
{
    const float next = sum + other, back = next - sum;
    return (float2)(next, low + other_low + ((sum - (next - back)) + (other - back)));
}

inline float4 divide_four(float4 a, float b)
{
#if LANES == 16
    return DIVIDE(a.s0123012301230123, (float16)(b)).s0123;
#else
    return DIVIDE(a, (float4)(b));
#endif
}
