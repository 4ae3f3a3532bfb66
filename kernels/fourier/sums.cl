/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over boxes as pairs of floats (value, rounding error), in the same order on every device. */
#include "box.cl"

enum { SUM_GROUP = 256 };

inline float2 add_to(float2 sum, float value)
{
    const float total = sum.x + value, part = total - sum.x;
    return (float2)(total, sum.y + ((sum.x - (total - part)) + (value - part)));
}

inline float2 add_both(float2 a, float2 b)
{
    a = add_to(a, b.x);
    return (float2)(a.x, a.y + b.y);
}

inline float2 sum_of_group(local float2 *sums, float2 own)
{
    const int i = (int)get_local_id(0);
    sums[i] = own;
    for (int step = SUM_GROUP / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < step)
            sums[i] = add_both(sums[i], sums[i + step]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums[0];
}

/* g log(g / r) - g + r without the cancellation near g = r */
inline float divergence_of(float g, float r)
{
    if (g <= 0.0f)
        return r;
    if (r <= 0.0f)
        return 0.0f;
    const float u = (r - g) / g;
    if (fabs(u) < 0.03f)
        return g * u * u * (0.5f - u * (0.33333333f - u * (0.25f - u * (0.2f - u * 0.16666667f))));
    return g * (u - log1p(u));
}

/* Sums the divergence over the observed pixels; the pairs of this sum begin at `first`. */
kernel void rl_divergence(INPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az,
                          float background, long count, global float2 *partial, int first)
{
    local float2 sums[SUM_GROUP];
    float2 sum = (float2)(0.0f);
    for (long n = get_global_id(0); n < count; n += get_global_size(0)) {
        const int x = (int)(n % image.width), y = (int)(n / image.width % image.height),
                  z = (int)(n / image.width / image.height);
        if (MEASURED(image, bad, x, y, z))
            sum = add_to(sum, divergence_of(LOAD(image, x, y, z), LOAD(box, x + ax, y + ay, z + az) + background));
    }
    const float2 all = sum_of_group(sums, sum);
    if (get_local_id(0) == 0)
        partial[first + get_group_id(0)] = all;
}

/* Residual of a pixel in units of the photon noise. `dark`, a share of the mean, keeps dark pixels from dominating. */
inline float remainder_of(float observed, float predicted, float dark)
{
    return (observed - predicted) * rsqrt(fmax(predicted, 0.0f) + dark);
}

#define REMAINDER(x, y, z)                                                                                             \
    (MEASURED(image, bad, x, y, z) ? remainder_of(LOAD(image, x, y, z), LOAD(box, (x) + ax, (y) + ay, (z) + az) +      \
        background, dark) : 0.0f)

/*
 * Sums the products of the residuals of neighbours along each axis. Pixels before ex, ey, ez have a next neighbour
 * along every axis.
 */
kernel void rl_likeness(INPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az,
                        float background, float dark, int ex, int ey, int ez, long count, global float2 *partial,
                        int first)
{
    local float2 sums[SUM_GROUP];
    float2 sum = (float2)(0.0f);
    for (long n = get_global_id(0); n < count; n += get_global_size(0)) {
        const int x = (int)(n % image.width), y = (int)(n / image.width % image.height),
                  z = (int)(n / image.width / image.height);
        const float next = (x + 1 < ex ? REMAINDER(x + 1, y, z) : 0.0f) + (y + 1 < ey ? REMAINDER(x, y + 1, z) : 0.0f) +
                           (z + 1 < ez ? REMAINDER(x, y, z + 1) : 0.0f);
        sum = add_to(sum, REMAINDER(x, y, z) * next);
    }
    const float2 all = sum_of_group(sums, sum);
    if (get_local_id(0) == 0)
        partial[first + get_group_id(0)] = all;
}

/* Sums the products <a, b> and <b, b>; their pairs begin at `first`. */
kernel void rl_products(INPUT(a), INPUT(b), long count, global float2 *partial, int first)
{
    local float2 sums[SUM_GROUP];
    float2 mixed = (float2)(0.0f), square = (float2)(0.0f);
    for (long n = get_global_id(0); n < count; n += get_global_size(0)) {
        const int x = (int)(n % a.width), y = (int)(n / a.width % a.height), z = (int)(n / a.width / a.height);
        const float p = LOAD(a, x, y, z), q = LOAD(b, x, y, z);
        mixed = add_to(mixed, p * q);
        square = add_to(square, q * q);
    }
    const float2 both = sum_of_group(sums, mixed);
    barrier(CLK_LOCAL_MEM_FENCE);
    const float2 squares = sum_of_group(sums, square);
    if (get_local_id(0) == 0) {
        partial[first + 2 * get_group_id(0)] = both;
        partial[first + 2 * get_group_id(0) + 1] = squares;
    }
}

/* alpha = <a, b> / <b, b>, clamped to 0 ... 1; one work-group */
kernel void rl_alpha(global const float2 *partial, int first, int groups, global float *alpha)
{
    local float2 sums[SUM_GROUP];
    const int i = (int)get_local_id(0);
    const float2 mixed = sum_of_group(sums, i < groups ? partial[first + 2 * i] : (float2)(0.0f));
    barrier(CLK_LOCAL_MEM_FENCE);
    const float2 square = sum_of_group(sums, i < groups ? partial[first + 2 * i + 1] : (float2)(0.0f));
    const float below = square.x + square.y;
    if (i == 0)
        alpha[0] = below > 0.0f ? clamp((mixed.x + mixed.y) / below, 0.0f, 1.0f) : 0.0f;
}
