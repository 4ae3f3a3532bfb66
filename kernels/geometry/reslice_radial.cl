/* SPDX-License-Identifier: BSD-3-Clause */

/* Row y of slice a is the ray of slice y from the centre towards direction a, in 2^-32 pixels; outside there is 0. */
kernel void reslice_radial(INPUT(from), OUTPUT(to), global const long *directions, long center_x, long center_y)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), a = (int)get_global_id(2);
    if (!INSIDE(to, x, y, a))
        return;
    const long px = center_x + directions[2 * a] * x, py = center_y + directions[2 * a + 1] * x;
    const float right = (float)(uint)px * 0x1p-32f, below = (float)(uint)py * 0x1p-32f;
    const float value = value_at(from_pixels, from, (int)(px >> 32), (int)(py >> 32), y, right, below, 0.0f);
    STORE_SNAPPED(to, x, y, a, value);
}
