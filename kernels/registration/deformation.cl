/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of a non-rigid registration. */
#include "deformation_samples.cl"

/* Halves the axes along which the result is smaller: the mean of 2 pixels along each of them. */
kernel void deformation_halve(global const float *from, const int from_width, const int from_height,
                              const int from_depth, global float *to, SIZE)
{
    EACH_PIXEL
    const int3 step = (int3)(from_width > width ? 2 : 1, from_height > height ? 2 : 1, from_depth > depth ? 2 : 1);
    float sum = 0.0f;
    for (int k = 0; k < step.z; k++)
        for (int j = 0; j < step.y; j++)
            for (int i = 0; i < step.x; i++)
                sum += from[((ulong)(step.z * z + k) * from_height + step.y * y + j) * from_width + step.x * x + i];
    to[at] = sum / (step.x * step.y * step.z);
}

/* Brings a deformation to the next finer level. */
kernel void deformation_grow(global const float4 *coarse, const int coarse_width, const int coarse_height,
                             const int coarse_depth, global float4 *to, SIZE)
{
    EACH_PIXEL
    const float4 step = (float4)(width > coarse_width ? 2 : 1, height > coarse_height ? 2 : 1,
                                 depth > coarse_depth ? 2 : 1, 1);
    const float4 position = ((float4)(x, y, z, 0) - 0.5f * (step - 1.0f)) / step;
    to[at] = step * sample_float4(coarse, coarse_width, coarse_height, coarse_depth, position);
}

/* Reads an image as floats, less `offset`, so that squares keep their digits. */
kernel void deformation_load(INPUT(from), const float offset, global float *to, SIZE)
{
    EACH_PIXEL
    to[at] = LOAD(from, x, y, z) - offset;
}

kernel void deformation_warp(global const float *source, global const float4 *shifts, global float *warped, SIZE)
{
    EACH_PIXEL
    warped[at] = sample_float(source, OF_SIZE, (float4)(x, y, z, 0) + shifts[at]);
}

/* Pixels and products whose local means give the regression of the reference on the warped image. */
kernel void deformation_products(global const float *reference, global const float *warped, global float4 *products,
                                 SIZE)
{
    EACH_PIXEL
    const float r = reference[at], w = warped[at];
    products[at] = (float4)(r, w, w * w, r * w);
}

/* Central difference along each axis; one-sided at borders, 0 along an axis of one pixel. */
inline float4 slopes(global const float *image, SIZE, int x, int y, int z)
{
    const int x0 = max(x - 1, 0), x1 = min(x + 1, width - 1), y0 = max(y - 1, 0), y1 = min(y + 1, height - 1),
              z0 = max(z - 1, 0), z1 = min(z + 1, depth - 1);
    return (float4)((image[PIXEL(x1, y, z)] - image[PIXEL(x0, y, z)]) / max(x1 - x0, 1),
                    (image[PIXEL(x, y1, z)] - image[PIXEL(x, y0, z)]) / max(y1 - y0, 1),
                    (image[PIXEL(x, y, z1)] - image[PIXEL(x, y, z0)]) / max(z1 - z0, 1), 0);
}

/*
 * The step of each pixel, at most half a pixel long. `means` are local means of deformation_products. If `is_local` is
 * set, linear regression with them first fits the brightness of the warped image to the reference in each
 * neighbourhood.
 */
kernel void deformation_step(global const float *reference, global const float *warped, global const float4 *means,
                             int is_local, global const float4 *shifts, global float4 *steps, SIZE)
{
    EACH_PIXEL
    float difference = reference[at] - warped[at], gain = 1.0f;
    if (is_local) {
        const float4 mean = means[at];
        const float variance = mean.z - mean.y * mean.y, covariance = mean.w - mean.x * mean.y;
        gain = variance > 1e-5f * mean.z ? covariance / variance : 0.0f;
        difference = reference[at] - mean.x - gain * (warped[at] - mean.y);
    }
    const float4 slope = 0.5f * (slopes(reference, OF_SIZE, x, y, z) + gain * slopes(warped, OF_SIZE, x, y, z));
    const float square = dot(slope, slope) + difference * difference;
    const bool counts = square > 0.0f && gain != 0.0f && is_covered(OF_SIZE, (float4)(x, y, z, 0) + shifts[at]);
    steps[at] = counts ? difference / square * slope : (float4)(0.0f);
}

/* Applies the steps first, then the deformation. */
kernel void deformation_compose(global const float4 *shifts, global const float4 *steps, global float4 *to, SIZE)
{
    EACH_PIXEL
    to[at] = steps[at] + sample_float4(shifts, OF_SIZE, (float4)(x, y, z, 0) + steps[at]);
}

/* Gaussian along one axis; `weights` has radius + 1 numbers from the middle on. */
kernel void deformation_smooth(global const float4 *from, global float4 *to, SIZE, const int axis, const int radius,
                               TABLE(weights))
{
    EACH_PIXEL
    const int extent = axis == 0 ? width : axis == 1 ? height : depth, here = axis == 0 ? x : axis == 1 ? y : z;
    const long stride = axis == 0 ? 1 : axis == 1 ? width : (long)width * height;
    float4 sum = TABLE_OF(float, weights)[0] * from[at];
    for (int i = 1; i <= radius; i++) {
        const long before = max(here - i, 0) - here, after = min(here + i, extent - 1) - here;
        sum += TABLE_OF(float, weights)[i] * (from[(long)at + before * stride] + from[(long)at + after * stride]);
    }
    to[at] = sum;
}

/*
 * Writes the shifts along x, then y, then z, each as `depth` slices. A result of 2 * depth slices has no shift along z.
 */
kernel void deformation_to_image(global const float4 *shifts, SIZE, OUTPUT(to))
{
    EACH_PIXEL
    const float4 shift = shifts[at];
    STORE(to, x, y, z, shift.x);
    STORE(to, x, y, z + depth, shift.y);
    if (to.depth == 3 * depth)
        STORE(to, x, y, z + 2 * depth, shift.z);
}

/* Reads the shifts that deformation_to_image has written. */
kernel void deformation_from_image(INPUT(from), global float4 *shifts, SIZE)
{
    EACH_PIXEL
    shifts[at] = (float4)(LOAD(from, x, y, z), LOAD(from, x, y, z + depth),
                          from.depth == 3 * depth ? LOAD(from, x, y, z + 2 * depth) : 0.0f, 0.0f);
}
