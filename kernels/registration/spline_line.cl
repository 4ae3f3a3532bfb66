/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters lines with short symmetric kernels, and interpolates between cubic B-spline coefficients. */

/* Position of a pixel in a line that is mirrored at its ends, with the last pixel repeated. */
inline int mirrored(int i, int length)
{
    i = i < 0 ? -1 - i : i;
    i %= 2 * length;
    return i < length ? i : 2 * length - 1 - i;
}

/*
 * Convolves all lines along an axis (0: x, 1: y) with `radius` + 1 taps, which are the middle and one half of a
 * symmetric kernel. `step` 2 keeps every second pixel. `offset` is subtracted from each pixel.
 */
kernel void spline_filter_lines(INPUT(from), OUTPUT(to), TABLE(taps), const int radius, const int axis, const int step,
                                const float offset)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int middle = step * (axis == 0 ? x : y), length = axis == 0 ? from.width : from.height;
    float sum = 0.0f;
    ROLLED for (int k = -radius; k <= radius; k++) {
        const int at = middle + k < 0 || middle + k >= length ? mirrored(middle + k, length) : middle + k;
        const float pixel = axis == 0 ? LOAD(from, at, y, z) : LOAD(from, x, at, z);
        sum = fma(TABLE_OF(float, taps)[abs(k)], pixel - offset, sum);
    }
    STORE(to, x, y, z, sum);
}

/* Weights of the four coefficients around a position that lies `t` of a pixel, 0 to 1, after the second of them. */
inline float4 cubic_weights(float t)
{
    const float s = 1.0f - t, third = 2.0f / 3.0f;
    return (float4)(s * s * s / 6.0f, third - 0.5f * t * t * (2.0f - t), third - 0.5f * s * s * (2.0f - s),
                    t * t * t / 6.0f);
}

/*
 * Value of the spline at x + shift.x, y + shift.y of frame z. Returns false if this position lies outside all pixels.
 * The shift is separate from x and y because large positions would round its last bits away.
 */
inline bool cubic_at(INPUT(coefficients), int x, int y, int z, float2 shift, float *value)
{
    const float2 whole = floor(shift), part = shift - whole;
    const int2 first = (int2)(x, y) + convert_int2(clamp(whole, -1e6f, 1e6f));
    const int2 end = (int2)(coefficients.width, coefficients.height);
    /* inside: -0.5 < position < extent - 0.5 */
    if (!((first.x >= 0 || (first.x == -1 && part.x > 0.5f)) && first.x < end.x - (part.x >= 0.5f) &&
          (first.y >= 0 || (first.y == -1 && part.y > 0.5f)) && first.y < end.y - (part.y >= 0.5f)))
        return false;
    const float4 wx = cubic_weights(part.x), wy = cubic_weights(part.y);
    const float weights[4] = {wy.x, wy.y, wy.z, wy.w};
    const int4 columns = (int4)(mirrored(first.x - 1, end.x), first.x < 0 ? 0 : first.x, mirrored(first.x + 1, end.x),
                                mirrored(first.x + 2, end.x));
    float sum = 0.0f;
    UNROLLED(j, 4)
    {
        const int row = mirrored(first.y - 1 + j, end.y);
        const float4 line = (float4)(LOAD(coefficients, columns.x, row, z), LOAD(coefficients, columns.y, row, z),
                                     LOAD(coefficients, columns.z, row, z), LOAD(coefficients, columns.w, row, z));
        sum = fma(weights[j], dot(wx, line), sum);
    }
    *value = sum;
    return true;
}
