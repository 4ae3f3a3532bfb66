/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of pixels: copied from anywhere, or filled. */

/* Fills `to` from the box of its size at x0, y0, z0; beyond the source its border is repeated. */
kernel void copy_window(INPUT(from), OUTPUT(to), int x0, int y0, int z0)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const long fx = clamp((long)x + x0, 0L, (long)from.width - 1), fy = clamp((long)y + y0, 0L, (long)from.height - 1);
    const long fz = clamp((long)z + z0, 0L, (long)from.depth - 1);
    MOVE(from, AT(from, fx, fy, fz), to, AT(to, x, y, z))
}

kernel void fill_box(OUTPUT(to), float value)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, value);
}
