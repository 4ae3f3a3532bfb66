/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the mean of the two middle values of 2 x 2 pixels. */
kernel void half_median(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float a = LOAD_CLAMPED(from, 2 * x, 2 * y, z), b = LOAD_CLAMPED(from, 2 * x + 1, 2 * y, z);
    const float c = LOAD_CLAMPED(from, 2 * x, 2 * y + 1, z), d = LOAD_CLAMPED(from, 2 * x + 1, 2 * y + 1, z);
    const float low = fmax(fmin(a, b), fmin(c, d)), high = fmin(fmax(a, b), fmax(c, d));
    STORE(to, x, y, z, (low + high) * 0.5f);
}
