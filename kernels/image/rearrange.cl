/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves pixels to other positions, and multiplies slices by factors. */

/*
 * Places each slice beside or below the previous one, column by column of tiles; missing slices are 0. The images begin
 * at x0, y0 of the plane and at fx, fy, fz of a stack of this extent.
 */
kernel void stack_to_tiles(INPUT(from), OUTPUT(to), int tiles_y, int width, int height, int depth, int x0, int y0,
                           int fx, int fy, int fz)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int px = x + x0, py = y + y0, row = py / height;
    const long slice = (long)(px / width) * tiles_y + row;
    if (row >= tiles_y || slice >= depth)
        STORE(to, x, y, z, 0.0f);
    else
        MOVE(from, AT(from, px % width - fx, py % height - fy, slice - fz), to, AT(to, x, y, z))
}

inline int around(int position, int extent)
{
    position %= extent;
    return position < 0 ? position + extent : position;
}

enum { SHIFTED_ROWS = 8 };

/* Pixels that leave on one side enter on the other. A work-item walks down some rows, because remainders are slow. */
kernel void circular_shift(INPUT(from), OUTPUT(to), int dx, int dy, int dz)
{
    const int x = (int)get_global_id(0), first = SHIFTED_ROWS * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, first, z))
        return;
    const int fx = around(x % from.width - dx, from.width), fz = around(z % from.depth - dz, from.depth);
    int fy = around(first % from.height - dy, from.height);
    for (int y = first; y < min(first + SHIFTED_ROWS, to.height); y++) {
        MOVE(from, AT(from, fx, fy, fz), to, AT(to, x, y, z))
        fy = fy + 1 == from.height ? 0 : fy + 1;
    }
}

kernel void scale_slices(INPUT(from), OUTPUT(to), global const float *factors, int count)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(from, x, y, z) * factors[min(z, count - 1)]);
}
