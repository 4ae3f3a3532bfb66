/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of kernels/fourier/richardson_lucy.cl for what transforms hold in registers. */
#if defined STEPS && defined FROM
inline float rl_excess_of(global const FROM *pixels, const layout image, int x, bool seen, float limit, float predicted)
{
    const float observed = seen && (uint)x < (uint)image.width ? (float)pixels[(INDEX)x * (INDEX)image.column] : INFINITY;
    return !(observed < limit) ? 0.0f : predicted > 0.0f ? (observed - predicted) / predicted : -1.0f;
}

inline float2 rl_excess_of_pair(global const FROM *pixels, const layout image, int x, bool seen, float limit, float2 predicted)
{
    return (float2)(rl_excess_of(pixels, image, x, seen, limit, predicted.x), rl_excess_of(pixels, image, x + 1, seen, limit, predicted.y));
}
#endif

#if defined STEPS && defined WEIGHTED
inline float2 rl_corrected_pair(float2 estimate, float2 correction, float2 share, float least)
{
    const float2 now = fmax(fma(estimate, correction * share, estimate), least);
    return (float2)(share.x > 0.0f ? now.x : estimate.x, share.y > 0.0f ? now.y : estimate.y);
}
#endif
