/* SPDX-License-Identifier: BSD-3-Clause */

/* Of a line of pixels around each position along an axis, and of one `shift` further in the other image. */
kernel void correlation_coefficient(INPUT(one), INPUT(mean_one), INPUT(other), INPUT(mean_other), OUTPUT(to), int radius, int shift, int axis)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = axis == 0, j = axis == 1, k = axis == 2;
    float both = 0.0f, first = 0.0f, second = 0.0f;
    for (int n = -radius; n <= radius; n++) {
        const int m = n + shift;
        const float a = LOAD_CLAMPED(one, x + n * i, y + n * j, z + n * k) - LOAD_CLAMPED(mean_one, x + n * i, y + n * j, z + n * k);
        const float b = LOAD_CLAMPED(other, x + m * i, y + m * j, z + m * k) - LOAD_CLAMPED(mean_other, x + m * i, y + m * j, z + m * k);
        both += a * b;
        first += a * a;
        second += b * b;
    }
    const float size = sqrt(first) * sqrt(second);
    STORE_SNAPPED(to, x, y, z, size == 0.0f ? 0.0f : both / size);
}
