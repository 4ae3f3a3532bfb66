/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares frames for transforms with a term in x y. */
#include "alignment_sums.cl"
#include "group_sums.cl"
#include "spline_line.cl"

enum { BILINEAR_SUMS = 41 };

/* Derivatives of cubic_weights by t. */
inline float4 cubic_slope_weights(float t)
{
    const float s = 1.0f - t;
    return (float4)(-0.5f * s * s, t * (1.5f * t - 2.0f), s * (2.0f - 1.5f * s), 0.5f * t * t);
}

/* Value of the spline and its slopes along x and y at x, y + shift, which cubic_at has found inside the frame. */
inline float3 cubic_slopes_at(INPUT(coefficients), int x, int y, int z, float2 shift)
{
    const float2 whole = floor(shift), part = shift - whole;
    const int2 first = (int2)(x, y) + convert_int2(whole);
    const float4 wx = cubic_weights(part.x), wy = cubic_weights(part.y), dx = cubic_slope_weights(part.x),
                 dy = cubic_slope_weights(part.y);
    const float weights[4] = {wy.x, wy.y, wy.z, wy.w}, slopes[4] = {dy.x, dy.y, dy.z, dy.w};
    float3 sum = 0.0f;
    ROLLED for (int j = 0; j < 4; j++) {
        const int row = mirrored(first.y - 1 + j, coefficients.height);
        float line[4];
        ROLLED for (int i = 0; i < 4; i++)
            line[i] = LOAD(coefficients, mirrored(first.x - 1 + i, coefficients.width), row, z);
        const float4 four = (float4)(line[0], line[1], line[2], line[3]);
        const float along = dot(wx, four);
        sum += (float3)(weights[j] * along, weights[j] * dot(dx, four), slopes[j] * along);
    }
    return sum;
}

/*
 * As alignment_sums, with the slopes of frame `still` at the compared positions, and with moments of the terms 1, x, y
 * and x y. A difference is the value of `still` minus that of `moved`.
 */
kernel void bilinear_sums(INPUT(coefficients), INPUT(masks), const int masked, global const alignment_job *jobs,
                          global float *results, const float middle_x, const float middle_y, const float scale)
{
    local float part[ALIGNMENT_GROUP];
    const int groups = get_num_groups(0), stride = groups * ALIGNMENT_GROUP,
              count = coefficients.width * coefficients.height, job = get_group_id(2);
    const alignment_job j = jobs[job];
    float sums[BILINEAR_SUMS];
    UNROLLED(i, BILINEAR_SUMS)
    sums[i] = 0.0f;
    ROLLED for (int i = get_global_id(0); i < count; i += stride) {
        const int px = i % coefficients.width, py = i / coefficients.width;
        const float2 shift = shift_of(&j, (float)px, (float)py);
        float value;
        if ((masked && !both_count(masks_pixels, masks, &j, px, py, shift)) ||
            !cubic_at(coefficients_pixels, coefficients, px, py, j.still, shift, &value))
            continue;
        const float3 p = cubic_slopes_at(coefficients_pixels, coefficients, px, py, j.still, shift);
        const float b = value_and_slopes(coefficients_pixels, coefficients, px, py, j.moved).x, difference = p.x - b,
                    x = (px - middle_x) * scale, y = (py - middle_y) * scale;
        const float moments[9] = {1.0f, x, y, x * x, x * y, y * y, x * x * y, x * y * y, x * x * y * y},
                    terms[4] = {1.0f, x, y, x * y};
        sums[0] += 1.0f;
        sums[1] = fma(difference, difference, sums[1]);
        UNROLLED(k, 4)
        {
            sums[2 + k] = fma(p.y * difference, terms[k], sums[2 + k]);
            sums[6 + k] = fma(p.z * difference, terms[k], sums[6 + k]);
        }
        UNROLLED(k, 9)
        {
            sums[10 + k] = fma(p.y * p.y, moments[k], sums[10 + k]);
            sums[19 + k] = fma(p.y * p.z, moments[k], sums[19 + k]);
            sums[28 + k] = fma(p.z * p.z, moments[k], sums[28 + k]);
        }
        sums[37] += p.x;
        sums[38] += b;
        sums[39] = fma(p.x, p.x, sums[39]);
        sums[40] = fma(b, b, sums[40]);
    }
    UNROLLED(i, BILINEAR_SUMS)
    write_group_sum(sums[i], part, ALIGNMENT_GROUP,
                    results + (job * groups + (int)get_group_id(0)) * BILINEAR_SUMS + i);
}
