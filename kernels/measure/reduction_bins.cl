/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bin of a grey value v between low and high: floor((v - low) * last / (high - low)) in exact arithmetic. Floats
 * estimate the nearest border; the value is then compared with this border without rounding.
 */

/* Destination of the counts, and the bins. */
typedef struct {
    float low, high, last, factor;
    float near;            /* largest error of the estimate, in bins */
    float lost;            /* the part of high - low that rounding loses */
    float scale;           /* keeps products within the range of floats, see scaled */
    global uint *bins;
    local uint *copies;
    int copy_count;
    local const float *borders;   /* the smallest grey value of each bin; only with bins in local memory on GPUs */
} binning;

/* The rounding error of a - b. */
#define LOST_OF_DIFFERENCE(a, b, difference)                                                                           \
    (((a) - ((difference) + ((a) - (difference)))) + (((a) - (difference)) - (b)))

/* Without a finite range all counted pixels are in the first bin. */
inline binning binning_of(float2 range, global uint *bins, int bin_count, local uint *copies, int copy_count)
{
    const float low = range.x, high = range.y, last = (float)(bin_count - 1), wide = high - low,
                max_abs = fmax(fabs(low), fabs(high));
    const bool bounded = bin_count > 1 && isfinite(max_abs) && wide > 0.0f, extreme = wide < 0x1p-64f
        || max_abs > 0x1p100f;
    binning h = {low, high, last, 0.0f, -1.0f, LOST_OF_DIFFERENCE(high, low, wide), 1.0f, bins, copies, copy_count,
                 (local const float *)0};
    if (bounded) {
        h.factor = DIVIDE((FLOATV)(1.0f), (FLOATV)(wide)).s0;
        h.near = extreme ? INFINITY : last * 0x1p-21f;
        h.scale = !extreme ? 1.0f : max_abs > 0x1p100f ? 0x1p-32f : 0x1p64f;
    }
    return h;
}

/*
 * A value times the scale. If the scale would round a small value, only its sign is kept. This suffices, because the
 * other numbers are then beyond 2^100.
 */
inline float scaled(float value, float scale)
{
    const bool rounds = scale < 1.0f && fabs(value) < 1.0f && value != 0.0f;
    return rounds ? copysign(scale, value) : value * scale;
}

/*
 * Whether last * value < (last - bin) * low + bin * high, without rounding. Products are pairs of floats. Their sum is
 * an expansion (Shewchuk 1997), whose largest part has the sign of the sum.
 */
inline bool is_below(float value, float low, float high, float last, float bin)
{
    const float factor[3] = {last, bin - last, -bin}, number[3] = {value, low, high};
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

/* The bin of a value from low to high. */
inline int exact_bin(float value, float low, float high, float last, float scale)
{
    const float v = scaled(value, scale), from = scaled(low, scale), to = scaled(high, scale);
    if (value >= high)
        return (int)last;
    float bin = clamp(rint((v - from) * last / (to - from)), 0.0f, last - 1.0f);
    ROLLED while (bin > 0.0f && is_below(v, from, to, last, bin))
        bin -= 1.0f;
    ROLLED while (bin < last - 1.0f && !is_below(v, from, to, last, bin + 1.0f))
        bin += 1.0f;
    return (int)bin;
}

/*
 * The bins of four pixels, -1 for pixels without a bin. A value is compared with the nearest border without rounding:
 * in floats if its difference from low is exact, otherwise by exact_bin if the border is near.
 */
inline int4 bins_of(const binning *h, float4 a, int4 keep)
{
    const int4 counts = (a >= h->low) & (a <= h->high) & keep;
    const float4 above = a - h->low, place = above * h->last * h->factor,
                 border = fmin(fmax(rint(place), 0.0f), h->last), product = above * h->last,
                 beyond = fma(-border, (float4)(h->high - h->low), product);
    int4 bins = convert_int4(border) + (beyond < -fma(above, (float4)(h->last), -product));
    const int4 rest = counts & ~(fabs(place - border) > h->near) & (int4)(-(h->near >= 0.0f)) &
                      ((LOST_OF_DIFFERENCE(a, h->low, above) != 0.0f) | (int4)(-(h->lost != 0.0f || h->near >= 0.25f)));
    if (any(rest)) {
        float values[4];
        int found[4], left[4];
        vstore4(a, 0, values);
        vstore4(bins, 0, found);
        vstore4(rest, 0, left);
        ROLLED for (int n = 0; n < 4; n++)
            if (left[n])
                found[n] = exact_bin(values[n], h->low, h->high, h->last, h->scale);
        bins = vload4(0, found);
    }
    return select((int4)(-1), max(bins, 0), counts);
}

#ifndef ON_CPU

/* Maps floats to integers of the same order, and back. */
inline int order_of(float value)
{
    const int bits = as_int(value);
    return bits < 0 ? INT_MIN - bits : bits;
}

inline float value_of(int order) { return as_float(order < 0 ? INT_MIN - order : order); }

/* The smallest float in a bin: between floats on both sides of the border, the distance is halved until they touch. */
inline float border_of(const binning *h, int bin)
{
    const float low = scaled(h->low, h->scale), high = scaled(h->high, h->scale),
                max_abs = fmax(fabs(h->low), fabs(h->high)), guess = fma((float)bin / h->last, h->high - h->low,
                                                                         h->low);
    if (bin == 0 || h->near < 0.0f)
        return h->low;
    if (bin == (int)h->last)
        return h->high;
    int below = order_of(h->low), above = order_of(h->high);
    UNROLLED(side, 2) { /* the estimate lies within this distance of the border, unless the range is extreme */
        const int order = order_of(guess + (side ? max_abs : -max_abs) * 0x1p-22f);
        if (order > below && order < above) {
            const bool is_less = is_below(scaled(value_of(order), h->scale), low, high, h->last, (float)bin);
            below = is_less ? order : below;
            above = is_less ? above : order;
        }
    }
    ROLLED while ((uint)above - (uint)below > 1) {
        const int order = below + (int)(((uint)above - (uint)below) / 2);
        const bool is_less = is_below(scaled(value_of(order), h->scale), low, high, h->last, (float)bin);
        below = is_less ? order : below;
        above = is_less ? above : order;
    }
    return value_of(above);
}

/* Computes the borders, one per work-item of the group; a barrier must follow. */
inline void find_borders(const binning *h, local float *borders)
{
    for (int bin = (int)get_local_id(0); bin <= (int)h->last; bin += (int)get_local_size(0))
        borders[bin] = border_of(h, bin);
}

/* The bin of a value from low to high, found by bisection: in an extreme range, the estimate can be wrong. */
inline int searched_bin(const binning *h, float value)
{
    int bin = 0, beyond = (int)h->last + 1;
    ROLLED while (beyond - bin > 1) {
        const int middle = (bin + beyond) / 2;
        const bool is_less = value < h->borders[middle];
        bin = is_less ? bin : middle;
        beyond = is_less ? middle : beyond;
    }
    return bin;
}

/*
 * As bins_of, with the borders in local memory: the nearest border decides between two bins. This variant takes fewer
 * registers, so that more work-items run at once.
 */
inline int4 bins_between_borders(const binning *h, float4 a, int4 keep)
{
    const int4 counts = (a >= h->low) & (a <= h->high) & keep;
    const float4 place = (a - h->low) * h->last * h->factor;
    const int4 nearest = convert_int4(fmin(fmax(rint(place), 0.0f), h->last));
    if (h->near > 0.25f)
        return select((int4)(-1), (int4)(searched_bin(h, a.x), searched_bin(h, a.y), searched_bin(h, a.z),
                                         searched_bin(h, a.w)), counts);
    const float4 border = (float4)(h->borders[nearest.x], h->borders[nearest.y], h->borders[nearest.z],
                                   h->borders[nearest.w]);
    return select((int4)(-1), max(nearest + (a < border), 0), counts);
}

#endif
