/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of kernels/fourier/richardson_lucy.cl on values that transforms hold in registers. */
#if defined STEPS && defined FROM
/*
 * Returns a quotient in half of the instructions, exact but for its last bit, for values far from the limits of
 * float32.
 */
inline float rl_quotient(float a, float b)
{
    const float part = native_recip(b), rough = a * part;
    return fma(fma(-b, rough, a), part, rough);
}

inline float rl_excess_of(float observed, float limit, float predicted)
{
    const float excess = predicted > 0x1p-100f ? rl_quotient(observed - predicted, predicted) : -1.0f;
    return observed < limit && fabs(excess) > NO_EXCESS ? excess : 0.0f;
}

/*
 * PAIRS: whether each pair of the box either lies outside the image, or is two adjacent pixels of the image that start
 * at an even position.
 */
inline float2 rl_observed_pair(global const FROM *pixels, const layout image, int x, bool seen)
{
    float2 observed = INFINITY;
#if PAIRS
    if (seen && (uint)x < (uint)image.width) {
        const JOIN(FROM, 2) pair = *(global const JOIN(FROM, 2) *)(pixels + x);
        observed = (float2)((float)pair.x, (float)pair.y);
    }
#else
    if (seen && (uint)x < (uint)image.width)
        observed.x = (float)pixels[(INDEX)x * (INDEX)image.column];
    if (seen && (uint)(x + 1) < (uint)image.width)
        observed.y = (float)pixels[(INDEX)(x + 1) * (INDEX)image.column];
#endif
    return observed;
}

inline float2 rl_excess_of_pair(float2 observed, float limit, float2 predicted)
{
    return (float2)(rl_excess_of(observed.x, limit, predicted.x), rl_excess_of(observed.y, limit, predicted.y));
}
#endif

#if defined STEPS && defined WEIGHTED
inline float2 rl_corrected_pair(float2 estimate, float2 correction, float2 share, float min_estimate)
{
    const float2 now = fmax(fma(estimate, correction * share, estimate), min_estimate);
    return (float2)(share.x > 0.0f ? now.x : estimate.x, share.y > 0.0f ? now.y : estimate.y);
}
#endif
