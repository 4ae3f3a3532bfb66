/* SPDX-License-Identifier: BSD-3-Clause */
/* One axis of a separable convolution with 2 radius + 1 weights. */

#define CONVOLVE(axis, extent, pixel)                                                                                            \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                                   \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;                                                                                                                  \
    constant float *weight = TABLE_OF(float, weights) + radius;                                                                  \
    float sum = 0.0f;                                                                                                            \
    for (int i = -radius; i <= radius; i++) {                                                                                    \
        const int at = clamp(axis + i, 0, from.extent - 1);                                                                      \
        sum = fma(weight[i], pixel, sum);                                                                                        \
    }                                                                                                                            \
    STORE_SNAPPED(to, x, y, z, sum);

kernel void gaussian_x(INPUT(from), OUTPUT(to), TABLE(weights), int radius)
{
    CONVOLVE(x, width, LOAD(from, at, y, z))
}

kernel void gaussian_y(INPUT(from), OUTPUT(to), TABLE(weights), int radius)
{
    CONVOLVE(y, height, LOAD(from, x, at, z))
}

kernel void gaussian_z(INPUT(from), OUTPUT(to), TABLE(weights), int radius)
{
    CONVOLVE(z, depth, LOAD(from, x, y, at))
}
