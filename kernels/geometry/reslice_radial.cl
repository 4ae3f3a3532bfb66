/* SPDX-License-Identifier: BSD-3-Clause */

/* Row y of slice a is the ray of slice y that starts and steps as entry a says, in 2^-32 pixels; outside there is 0. */
kernel void reslice_radial(INPUT(from), OUTPUT(to), global const long4 *rays)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), a = (int)get_global_id(2);
    if (!INSIDE(to, x, y, a))
        return;
    const long px = rays[a].x + rays[a].z * x, py = rays[a].y + rays[a].w * x;
    const float right = (float)(uint)px * 0x1p-32f, below = (float)(uint)py * 0x1p-32f;
    const float value = value_at(from_pixels, from, (int)(px >> 32), (int)(py >> 32), y, right, below, 0.0f);
    STORE_SNAPPED(to, x, y, a, value);
}
