/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of pixels: copied from anywhere, or filled. */

/* Fills `to` from the box of its size at x0, y0, z0; beyond the source the border is repeated, or there are zeros. */
kernel void copy_window(INPUT(from), OUTPUT(to), int x0, int y0, int z0, int repeat)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const long fx = (long)x + x0, fy = (long)y + y0, fz = (long)z + z0;
    const long nx = clamp(fx, 0L, (long)from.width - 1), ny = clamp(fy, 0L, (long)from.height - 1), nz = clamp(fz, 0L, (long)from.depth - 1);
    const INDEX target = AT(to, x, y, z);
    if (repeat || (nx == fx && ny == fy && nz == fz)) {
        MOVE(from, AT(from, nx, ny, nz), to, target)
    } else {
        store_bits(to_pixels, to.type, target, 0);
    }
}

kernel void fill_box(OUTPUT(to), float value)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, value);
}
