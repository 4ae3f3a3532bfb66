/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverts deformations and measures how well they fit. */
#include "deformation_samples.cl"

/* Change of volume at a pixel: the determinant of the derivatives of p + shift(p). */
inline float jacobian(global const float4 *shifts, SIZE, int x, int y, int z)
{
    const int x0 = max(x - 1, 0), x1 = min(x + 1, width - 1), y0 = max(y - 1, 0), y1 = min(y + 1, height - 1),
              z0 = max(z - 1, 0), z1 = min(z + 1, depth - 1);
    const float4 a = (shifts[PIXEL(x1, y, z)] - shifts[PIXEL(x0, y, z)]) / max(x1 - x0, 1) + (float4)(1, 0, 0, 0),
                 b = (shifts[PIXEL(x, y1, z)] - shifts[PIXEL(x, y0, z)]) / max(y1 - y0, 1) + (float4)(0, 1, 0, 0),
                 c = (shifts[PIXEL(x, y, z1)] - shifts[PIXEL(x, y, z0)]) / max(z1 - z0, 1) + (float4)(0, 0, 1, 0);
    return dot(a, cross(b, c));
}

kernel void deformation_jacobian(global const float4 *shifts, SIZE, OUTPUT(to))
{
    EACH_PIXEL
    STORE(to, x, y, z, jacobian(shifts, OF_SIZE, x, y, z));
}

/*
 * Finds the shift v of each pixel with v = -shift(p + v) by repeated insertion. The fourth number becomes the error of
 * this equation, in pixels.
 */
kernel void deformation_invert(global const float4 *shifts, global float4 *inverse, const int max_turns, SIZE)
{
    EACH_PIXEL
    const float4 here = (float4)(x, y, z, 0);
    float4 v = 0.0f, left = -shifts[at];
    ROLLED for (int i = 0; i < max_turns && dot(left, left) > 1e-8f; i++) {
        v += left;
        left = -sample_float4(shifts, OF_SIZE, here + v) - v;
    }
    inverse[at] = (float4)(v.xyz, length(left));
}

enum { CHECK_GROUP = 128, COMPARED = 9, MEASURED = 4 };

/* Sum, minimum or maximum of the numbers of a work-group. */
inline float sum_of(local const float *numbers)
{
    float all = 0.0f;
    for (int i = 0; i < CHECK_GROUP; i++)
        all += numbers[i];
    return all;
}

inline float minimum_of(local const float *numbers)
{
    float all = INFINITY;
    for (int i = 0; i < CHECK_GROUP; i++)
        all = fmin(all, numbers[i]);
    return all;
}

inline float maximum_of(local const float *numbers)
{
    float all = 0.0f;
    for (int i = 0; i < CHECK_GROUP; i++)
        all = fmax(all, numbers[i]);
    return all;
}

/*
 * Compares the reference with the image before and after the deformation. Each work-group writes sums over pixels that
 * both cover: their number, the reference, both images, the three squares and both products with the reference.
 */
kernel void deformation_compare(global const float *reference, global const float *before, global const float *after,
                                global const float4 *shifts, global float *results, SIZE)
{
    local float numbers[COMPARED][CHECK_GROUP];
    const ulong pixels = (ulong)width * height * depth;
    float mine[COMPARED] = {0};
    for (ulong at = get_global_id(0); at < pixels; at += get_global_size(0)) {
        const int x = (int)(at % width), y = (int)(at / width % height), z = (int)(at / width / height);
        if (!is_covered(OF_SIZE, (float4)(x, y, z, 0) + (float4)(shifts[at].xyz, 0)))
            continue;
        const float r = reference[at], b = before[at], a = after[at];
        const float terms[COMPARED] = {1.0f, r, b, a, r * r, b * b, a * a, r * b, r * a};
        for (int i = 0; i < COMPARED; i++)
            mine[i] += terms[i];
    }
    const int lane = (int)get_local_id(0);
    for (int i = 0; i < COMPARED; i++)
        numbers[i][lane] = mine[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < COMPARED)
        results[get_group_id(0) * COMPARED + lane] = sum_of(numbers[lane]);
}

/*
 * Each work-group writes the number of folded pixels, the smallest Jacobian, the longest shift and the largest fourth
 * number of a shift. A shift that is not finite counts as infinitely long.
 */
kernel void deformation_measure(global const float4 *shifts, global float *results, SIZE)
{
    local float numbers[MEASURED][CHECK_GROUP];
    const ulong pixels = (ulong)width * height * depth;
    float folded = 0.0f, smallest = INFINITY, longest = 0.0f, error = 0.0f;
    for (ulong at = get_global_id(0); at < pixels; at += get_global_size(0)) {
        const int x = (int)(at % width), y = (int)(at / width % height), z = (int)(at / width / height);
        const float change = jacobian(shifts, OF_SIZE, x, y, z), distance = length(shifts[at].xyz);
        folded += change <= 0.0f;
        smallest = fmin(smallest, change);
        longest = fmax(longest, isnan(distance) ? INFINITY : distance);
        error = fmax(error, shifts[at].w);
    }
    const int lane = (int)get_local_id(0);
    numbers[0][lane] = folded;
    numbers[1][lane] = smallest;
    numbers[2][lane] = longest;
    numbers[3][lane] = error;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= MEASURED)
        return;
    float all;
    if (lane == 0)
        all = sum_of(numbers[lane]);
    else if (lane == 1)
        all = minimum_of(numbers[lane]);
    else
        all = maximum_of(numbers[lane]);
    results[get_group_id(0) * MEASURED + lane] = all;
}
