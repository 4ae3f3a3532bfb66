/* SPDX-License-Identifier: BSD-3-Clause */

/* Row y of slice a is the ray of slice y from the centre towards direction a; outside there is 0. */
kernel void reslice_radial(INPUT(from), OUTPUT(to), global const float *directions, float center_x, float center_y)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), a = (int)get_global_id(2);
    if (!INSIDE(to, x, y, a))
        return;
    const float px = center_x + directions[2 * a] * (float)x, py = center_y + directions[2 * a + 1] * (float)x;
    const float left = floor(px), top = floor(py);
    STORE_SNAPPED(to, x, y, a, on_plane(from_pixels, from, convert_long_sat(left), convert_long_sat(top), y, px - left, py - top));
}
