/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bin of a grey value v between low and high: floor((v - low) * last / (high - low)) in exact arithmetic. Floats
 * estimate it; a value that the estimate puts too near to a border is compared with that border without rounding.
 */

/* Where pixels are counted and in what bins. */
typedef struct {
    float low, high, last, factor;
    float near;            /* distance in bins within which the estimate may be on the wrong side of a border */
    float lost;            /* what rounding lost of high - low */
    float scale;           /* keeps products within the range of floats, see scaled */
    global uint *bins;
    local uint *copies;
    int copy_count;
} binning;

/* The difference of two numbers is a - b, rounded, and this. */
#define LOST_OF_DIFFERENCE(a, b, difference)                                                                           \
    (((a) - ((difference) + ((a) - (difference)))) + (((a) - (difference)) - (b)))

/* Without a finite range all pixels that count are in the first bin. */
inline binning binning_of(float2 range, global uint *bins, int bin_count, local uint *copies, int copy_count)
{
    const float low = range.x, high = range.y, last = (float)(bin_count - 1), wide = high - low,
                most = fmax(fabs(low), fabs(high));
    const bool bounded = bin_count > 1 && isfinite(most) && wide > 0.0f, extreme = wide < 0x1p-64f || most > 0x1p100f;
    binning h = {low, high, last, 0.0f, -1.0f, LOST_OF_DIFFERENCE(high, low, wide), 1.0f, bins, copies, copy_count};
    if (bounded) {
        h.factor = DIVIDE((FLOATV)(1.0f), (FLOATV)(wide)).s0;
        h.near = extreme ? INFINITY : last * 0x1p-21f;
        h.scale = !extreme ? 1.0f : most > 0x1p100f ? 0x1p-32f : 0x1p64f;
    }
    return h;
}

/* A value times the scale. A small one that the scale would round keeps its sign, which is all that counts of it beside
 * numbers beyond 2^100. */
inline float scaled(const binning *h, float value)
{
    const bool rounds = h->scale < 1.0f && fabs(value) < 1.0f && value != 0.0f;
    return rounds ? copysign(h->scale, value) : value * h->scale;
}

/* Whether last * value < (last - bin) * low + bin * high, without rounding: products are pairs of floats, and the sum
 * of all is an expansion (Shewchuk 1997), whose largest part has its sign. */
inline bool is_below(const binning *h, float value, float low, float high, float bin)
{
    const float factor[3] = {h->last, bin - h->last, -bin}, number[3] = {value, low, high};
    float sum[6];
    UNROLLED(i, 6) {
        const float product = factor[i / 2] * number[i / 2];
        float next = i % 2 ? product : fma(factor[i / 2], number[i / 2], -product);
        UNROLLED(k, i) {
            const float both = next + sum[k], part = both - next;
            sum[k] = (next - (both - part)) + (sum[k] - part);
            next = both;
        }
        sum[i] = next;
    }
    float sign = 0.0f;
    UNROLLED(i, 6)
        sign = sum[i] != 0.0f ? sum[i] : sign;
    return sign < 0.0f;
}

/* The bin of one value, from low to high. */
inline int exact_bin(const binning *h, float value)
{
    const float v = scaled(h, value), low = scaled(h, h->low), high = scaled(h, h->high);
    if (value >= h->high)
        return (int)h->last;
    float bin = clamp(rint((v - low) * h->last / (high - low)), 0.0f, h->last - 1.0f);
    ROLLED while (bin > 0.0f && is_below(h, v, low, high, bin))
        bin -= 1.0f;
    ROLLED while (bin < h->last - 1.0f && !is_below(h, v, low, high, bin + 1.0f))
        bin += 1.0f;
    return (int)bin;
}

/* Bins of values whose estimates are near to the border `nearest`, where differences from low are exact; `rest`: those
 * where they are not. Few bins, so that no difference from the border is rounded but those that are larger than a bin.
 */
inline int4 near_border(const binning *h, float4 a, float4 nearest, int4 *rest)
{
    const float4 above = a - h->low, product = above * h->last;
    const float4 beyond = fma(-nearest, (float4)(h->high - h->low), product);
    *rest = (LOST_OF_DIFFERENCE(a, h->low, above) != 0.0f) | (int4)(-(h->lost != 0.0f || h->near >= 0.25f));
    return convert_int4(nearest) + (beyond < -fma(above, (float4)(h->last), -product));
}

/* The bins of four pixels, -1 for those that have none. */
inline int4 bins_of(const binning *h, float4 a, int4 keep)
{
    const int4 counts = (a >= h->low) & (a <= h->high) & keep;
    const float4 place = (a - h->low) * h->last * h->factor, nearest = rint(place);
    const int4 is_near = counts & ~(fabs(place - nearest) > h->near) & (int4)(-(h->near >= 0.0f));
    int4 bins = convert_int4(fmin(fmax(place, 0.0f), h->last));
    if (any(is_near)) {
        int4 rest;
        bins = select(bins, near_border(h, a, fmin(fmax(nearest, 0.0f), h->last), &rest), is_near);
        rest &= is_near;
        if (any(rest)) {
            float values[4];
            int found[4], left[4];
            vstore4(a, 0, values);
            vstore4(bins, 0, found);
            vstore4(rest, 0, left);
            for (int n = 0; n < 4; n++)
                if (left[n])
                    found[n] = exact_bin(h, values[n]);
            bins = vload4(0, found);
        }
    }
    return select((int4)(-1), bins, counts);
}
