/* SPDX-License-Identifier: BSD-3-Clause */
/* Resizes frames along one axis, and sorts the frames at each pixel. */

/* Position of a pixel in a line that is mirrored at its ends, with the last pixel repeated. */
inline int folded_at(int i, int length)
{
    i = i < 0 ? -1 - i : i;
    i %= 2 * length;
    return i < length ? i : 2 * length - 1 - i;
}

/*
 * Blurs with a symmetric kernel of `radius` + 1 taps, which are its middle and one half, and interpolates linearly
 * between pixel centres.
 */
kernel void shading_resize(INPUT(from), OUTPUT(to), TABLE(taps), const int radius, const int axis)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int length = axis == 0 ? from.width : from.height, made = axis == 0 ? to.width : to.height;
    const float at = ((axis == 0 ? x : y) + 0.5f) * length / made - 0.5f, share = at - floor(at);
    const int first = (int)floor(at);
    float sum = 0.0f;
    ROLLED for (int k = -radius; k <= radius + 1; k++) {
        const int i = folded_at(first + k, length);
        const float near = k <= radius ? TABLE_OF(float, taps)[abs(k)] : 0.0f,
                    far = k > -radius ? TABLE_OF(float, taps)[abs(k - 1)] : 0.0f;
        const float weight = fma(share, far - near, near);
        sum = fma(weight, axis == 0 ? LOAD(from, i, y, z) : LOAD(from, x, i, z), sum);
    }
    STORE(to, x, y, z, sum);
}

/* Sorts the values of all frames at each pixel, smallest first (Shell's method). */
kernel void shading_sort(OUTPUT(frames))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(frames, x, y, 0))
        return;
    global float *values = (global float *)frames_pixels + AT(frames, x, y, 0);
    const INDEX plane = (INDEX)frames.plane;
    int gap = 1;
    while (gap < frames.depth / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        ROLLED for (int i = gap; i < frames.depth; i++) {
            const float value = values[i * plane];
            int j = i;
            ROLLED for (; j >= gap && values[(j - gap) * plane] > value; j -= gap)
                values[j * plane] = values[(j - gap) * plane];
            values[j * plane] = value;
        }
}
