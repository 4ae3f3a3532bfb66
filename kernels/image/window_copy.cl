/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies or fills boxes of pixels. */

/* Fills `to` from the box of its size at x0, y0, z0; outside the source its border is repeated. */
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

/*
 * Fills the outermost layers across x, y and z, each pixel once. The layers lie at 0 and the end of x, at y0 and y1,
 * and at z0 and z1; those along y and z may lie outside this part. The first two axes of the grid lie along a layer;
 * the third counts layers.
 */
kernel void fill_borders(OUTPUT(to), float value, int layers, int y0, int y1, int z0, int z1)
{
    const int u = (int)get_global_id(0), v = (int)get_global_id(1), layer = (int)get_global_id(2), axis = layer / 2,
              x1 = to.width - 1;
    const bool second = layer % 2;
    const int x = axis == 0 ? (second ? x1 : 0) : u,
              y = axis == 0   ? u
                  : axis == 1 ? (second ? y1 : y0)
                              : v,
              z = axis == 2 ? (second ? z1 : z0) : v;
    const bool same = second && (axis == 0 ? x1 == 0 : axis == 1 ? y1 == y0 : z1 == z0);
    const bool filled = (axis > 0 && (x == 0 || x == x1)) || (axis > 1 && (y == y0 || y == y1));
    if (layer < layers && !same && !filled && y >= 0 && z >= 0 && INSIDE(to, x, y, z))
        STORE(to, x, y, z, value);
}
