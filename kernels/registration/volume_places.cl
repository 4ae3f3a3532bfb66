/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resamples volumes, computes local contrast, rotates volumes for Fourier transforms, and finds the peaks of their
 * correlation.
 */
#include "deformation_samples.cl"

enum { PEAK_GROUP = 128 };

/* Samples a volume at mapped positions; NaN outside. */
kernel void volume_sample(global const float *from, const int from_width, const int from_height, const int from_depth,
                          global const float *map, global float *to, SIZE)
{
    EACH_PIXEL
    const float4 position = mapped(map, x, y, z);
    to[at] = is_covered(from_width, from_height, from_depth, position)
                 ? sample_float(from, from_width, from_height, from_depth, position)
                 : NAN;
}

/*
 * Subtracts the mean of a box around each pixel and divides by the standard deviation there, so that neither bright
 * objects nor slow changes of brightness dominate. `floor_variance` is added to the variance. 0 where pixels are NaN.
 */
kernel void volume_contrast(global const float *from, global float *to, SIZE, const int radius,
                            const float floor_variance)
{
    EACH_PIXEL
    float number = 0.0f, sum = 0.0f, squares = 0.0f;
    ROLLED for (int k = max(z - radius, 0); k <= min(z + radius, depth - 1); k++)
        ROLLED for (int j = max(y - radius, 0); j <= min(y + radius, height - 1); j++)
            ROLLED for (int i = max(x - radius, 0); i <= min(x + radius, width - 1); i++) {
                const float value = from[PIXEL(i, j, k)];
                if (isnan(value))
                    continue;
                number += 1.0f;
                sum += value;
                squares = fma(value, value, squares);
            }
    const float mean = sum / number, variance = fmax(squares / number - mean * mean, 0.0f) + floor_variance,
                value = (from[at] - mean) * rsqrt(variance);
    to[at] = isfinite(value) ? value : 0.0f;
}

/* Samples a volume at the positions that map `number` of `maps` gives; 0 outside. */
kernel void volume_place(global const float *from, SIZE, global const float *maps, const int number, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float4 position = mapped(maps + 12 * number, x, y, z);
    STORE(to, x, y, z, is_covered(OF_SIZE, position) ? sample_float(from, OF_SIZE, position) : 0.0f);
}

/* Each group writes the highest value of its share of the rows, and the index of its pixel, which is below 2^24. */
kernel void volume_peaks(INPUT(from), const int number, global float2 *peaks)
{
    local float2 part[PEAK_GROUP];
    const int l = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0),
              rows = from.height * from.depth, first = (int)((long)rows * group / groups) * from.width,
              end = (int)((long)rows * (group + 1) / groups) * from.width;
    float2 best = (float2)(-INFINITY, first);
    ROLLED for (int i = first + l; i < end; i += PEAK_GROUP) {
        const int row = i / from.width;
        const float value = LOAD(from, i % from.width, row % from.height, row / from.height);
        best = value > best.x ? (float2)(value, i) : best;
    }
    part[l] = best;
    ROLLED for (int half_size = PEAK_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size && part[l + half_size].x > part[l].x)
            part[l] = part[l + half_size];
    }
    if (l == 0)
        peaks[number * groups + group] = part[0];
}
