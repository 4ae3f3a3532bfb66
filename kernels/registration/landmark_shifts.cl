/* SPDX-License-Identifier: BSD-3-Clause */
/* Deformations by landmarks. */
#include "deformation_samples.cl"

/*
 * Shift of each pixel: an affine part, and for each landmark a weight times a function of the distance r to it, which
 * is r^2 log r^2 in a plane and r in a volume. Positions are (pixel - center) / extent. The weights begin with the four
 * rows of the affine part: constant, x, y, z.
 */
kernel void landmark_shifts(global const float4 *points, global const float4 *weights, const int count,
                            const int in_volume, const float center_x, const float center_y, const float center_z,
                            const float extent, SIZE, global float4 *shifts)
{
    EACH_PIXEL
    const float4 p = ((float4)(x, y, z, 0.0f) - (float4)(center_x, center_y, center_z, 0.0f)) / extent;
    float4 sum = weights[0] + weights[1] * p.x + weights[2] * p.y + weights[3] * p.z;
    ROLLED for (int k = 0; k < count; k++) {
        float4 way = p - points[k];
        way.z = in_volume ? way.z : 0.0f;
        const float square = dot(way, way);
        const float bend = in_volume ? sqrt(square) : square > 0.0f ? square * log(square) : 0.0f;
        sum += weights[4 + k] * bend;
    }
    shifts[at] = sum;
}
