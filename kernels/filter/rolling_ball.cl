/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Background by a ball that rolls below the surface of grey values, with the rounding of ImageJ's command. The ball
 * rolls over an image that is `shrink` times smaller; such images are dense and hold float32.
 */
#include "background_result.cl"

/* Mean of 3 x 3 pixels, first along x, then along y. */
inline float smoothed(INPUT(from), int x, int y, int z, float sign)
{
    float rows[3];
    ROLLED for (int j = 0; j < 3; j++) {
        float line[3];
        ROLLED for (int i = 0; i < 3; i++)
            line[i] = sign * LOAD_CLAMPED(from, x + i - 1, y + j - 1, z);
        rows[j] = (line[0] + line[1] + line[2]) * 0.33333333f;
    }
    return (rows[0] + rows[1] + rows[2]) * 0.33333333f;
}

/* The smallest grey value of each block; `sign` is -1 for a light background. */
kernel void ball_shrink(INPUT(from), global float *small, int width, int height, int shrink, int smooths, float sign)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= height || z >= from.depth)
        return;
    float min_value = MAXFLOAT;
    for (int j = shrink * y; j < min(shrink * (y + 1), from.height); j++)
        for (int i = shrink * x; i < min(shrink * (x + 1), from.width); i++) {
            const float value = smooths ? smoothed(from_pixels, from, i, j, z, sign) : sign * LOAD(from, i, j, z);
            min_value = value < min_value ? value : min_value;
        }
    small[((long)z * height + y) * width + x] = min_value;
}

/* Computes how high the ball rises if its centre is at each position, up to `radius` pixels outside the image. */
kernel void ball_heights(global const float *small, int width, int height, int depth, global const float *ball,
                         int radius, global float *heights)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), side = 2 * radius + 1;
    if (x >= width + 2 * radius || y >= height + 2 * radius || z >= depth)
        return;
    float height_here = MAXFLOAT;
    for (int j = max(y - 2 * radius, 0); j <= min(y, height - 1); j++)
        for (int i = max(x - 2 * radius, 0); i <= min(x, width - 1); i++) {
            const float room = small[((long)z * height + j) * width + i] -
                               ball[(j - y + 2 * radius) * side + i - x + 2 * radius];
            height_here = height_here > room ? room : height_here;
        }
    heights[((long)z * (height + 2 * radius) + y) * (width + 2 * radius) + x] = height_here;
}

/* Computes the highest position that the ball reaches at each pixel. */
kernel void ball_raise(global const float *heights, global const float *ball, int radius, int width, int height,
                       int depth, global float *small)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), side = 2 * radius + 1;
    if (x >= width || y >= height || z >= depth)
        return;
    float highest = -MAXFLOAT;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            const float reach = heights[((long)z * (height + 2 * radius) + y + j) * (width + 2 * radius) + x + i] +
                                ball[(2 * radius - j) * side + 2 * radius - i];
            highest = highest < reach ? reach : highest;
        }
    small[((long)z * height + y) * width + x] = highest;
}

/* Returns the last pixel before position `at` in the small image, and sets the weight of this pixel. */
inline int before(int at, int length, int shrink, float *weight)
{
    const int index = max(min((at - shrink / 2) / shrink, length - 2), 0);
    *weight = 1.0f - ((at + 0.5f) / shrink - (index + 0.5f));
    return index;
}

/* One row of the small image, interpolated at a position. */
inline float along_row(global const float *row, int index, int last, float weight)
{
    return row[index] * weight + row[min(index + 1, last)] * (1.0f - weight);
}

kernel void ball_finish(INPUT(from), global const float *small, int width, int height, int shrink, float sign,
                        int creates, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1), k = min(z, from.depth - 1);
    global const float *slice = small + (long)k * height * width;
    float background;
    if (shrink == 1)
        background = slice[(long)j * width + i];
    else {
        float across, down;
        const int left = before(i, width, shrink, &across), above = before(j, height, shrink, &down);
        const float first = along_row(slice + (long)above * width, left, width - 1, across),
                    second = along_row(slice + (long)min(above + 1, height - 1) * width, left, width - 1, across);
        background = first * down + second * (1.0f - down);
    }
    STORE(to, x, y, z, without_background(LOAD(from, i, j, k), background, sign, creates, from.type));
}
