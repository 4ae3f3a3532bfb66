/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Background by a paraboloid that slides below the surface of grey values, with the rounding of ImageJ's command. A
 * parabola slides along lines in four directions, several times. A work-item processes one line of a dense float32
 * image.
 */
#include "background_result.cl"
#include "sliding_line.cl"

enum { ALONG_ROWS, ALONG_COLUMNS, FALLING_FROM_TOP, FALLING_FROM_LEFT, RISING_FROM_TOP, RISING_FROM_RIGHT };

kernel void slide_begin(INPUT(from), global float *pixels, float sign)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (INSIDE(from, x, y, z))
        pixels[((long)z * from.height + y) * from.width + x] = sign * LOAD(from, x, y, z);
}

/*
 * Replaces the pixels of a line by the mean or maximum of three. `rises` receives by how much the maximum raised the
 * line, as a sum of two numbers.
 */
kernel void slide_filter(global float *pixels, int width, int height, int depth, int down, int mean,
                         global float2 *rises)
{
    const int line = get_global_id(0), z = get_global_id(1), lines = down ? width : height;
    if (line >= lines || z >= depth)
        return;
    const int length = down ? height : width;
    const long step = down ? width : 1;
    global float *at = pixels + (long)z * width * height + (down ? (long)line : (long)line * width);
    float after = *at, here = after, high = 0.0f, low = 0.0f;
    for (int i = 0; i < length; i++, at += step) {
        const float before = here;
        here = after;
        after = i < length - 1 ? at[step] : after;
        if (mean) {
            *at = (before + here + after) * 0.33333333f;
            continue;
        }
        float max_value = before > after ? before : after;
        max_value = here > max_value ? here : max_value;
        *at = max_value;
        const float rise = max_value - here, sum = high + rise, part = sum - high;
        low += (high - (sum - part)) + (rise - part);
        high = sum;
    }
    if (!mean)
        rises[(long)z * (width + height) + (down ? height : 0) + line] = (float2)(high, low);
}

/* Slides along all lines of one direction. */
kernel void slide_lines(global float *pixels, global int *next, int width, int height, int depth, int direction,
                        int first, int lines, float curvature)
{
    const int i = first + (int)get_global_id(0), z = get_global_id(1);
    if (i >= lines || z >= depth)
        return;
    long start = i;
    line_of l = {pixels, next, 1, 0};
    switch (direction) {
    case ALONG_ROWS: start = (long)i * width; l.length = width; break;
    case ALONG_COLUMNS: l.step = width; l.length = height; break;
    case FALLING_FROM_TOP: l.step = width + 1; l.length = min(height, width - i); break;
    case FALLING_FROM_LEFT: start = (long)i * width; l.step = width + 1; l.length = min(width, height - i); break;
    case RISING_FROM_TOP: l.step = width - 1; l.length = min(height, i + 1); break;
    default: start = (long)i * width + width - 1; l.step = width - 1; l.length = min(width, height - i);
    }
    int ends[2];
    start += (long)z * width * height;
    l.pixels += start;
    l.next += start;
    slide_along(&l, curvature, ends);
}

kernel void slide_finish(INPUT(from), global const float *pixels, global const float *shifts, float sign, int creates,
                         OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1), k = min(z, from.depth - 1);
    const float background = pixels[((long)k * from.height + j) * from.width + i] - shifts[k];
    STORE(to, x, y, z, without_background(LOAD(from, i, j, k), background, sign, creates, from.type));
}
